#include "guard/guard.h"

#include "base/time_text.h"
#include "guard/rule_families.h"
#include "guard/scale_rules.h"

#include <algorithm>
#include <limits>

namespace parley::guard {
namespace {

using model::OpenAction;
using model::Refused;

/// The request that would be sent now; null: there is none left.
const model::Request* current(const OpenAction& action) {
    if (action.undoing)
        return action.at < action.undo.size() ? &action.undo.at(action.at) : nullptr;
    return action.at < action.plan.size() ? &action.plan.at(action.at).request : nullptr;
}

/// The uid that the live object must have. None: it is not known.
struct ExpectedUid {
    const Facts& facts;
    const OpenAction& action;

    model::Uid operator()(const model::EvictPod& r) const { return r.pod; }
    model::Uid operator()(const model::SetDeletionCost& r) const { return r.pod; }
    model::Uid operator()(const model::ResizePod& r) const { return r.pod; }
    model::Uid operator()(const model::MarkPod& r) const { return r.pod; }
    model::Uid operator()(const model::PutMark& r) const {
        const auto* workload = std::get_if<model::WorkloadId>(&r.target);
        return r.target == action.target || workload == nullptr ? action.uid : of(*workload);
    }
    model::Uid operator()(const model::SetReplicas& r) const { return of(r.workload); }
    model::Uid operator()(const model::ResumeJob& r) const { return of(r.job); }
    model::Uid operator()(const model::SetCpuLimit& r) const { return of(r.workload); }
    model::Uid operator()(const model::SetMemoryRequest& r) const { return of(r.workload); }
    template <class Other>
    model::Uid operator()(const Other&) const {
        return action.uid;
    }

    model::Uid of(const model::WorkloadId& id) const {
        const model::WorkloadRow* row = facts.snapshot().workloads.find(facts.slot_of(id));
        return row != nullptr ? row->uid : model::Uid{};
    }
};

std::string another_one(const Facts& facts, const OpenAction& action, const model::Live& live) {
    const model::Request* request = current(action);
    if (request == nullptr || !live.exists) return {};
    const model::Uid expected = std::visit(ExpectedUid{facts, action}, *request);
    if (expected.none() || live.uid == expected) return {};
    return "what is there now is another one: its uid is " + live.uid.text() + ", not " +
           expected.text();
}

std::string overdue(const Facts& facts, const OpenAction& action) {
    if (facts.now() >= action.deadline) {
        return "its deadline passed " + print_age(facts.now() - action.deadline) + " ago";
    }
    if (facts.now() >= action.expires) {
        return "it expired " + print_age(facts.now() - action.expires) + " ago";
    }
    return {};
}

/// An eviction must not take the last ready replica, nor one that a budget or its owner keeps, nor
/// one that has nowhere to go by now. A pod that the snapshot does not have is left to the live
/// read and the API server.
std::optional<Refused> eviction_forbidden(const Facts& facts, const model::EvictPod& eviction) {
    const model::PodRow* pod = nullptr;
    facts.snapshot().pods.for_each([&](Slot, const model::PodRow& each) {
        if (each.uid == eviction.pod) pod = &each;
    });
    if (pod == nullptr) return std::nullopt;
    const model::WorkloadRow* row = facts.snapshot().workloads.find(pod->workload);
    if (row == nullptr) return std::nullopt;
    if (row->protect) return Refused{"protected", row->id.text() + " is protected"};
    if (!pod->evictable) return Refused{"unmovable", eviction.name + " must not be evicted"};
    if (row->has_budget && row->disruptions_allowed <= 0) {
        return Refused{"budget", row->id.text() + " has a disruption budget that allows 0 now"};
    }
    if (pod->ready && !row->batch && row->ready <= 1) {
        return Refused{"last-replica",
                       eviction.name + " is the last ready replica of " + row->id.text()};
    }
    const Need need{.cpu_m = pod->cpu_request_m,
                    .memory = pod->memory_request,
                    .whose = row->id.text(),
                    .places = pod->places,
                    .pod = eviction.name};
    const std::string nowhere = nowhere_to_go(facts, pod->node, {need});
    if (!nowhere.empty()) return Refused{"fits-elsewhere", nowhere};
    return std::nullopt;
}

std::optional<Refused> first_of(std::initializer_list<std::pair<const char*, std::string>> checks) {
    for (const auto& [rule, sentence] : checks) {
        if (!sentence.empty()) return Refused{rule, sentence};
    }
    return std::nullopt;
}

std::string not_acting(const Facts& facts) {
    const model::Mode mode = facts.controls().mode;
    if (mode == model::Mode::act) return {};
    return "mode " + std::string(mode == model::Mode::observe ? "observe" : "dry-run") +
           " sends nothing";
}

}  // namespace

Answer ask(const Facts& facts, const model::Proposal& proposal) {
    Answer answer;
    if (changes_nothing(proposal.action)) return answer;
    Question question(facts, proposal);
    double least = std::numeric_limits<double>::infinity();
    for (const Rule& rule : all_rules()) {
        if (!rule.applies(question)) continue;
        ++answer.report.asked;
        if (answer.refused) continue;
        Ruling ruling = rule.ask(question);
        if (ruling.refused) {
            answer.refused = model::Refused{rule.name, std::move(*ruling.refused)};
            continue;
        }
        ++answer.report.passed;
        // Among equals the later rule: the scarcest resources are asked about last.
        if (ruling.room && *ruling.room <= least) {
            least = *ruling.room;
            answer.report.closest = std::move(ruling.closest);
        }
    }
    return answer;
}

std::optional<Refused> ask_again(const Facts& facts, const OpenAction& action,
                                 const model::Live& live) {
    auto refused = first_of({{"stop", action.undoing ? std::string() : stopped(facts)},
                             {"mode", not_acting(facts)},
                             {"leader", not_the_leader(facts)},
                             {"uid", another_one(facts, action, live)}});
    if (refused || action.undoing) return refused;
    refused = first_of({{"deadline", overdue(facts, action)}, {"api-age", api_too_old(facts)}});
    if (refused || !disruptive(action.action)) return refused;
    const auto* node = std::get_if<model::NodeId>(&action.target);
    const Slot slot = node != nullptr ? facts.slot_of(*node) : kNoSlot;
    refused = first_of({{"clock", clock_jumped(facts)},
                        {"warm-up", still_warming_up(facts)},
                        {"breaker", breaker_forbids(facts, slot)}});
    const model::Request* request = current(action);
    const auto* eviction = request != nullptr ? std::get_if<model::EvictPod>(request) : nullptr;
    if (refused || eviction == nullptr) return refused;
    return eviction_forbidden(facts, *eviction);
}

Beside::Beside(const Facts& facts) : facts_(&facts) {}

std::optional<model::Overridden> Beside::ask(const model::Proposal& proposal) const {
    if (disrupts_ && disruptive(proposal.action)) {
        return model::Overridden{"one-at-a-time", disrupts_->role,
                                 "one disruptive action at a time: " + text_of(disrupts_->action) +
                                     " " + text_of(disrupts_->target) +
                                     " was accepted in this round"};
    }
    const std::int64_t taken = replicas_taken(proposal.action);
    if (taken == 0 || !scales_down_) return std::nullopt;  // The rule itself was asked alone.
    std::string why = scale_down_forbidden(*facts_, replicas_taken_, taken);
    if (why.empty()) return std::nullopt;
    return model::Overridden{"scale-down", *scales_down_, std::move(why)};
}

void Beside::accept(const model::Proposal& proposal) {
    if (!disrupts_ && disruptive(proposal.action)) disrupts_ = proposal;
    const std::int64_t taken = replicas_taken(proposal.action);
    if (taken > 0 && !scales_down_) scales_down_ = proposal.role;
    replicas_taken_ += taken;
}

}  // namespace parley::guard
