// Guard: the shape of a rule. A question in; out comes a pass, with how much room is left, or a
// refusal.

#pragma once

#include "guard/facts.h"
#include "guard/pods.h"
#include "model/proposal.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::guard {

/// One proposal, and what rules look up about it. Borrows everything.
class Question {
public:
    Question(const Facts& of, const model::Proposal& proposal)
        : facts(of), action(proposal.action), target(proposal.target) {
        if (const auto* id = std::get_if<model::NodeId>(&target)) {
            slot = facts.slot_of(*id);
            node = facts.snapshot().nodes.find(slot);
        } else if (const auto* workload_id = std::get_if<model::WorkloadId>(&target)) {
            workload = facts.snapshot().workloads.find(facts.slot_of(*workload_id));
        }
    }

    /// The tenants of the target node. Reads the table of pods when first called.
    const std::vector<Tenant>& tenants() {
        if (!tenants_) tenants_ = tenants_of(facts.snapshot(), slot);
        return tenants_.value();
    }

    const Facts& facts;
    const model::Action& action;
    const model::Target& target;
    Slot slot = kNoSlot;                           ///< The slot of the target, if it is a node.
    const model::NodeRow* node = nullptr;          ///< The target, if it is a known node.
    const model::WorkloadRow* workload = nullptr;  ///< The target, if it is a known workload.

private:
    std::optional<std::vector<Tenant>> tenants_;
};

struct Ruling {
    std::optional<std::string> refused;  ///< Nothing: it passes.
    /// The share of its limit that is left; nothing: the rule has no limit.
    std::optional<double> room;
    std::string closest;  ///< The same in words.
};

inline Ruling pass() { return {}; }
inline Ruling pass(double room, std::string closest) {
    return {.refused = {}, .room = room, .closest = std::move(closest)};
}
/// How much of a limit is left, as a share of it.
inline double room_below(double value, double limit) { return 1 - value / limit; }
inline Ruling refuse(std::string sentence) { return {.refused = std::move(sentence)}; }
/// Refuses with this sentence, or passes if it is empty.
inline Ruling by(std::string sentence) {
    return sentence.empty() ? pass() : refuse(std::move(sentence));
}

/// A rule that does not apply is not asked. Rules after "target" may rely on the target being
/// known.
struct Rule {
    const char* name;
    bool (*applies)(const Question&);
    Ruling (*ask)(Question&);
};

// Properties of actions.

template <class T>
bool is(const Question& q) {
    return std::holds_alternative<T>(q.action);
}
inline bool always(const Question&) { return true; }
inline bool disrupts(const Question& q) { return disruptive(q.action); }
inline bool powers_down(const Question& q) { return is<model::PowerState>(q) && disrupts(q); }
inline bool scales_down(const Question& q) {
    const auto* scale = std::get_if<model::Scale>(&q.action);
    return scale != nullptr && shrinks(*scale);
}
/// Capacity gets less, if only for a while.
inline bool takes_away(const Question& q) { return disrupts(q) || scales_down(q); }
/// Pods have to leave the node.
inline bool drains(const Question& q) { return is<model::Migrate>(q) || powers_down(q); }
/// Done to one node.
inline bool acts_on_node(const Question& q) {
    return is<model::Replicate>(q) || is<model::Migrate>(q) || is<model::Throttle>(q) ||
           is<model::PowerState>(q) || is<model::Dvfs>(q) || is<model::MemoryBalloon>(q);
}
/// Proposed because a node may fail.
inline bool rests_on_risk(const Question& q) {
    return is<model::Replicate>(q) || is<model::Migrate>(q) || is<model::Throttle>(q);
}
/// Proposed because little is used. Waking a node is excluded: a sleeping node has no samples.
inline bool saves(const Question& q) {
    return powers_down(q) || is<model::Dvfs>(q) || is<model::MemoryBalloon>(q);
}
/// "3 of 5 allowed".
inline std::string of_allowed(std::int64_t count, std::int64_t most) {
    return std::to_string(count) + " of " + std::to_string(most) + " allowed";
}
inline bool on_its_way(const model::OpenAction& action) { return !is_final(action.state); }

inline bool rests_on_metrics(const Question& q) { return saves(q) || is<model::Scale>(q); }

}  // namespace parley::guard
