#include "replay/causes.h"

#include "base/number.h"
#include "guard/data_rules.h"
#include "guard/pace_rules.h"
#include "guard/pod_rules.h"
#include "layers/explanation/wording/configured.h"
#include "layers/explanation/wording/wording.h"
#include "layers/proposal/shortage.h"
#include "model/watched.h"
#include "replay/own_bound.h"

#include <algorithm>
#include <set>

namespace parley::replay {

using namespace model;

namespace {

Obstacle configured(const std::string& setting, const std::string& is, const std::string& usual,
                    const std::string& therefore) {
    return {"configuration", "policy." + setting,
            explanation::set_text(is, usual) + ": " + therefore};
}

/// Its bound would be passed under the one policy, and is not under the other.
bool only_under(const Wanted& wanted, const RoundInput& input, const Forecast& forecast,
                const Policy& usual, const Policy& policy) {
    const auto by_default = distance_of(wanted, input, forecast, usual);
    const auto as_it_is = distance_of(wanted, input, forecast, policy);
    return by_default && as_it_is && by_default->gap <= 0 && as_it_is->gap > 0;
}

void add_margin(const Wanted& wanted, const RoundInput& input, const Forecast& forecast,
                const Policy& policy, std::vector<Obstacle>& out) {
    const double usual = Policy{}.stakes.margin;
    const double margin = policy.stakes.margin;
    if (policy.profile == Profile::prototype || margin <= usual) return;
    const auto gain = gain_at(wanted, input, forecast, usual);
    const auto now = gain_at(wanted, input, forecast, margin);
    if (!gain || !now || *gain <= 0 || *now > 0) return;
    const std::string times = "x " + print_double(margin);
    out.push_back(configured("stakes.margin", times, "x " + print_double(usual),
                             "what acting averts must be worth " + print_double(margin) +
                                 " times its cost; at the default it would have paid by " +
                                 explanation::pod_minutes(*gain) + " pod-minutes"));
}

void add_rounds_over(const Wanted& wanted, const Policy& policy, std::vector<Obstacle>& out) {
    const StakesRules usual;
    const StakesRules& rules = policy.stakes;
    if (wanted.role != Role::safety || policy.profile == Profile::prototype) return;
    if (rules.rounds_over <= usual.rounds_over) return;
    out.push_back(configured("stakes.rounds_over", std::to_string(rules.rounds_over),
                             std::to_string(usual.rounds_over),
                             "it must be over its limit in " + std::to_string(rules.rounds_over) +
                                 " of " + std::to_string(rules.rounds_of) + " rounds"));
}

/// The setting of an action's own bound; empty: it has none that is set.
std::string bound_setting(const Wanted& wanted) {
    switch (kind_of(wanted.action)) {
        case ActionKind::power_state:
            return "efficiency.sleep_below";
        case ActionKind::dvfs:
            return "efficiency.dvfs_below";
        case ActionKind::memory_balloon:
            return "efficiency.balloon_below";
        case ActionKind::resource_cap:
            return "admission.cap_from";
        case ActionKind::admission: {
            const auto* admission = std::get_if<Admission>(&wanted.action);
            const bool lower =
                admission != nullptr && admission->decision == AdmissionWish::deprioritize;
            return lower ? "admission.deprioritize_from" : "admission.queue_from";
        }
        default:
            return {};
    }
}

void add_bound(const Wanted& wanted, const RoundInput& input, const Forecast& forecast,
               const Policy& policy, std::vector<Obstacle>& out) {
    const std::string setting = bound_setting(wanted);
    if (setting.empty() || policy.profile == Profile::prototype) return;
    Policy usual = policy;
    usual.efficiency = Policy{}.efficiency;
    usual.admission = Policy{}.admission;
    if (!only_under(wanted, input, forecast, usual, policy)) return;
    const auto was = distance_of(wanted, input, forecast, usual);
    const auto is = distance_of(wanted, input, forecast, policy);
    out.push_back(configured(setting, print_double(is->limit), print_double(was->limit),
                             "at the default " + was->what + " " + print_double(was->value) +
                                 " would have been enough"));
}

}  // namespace

std::vector<Obstacle> sends_nothing(const Controls& controls) {
    std::vector<Obstacle> out;
    if (controls.mode != Mode::act) {
        out.push_back({"mode", explanation::mode_text(controls.mode, false),
                       "nothing is sent in this mode, whatever is decided"});
    }
    if (controls.stop) {
        out.push_back({"kill switch", "stop", "it was pressed, so that nothing is sent"});
    }
    return out;
}

std::vector<Obstacle> filtered_out(const Wanted& wanted, const RoundInput& input,
                                   const Policy& policy) {
    if (policy.namespaces.empty()) return {};
    if (const auto* id = std::get_if<WorkloadId>(&wanted.target)) {
        if (watched(policy.namespaces, id->space)) return {};
        return {{"configuration", "policy.namespaces",
                 "namespace " + id->space.str() + " is not watched"}};
    }
    if (wanted.role != Role::admission) return {};
    Policy all = policy;
    all.namespaces.clear();
    const std::int64_t seen = proposal::shortage_of(input.snapshot, policy).pods;
    const std::int64_t there = proposal::shortage_of(input.snapshot, all).pods;
    if (there <= seen) return {};
    std::set<std::string> spaces;
    for (const PendingGroup& group : input.snapshot.pending) {
        const WorkloadRow* row = input.snapshot.workloads.find(group.workload);
        if (row == nullptr || group.count <= 0 || !group.causes.shortage()) continue;
        if (!watched(policy.namespaces, row->id.space)) spaces.insert(row->id.space.str());
    }
    return {{"configuration", "policy.namespaces",
             "the filter leaves out " + explanation::counted(there - seen, "pod") +
                 " short of room in " + explanation::listed({spaces.begin(), spaces.end()}) +
                 ", and counts " + std::to_string(seen)}};
}

std::vector<Obstacle> by_configuration(const Wanted& wanted, const RoundInput& input,
                                       const Forecast& forecast, const Policy& policy) {
    std::vector<Obstacle> out;
    add_margin(wanted, input, forecast, policy, out);
    add_bound(wanted, input, forecast, policy, out);
    add_rounds_over(wanted, policy, out);
    return out;
}

std::vector<Refused> refusals(const guard::Facts& facts, const Proposal& proposal) {
    std::vector<Refused> out;
    if (changes_nothing(proposal.action)) return out;
    guard::Question question(facts, proposal);
    for (const auto part : {guard::data_rules(), guard::pace_rules(), guard::pod_rules()}) {
        for (const guard::Rule& rule : part) {
            if (!rule.applies(question)) continue;
            guard::Ruling ruling = rule.ask(question);
            if (!ruling.refused) continue;
            out.push_back({rule.name, *std::move(ruling.refused)});
            // Without a target there is nothing to ask the others about.
            if (out.back().rule == "target") return out;
        }
    }
    return out;
}

bool is_configured(const std::string& guard_rule) { return guard_rule == "opt-in"; }

}  // namespace parley::replay
