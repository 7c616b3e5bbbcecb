#include "layers/explanation/alarms/disagreements.h"

#include "base/number.h"
#include "layers/explanation/wording/wording.h"
#include "model/differences.h"
#include "model/sources.h"
#include "model/watched.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

using Found = std::vector<Disagreement>;

/// Sorts those of one kind by name; those that are too many to name are counted.
void add(Found& all, Found part) {
    std::ranges::sort(part, {}, &Disagreement::about);
    const std::size_t more = part.size() > kNamedMax ? part.size() - kNamedMax : 0;
    if (more > 0) {
        const DisagreementKind kind = part.front().kind;
        part.resize(kNamedMax);
        part.push_back({kind, WholeCluster{}, "and " + std::to_string(more) + " more like these"});
    }
    std::ranges::move(part, std::back_inserter(all));
}

/// A node for which shown and forecast values differ.
void look_at_node(const NodeRow& node, const NodeForecast& believed, Found& risky, Found& safe) {
    if (set_aside(node) || !believed.risk) return;
    const double risk = *believed.risk;
    const auto [value, limit] = beside(risk, believed.limit);
    if (node.ready == Readiness::yes) {
        if (!(risk > believed.limit)) return;
        risky.push_back({DisagreementKind::ready_but_risky, node.id,
                         node.id.text() + " is Ready, but its risk " + value +
                             " is over its own limit " + limit});
    } else if (risk < kSafeBelow && risk <= believed.limit) {
        safe.push_back(
            {DisagreementKind::not_ready_but_safe, node.id,
             node.id.text() + " is not Ready, but its risk is only " + share_text(risk)});
    }
}

/// Where no node has a sample, as at the start, the source has none yet; if that lasts it is an
/// alarm.
Found without_samples(const RoundInput& input, const Derived& derived) {
    Found found;
    const SourceState* metrics = state_of(input.snapshot, Source::metrics);
    if (metrics == nullptr || metrics->condition != SourceCondition::ok) return found;
    bool any = false;
    input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        const NodeFold* fold = derived.nodes.find(slot);
        if (fold == nullptr || fold->uid != node.uid || node.ready != Readiness::yes) return;
        any = any || (fold->silent == 0 && node.power == Power::on);
        if (fold->silent <= 0) return;
        const std::string rejection = rejection_of(node);
        found.push_back(
            {DisagreementKind::ok_but_no_sample, node.id,
             rejection.empty()
                 ? "metrics reads ok, but has no sample of " + node.id.text()
                 : "metrics reads ok, but its sample of " + node.id.text() + " was " + rejection});
    });
    if (!any) found.clear();
    return found;
}

std::string times_text(double ratio, const char* what) {
    const bool more = ratio >= 1;
    return std::string(more ? "prometheus" : "metrics") + " says " +
           fixed(more ? ratio : 1 / ratio, 1) + " times as much " + what + " as " +
           (more ? "metrics" : "prometheus");
}

/// Where two sources contradict each other.
Found contradictions(const RoundInput& input, const Derived& derived) {
    const bool known = standing_contradiction(derived, input.now) != nullptr;
    std::string all = known ? differences_text(input.snapshot) : "";
    if (!all.empty()) {
        return {{DisagreementKind::sources_differ, WholeCluster{}, std::move(all)}};
    }
    Found found;
    input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const NodeDifference each = compare(node);
        if (!each.differs || !contradicted_since(derived, node.id, input.now)) return;
        const bool cpu = each.cpu && beyond_factor(*each.cpu);
        found.push_back({DisagreementKind::sources_differ, node.id,
                         "of " + node.id.text() + " " +
                             (cpu ? times_text(*each.cpu, "CPU")
                                  : times_text(each.memory.value_or(1), "memory"))});
    });
    return found;
}

bool holds_back(const Verdict& verdict, const Ledger& ledger) {
    const auto holds = [](const Proposal& p) {
        return p.role == Role::admission && !changes_nothing(p.action);
    };
    const auto caps = [](const OpenAction& a) {
        return kind_of(a.action) == ActionKind::resource_cap && !a.undoing;
    };
    return !ledger.orders.empty() || std::ranges::any_of(verdict.accepted, holds) ||
           std::ranges::any_of(ledger.open, caps);
}

/// Pods that policy.namespaces leaves out are none of agent C's concern.
Found short_but_admitted(const Snapshot& snapshot, const Policy& policy, const Verdict& verdict,
                         const Ledger& ledger) {
    const std::int64_t pods = short_of_room(snapshot, policy).watched;
    if (pods <= 0 || holds_back(verdict, ledger)) return {};
    return {{DisagreementKind::short_but_admitting, WholeCluster{},
             counted(pods, "pod is", "pods are") + " short of room while C admission admits"}};
}

bool in_force(const OpenAction& action) {
    return action.state == ActionState::confirmed && !action.undoing;
}

/// The replicas that our open actions last set.
std::map<WorkloadId, std::int32_t> replicas_set(const Ledger& ledger) {
    std::map<WorkloadId, std::int32_t> set;
    for (const OpenAction& action : ledger.open) {
        if (!in_force(action)) continue;
        for (const PlannedStep& step : action.plan) {
            const auto* replicas = std::get_if<SetReplicas>(&step.request);
            if (replicas != nullptr && step.ours) set[replicas->workload] = replicas->replicas;
        }
    }
    return set;
}

Found other_replicas(const Snapshot& snapshot, const Ledger& ledger) {
    Found found;
    const auto set = replicas_set(ledger);
    if (set.empty()) return found;
    snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        const auto ours = set.find(row.id);
        if (ours == set.end() || ours->second == row.wanted) return;
        found.push_back({DisagreementKind::replicas_not_ours, row.id,
                         row.id.text() + " wants " + std::to_string(row.wanted) +
                             " replicas, but our last action set " + std::to_string(ours->second)});
    });
    return found;
}

/// How marks should be: which action last marked each target, and all decisions we know.
struct OurMarks {
    std::map<Target, const OpenAction*> last;
    std::set<DecisionId> known;
};

OurMarks marks_of(const Ledger& ledger, const std::vector<OpenAction>& ended) {
    OurMarks marks;
    for (const OpenAction& action : ended) marks.known.insert(action.id);
    for (const OpenAction& action : ledger.open) {
        marks.known.insert(action.id);
        const bool marked = !action.plan.empty() && action.plan.front().ours &&
                            std::holds_alternative<PutMark>(action.plan.front().request);
        if (marked) marks.last[action.target] = &action;
    }
    return marks;
}

void look_at_mark(const Target& target, const std::optional<Mark>& mark, const OurMarks& ours,
                  Found& found) {
    const std::string name = text_of(target);
    // A scaling that is done leaves its mark and nothing else: the run's id in it says that it is
    // ours, or another leader's of before.
    if (mark && mark->kind == ActionKind::scale) return;
    if (mark && !ours.known.contains(mark->decision)) {
        found.push_back(
            {DisagreementKind::mark_foreign, target,
             name + " carries our mark of a decision that nobody knows: " + mark->decision.text()});
        return;
    }
    const auto last = ours.last.find(target);
    if (mark || last == ours.last.end() || !in_force(*last->second)) return;
    found.push_back({DisagreementKind::mark_foreign, target,
                     "our mark on " + name + " is missing: " + text_of(last->second->action) +
                         " of round " + std::to_string(last->second->round) + " stands there"});
}

}  // namespace

ShortOfRoom short_of_room(const Snapshot& snapshot, const Policy& policy) {
    ShortOfRoom pods;
    for (const PendingGroup& group : snapshot.pending) {
        const WorkloadRow* workload = snapshot.workloads.find(group.workload);
        if (workload == nullptr || workload->deliberate) continue;
        if (!group.causes.room_would_help()) continue;
        const bool counts = watched(policy.namespaces, workload->id.space);
        (counts ? pods.watched : pods.left_out) += group.count;
    }
    return pods;
}

std::string differences_text(const Snapshot& snapshot) {
    const Differences all = compare_all(snapshot);
    if (!all.contradict()) return {};
    std::string text = "metrics and prometheus differ: ";
    if (!all.by_median()) {
        return text + "about " + std::to_string(all.nodes) + " of " + std::to_string(all.of) +
               " nodes";
    }
    const bool cpu = all.cpu && beyond_factor(*all.cpu);
    if (cpu) text += times_text(*all.cpu, "CPU");
    if (all.memory && beyond_factor(*all.memory)) {
        text += (cpu ? ", " : "") + times_text(*all.memory, "memory");
    }
    return text + " (median of " + std::to_string(all.of) + " nodes)";
}

std::int32_t layer_of(const Disagreement& each, const Decision& decision) {
    switch (each.kind) {
        case DisagreementKind::ok_but_no_sample:
        case DisagreementKind::sources_differ:
            return 1;
        case DisagreementKind::ready_but_risky:
        case DisagreementKind::not_ready_but_safe:
            return 2;
        case DisagreementKind::short_but_admitting: {
            const bool asked = std::ranges::any_of(decision.verdict.judged, [](const Judged& one) {
                return one.proposal.role == Role::admission &&
                       !changes_nothing(one.proposal.action);
            });
            return asked ? 4 : 3;
        }
        case DisagreementKind::replicas_not_ours:
        case DisagreementKind::mark_foreign:
            break;
    }
    return 5;
}

std::string disagreement_text(const Disagreement& each, const Decision& decision) {
    std::string text = each.sentence;
    const bool risk = each.kind == DisagreementKind::ready_but_risky ||
                      each.kind == DisagreementKind::not_ready_but_safe;
    if (risk && !decision.forecast.model.empty()) text += " by " + decision.forecast.model;
    const std::string layer = layer_text(layer_of(each, decision));
    if (each.kind == DisagreementKind::ready_but_risky) return text + "; so says " + layer;
    return text + "; suspect " + layer;
}

std::vector<Disagreement> disagreements(const RoundInput& input, const Forecast& forecast,
                                        const Verdict& verdict, const Policy& policy,
                                        const Memory& memory,
                                        const std::vector<OpenAction>& ended) {
    Found risky;
    Found safe;
    for (const NodeForecast& believed : forecast.nodes) {
        const NodeRow* node = input.snapshot.nodes.find(believed.node);
        if (node != nullptr) look_at_node(*node, believed, risky, safe);
    }
    Found marks;
    const OurMarks ours = marks_of(memory.ledger, ended);
    input.snapshot.nodes.for_each(
        [&](Slot, const NodeRow& node) { look_at_mark(node.id, node.mark, ours, marks); });
    input.snapshot.workloads.for_each(
        [&](Slot, const WorkloadRow& row) { look_at_mark(row.id, row.mark, ours, marks); });

    Found all;
    add(all, std::move(risky));
    add(all, std::move(safe));
    add(all, without_samples(input, memory.derived));
    add(all, short_but_admitted(input.snapshot, policy, verdict, memory.ledger));
    add(all, other_replicas(input.snapshot, memory.ledger));
    add(all, std::move(marks));
    add(all, contradictions(input, memory.derived));
    return all;
}

}  // namespace parley::explanation
