#include "layers/execution/others.h"

#include "guard/breaker.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/place.h"
#include "layers/execution/rest.h"
#include "model/containers.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// What an undo of the action would take back: the last value that we set there. Null: nothing of
/// ours is there, or it was given back already.
const Request* ours_at(const OpenAction& action, const Request& undo) {
    const Request* last = nullptr;
    for (const PlannedStep& step : action.plan) {
        if (step.ours && same_place(step.request, undo)) last = &step.request;
    }
    return last != nullptr && *last != undo ? last : nullptr;
}

const Uid* pod_of(const Request& request) {
    if (const auto* resize = std::get_if<ResizePod>(&request)) return &resize->pod;
    if (const auto* cost = std::get_if<SetDeletionCost>(&request)) return &cost->pod;
    return nullptr;
}

Contest other_replicas(const WorkloadRow& row, std::int32_t ours) {
    return {row.id, row.id.text() + " wants " + std::to_string(row.wanted) + " replicas, not the " +
                        std::to_string(ours) + " that we set"};
}

/// The rows that open actions are about. Each table is read once, and that of pods only if needed.
struct Rows {
    std::map<NodeId, const NodeRow*> nodes;
    std::map<WorkloadId, const WorkloadRow*> workloads;
    std::map<Uid, const PodRow*> pods;

    Rows(const Snapshot& snapshot, const Ledger& ledger) {
        for (const OpenAction& action : ledger.open) {
            want(action.target);
            for (const Request& undo : action.undo) want(undo);
            for (const PlannedStep& step : action.plan) want(step.request);
        }
        snapshot.nodes.for_each([&](Slot, const NodeRow& row) {
            if (names_.contains(row.id.name.handle())) nodes[row.id] = &row;
        });
        snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
            if (names_.contains(row.id.name.handle())) workloads[row.id] = &row;
        });
        if (pods_.empty()) return;
        snapshot.pods.for_each([&](Slot, const PodRow& row) {
            if (pods_.contains(row.uid) && !row.terminating) pods[row.uid] = &row;
        });
    }

    template <class Id, class Row>
    static const Row* find(const std::map<Id, const Row*>& rows, const Id& id) {
        const auto found = rows.find(id);
        return found == rows.end() ? nullptr : found->second;
    }

private:
    void want(const Target& target) {
        if (const auto* node = std::get_if<NodeId>(&target)) names_.insert(node->name.handle());
        if (const auto* work = std::get_if<WorkloadId>(&target)) {
            names_.insert(work->name.handle());
        }
    }
    void want(const Request& request) {
        if (const auto* mark = std::get_if<PutMark>(&request)) want(mark->target);
        if (const auto* replicas = std::get_if<SetReplicas>(&request)) {
            names_.insert(replicas->workload.name.handle());
        }
        if (const Uid* pod = pod_of(request)) pods_.insert(*pod);
    }

    std::set<std::uint32_t> names_;  ///< Of nodes and workloads, by handle; for lookup only.
    std::set<Uid> pods_;
};

Taint taint_of(const NodeRow& row) {
    if (row.quarantined) return Taint::no_schedule;
    return row.avoided ? Taint::prefer_no_schedule : Taint::none;
}

bool has_sizes(const PodShape& shape, const ResizePod& wanted) {
    const auto same = [](const auto& want, const auto& has) { return !want || want == has; };
    return std::ranges::all_of(wanted.containers, [&](const ContainerResize& each) {
        const auto now = std::ranges::find(shape.containers, each.container, &ContainerSpec::name);
        return now != shape.containers.end() && same(each.cpu_request_m, now->cpu_request_m) &&
               same(each.cpu_limit_m, now->cpu_limit_m) &&
               same(each.memory_request, now->memory_request) &&
               same(each.memory_limit, now->memory_limit);
    });
}

/// Whether what we set is not there any more. What is gone altogether is nobody's doing.
struct Changed {
    const Snapshot& snapshot;
    const Ledger& ledger;
    const Rows& rows;
    const OpenAction& action;

    std::optional<Contest> operator()(const SetTaint& r) const {
        const NodeRow* row = Rows::find(rows.nodes, r.node);
        if (row == nullptr || row->uid != action.uid || taint_of(*row) == r.taint) return {};
        const bool none = taint_of(*row) == Taint::none;
        return Contest{r.node, "our taint on " + r.node.text() + " was " +
                                   (none ? "taken away" : "changed") + " by somebody else"};
    }

    std::optional<Contest> operator()(const PutMark& r) const {
        const std::optional<Mark>* mark = nullptr;
        if (const auto* node = std::get_if<NodeId>(&r.target)) {
            const NodeRow* row = Rows::find(rows.nodes, *node);
            if (row != nullptr && row->uid == action.uid) mark = &row->mark;
        }
        if (const auto* workload = std::get_if<WorkloadId>(&r.target)) {
            const WorkloadRow* row = Rows::find(rows.workloads, *workload);
            if (row != nullptr) mark = &row->mark;
        }
        if (mark == nullptr || (*mark && is_ours(**mark))) return {};
        return Contest{r.target, "our mark on " + text_of(r.target) + " was removed or replaced"};
    }

    std::optional<Contest> operator()(const SetReplicas& r) const {
        const WorkloadRow* row = Rows::find(rows.workloads, r.workload);
        if (row == nullptr || row->wanted == r.replicas) return {};
        return other_replicas(*row, r.replicas);
    }

    std::optional<Contest> operator()(const ResizePod& r) const {
        const PodRow* pod = Rows::find(rows.pods, r.pod);
        const PodShape* shape = pod != nullptr ? shape_of(snapshot, *pod) : nullptr;
        if (shape == nullptr || has_sizes(*shape, r)) return {};
        return Contest{whose(*pod), "pod " + r.name + " has another size than we gave it"};
    }

    std::optional<Contest> operator()(const SetDeletionCost& r) const {
        const PodRow* pod = Rows::find(rows.pods, r.pod);
        if (pod == nullptr || pod->deletion_cost == r.cost) return {};
        return Contest{whose(*pod), "the deletion cost of pod " + r.name + " is " +
                                        std::to_string(pod->deletion_cost) + ", not the " +
                                        std::to_string(r.cost) + " that we set"};
    }

    template <class Other>
    std::optional<Contest> operator()(const Other&) const {
        return {};
    }

    /// Of this action or of another that stands; a scaling leaves a mark that no ledger knows.
    bool is_ours(const Mark& mark) const {
        return mark.kind == ActionKind::scale ||
               std::ranges::count(ledger.open, mark.decision, &OpenAction::id) > 0;
    }
    Target whose(const PodRow& pod) const {
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        return row != nullptr ? Target(row->id) : action.target;
    }
};

void add(Contest contest, std::vector<Contest>& found) {
    if (std::ranges::count(found, contest) == 0) found.push_back(std::move(contest));
}

/// Replicas that a plan is about to change for the first time are those that it was decided on, or
/// already those that it wants.
std::optional<Contest> moved_on(const OpenAction& action, std::size_t at, const WorkloadRow& row) {
    const Request& next = action.plan[at].request;
    const auto here = [&](const Request& other) { return same_place(other, next); };
    const auto before = std::span(action.plan).first(at);
    const auto base = std::ranges::find_if(action.undo, here);
    if (base == action.undo.end() || std::ranges::any_of(before, here, &PlannedStep::request)) {
        return std::nullopt;
    }
    const std::int32_t was = std::get<SetReplicas>(*base).replicas;
    const std::int32_t wish = std::get<SetReplicas>(next).replicas;
    if (row.wanted == was || row.wanted == wish) return {};
    if (action.plan[at].ours) return other_replicas(row, wish);  // While its copies are awaited.
    return Contest{row.id, row.id.text() + " wants " + std::to_string(row.wanted) +
                               " replicas by now, not the " + std::to_string(was) +
                               " that this was decided on"};
}

/// Who may no longer be touched, as far as the plan still means to. Replicas that somebody has set
/// since are theirs: nothing is given back there.
void look_ahead(OpenAction& action, const Rows& rows, std::vector<Contest>& found) {
    if (is_final(action.state)) return;
    const auto* id = std::get_if<NodeId>(&action.target);
    const NodeRow* node = id != nullptr ? Rows::find(rows.nodes, *id) : nullptr;
    if (node != nullptr && node->uid == action.uid && guard::under_maintenance(*node)) {
        add({*id, id->text() + (node->cordoned ? " was cordoned" : " is being drained") +
                      " by somebody else meanwhile"},
            found);
    }
    if (node != nullptr && node->uid == action.uid && node->left_alone) {
        add({*id, id->text() + " has come to ask to be left alone"}, found);
    }
    for (std::size_t i = action.at; i < action.plan.size(); ++i) {
        const auto* next = std::get_if<SetReplicas>(&action.plan[i].request);
        const WorkloadRow* row =
            next != nullptr ? Rows::find(rows.workloads, next->workload) : nullptr;
        if (row == nullptr) continue;
        if (auto moved = moved_on(action, i, *row)) {
            add(*std::move(moved), found);
            const Request here = *next;
            std::erase_if(action.undo, [&](const Request& undo) {
                return std::holds_alternative<SetReplicas>(undo) && same_place(undo, here);
            });
        } else if (row->protect) {
            add({row->id, row->id.text() + " has been protected meanwhile"}, found);
        } else if (row->scale_owner != ScaleOwner::nobody &&
                   row->scale_owner != ScaleOwner::parley) {
            add({row->id,
                 "the replicas of " + row->id.text() + " have come to be set by somebody else"},
                found);
        }
    }
}

/// Whether a snapshot must show by now what we did last.
bool is_shown(const OpenAction& action, const RoundInput& input) {
    const bool under_way =
        action.state == ActionState::sent || action.state == ActionState::unknown;
    // What a predecessor did in its last round the ledger does not know yet.
    if (under_way || input.controls.started_anew) return false;
    if (action.confirmed == TimePoint{}) return false;
    if (input.now - action.confirmed < kShownAfter) return false;
    const auto& sources = input.snapshot.sources;
    const auto api = std::ranges::find(sources, Source::api, &SourceState::source);
    if (api == sources.end() || api->condition != SourceCondition::ok) return false;
    return std::ranges::none_of(input.events, [&](const ActionEvent& event) {
        const auto* answer = std::get_if<Answered>(&event.what);
        return event.action == action.id && answer != nullptr && answer->ok;
    });
}

/// What others have set since stays: that is not ours to take back. A taint under our own name and
/// a mark are taken away wherever they still are.
bool is_theirs_now(const Request& undo) {
    return std::holds_alternative<SetReplicas>(undo) || pod_of(undo) != nullptr;
}

std::vector<Contest> look(const RoundInput& input, const Ledger& ledger, const Rows& rows,
                          OpenAction& action) {
    std::vector<Contest> found;
    look_ahead(action, rows, found);
    if (!is_shown(action, input)) return found;
    const Changed changed{input.snapshot, ledger, rows, action};
    std::erase_if(action.undo, [&](const Request& undo) {
        const Request* ours = ours_at(action, undo);
        auto contest = ours != nullptr ? std::visit(changed, *ours) : std::nullopt;
        if (!contest) return false;
        add(*std::move(contest), found);
        return is_theirs_now(undo);
    });
    return found;
}

}  // namespace

std::string stepped_back(const std::vector<Contest>& contests) {
    std::string text = "stepped back: " + contests.front().because;
    if (contests.size() > 1) text += ", and " + std::to_string(contests.size() - 1) + " more";
    return text;
}

void step_back(const RoundInput& input, Ledger& ledger) {
    if (input.controls.simulated || ledger.open.empty()) return;
    const Rows rows(input.snapshot, ledger);
    for (OpenAction& open : ledger.open) {
        if (is_ending(open)) continue;
        const std::vector<Contest> found = look(input, ledger, rows, open);
        if (found.empty()) continue;
        open = give_up(std::move(open), ActionState::failed, stepped_back(found)).action;
        trim_note(open);
        rest(ledger, open.target, input.now);
        for (const Contest& each : found) rest(ledger, each.about, input.now);
    }
}

}  // namespace parley::execution
