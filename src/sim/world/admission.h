// Simulation, admission of Jobs: decides about a new Job by the standing order. The same function
// that a webhook on a real cluster would apply.

#pragma once

#include "base/time.h"
#include "model/action.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace parley::sim {

/// What holds for new Jobs until it expires.
struct AdmissionOrder {
    model::AdmissionWish mode = model::AdmissionWish::admit;
    model::DecisionId decision;
    TimePoint until;
    std::vector<Name> spaces = {};  ///< The namespaces it applies to; empty: all.

    friend bool operator==(const AdmissionOrder&, const AdmissionOrder&) = default;
};

/// Jobs above this priority are always admitted as they are.
inline constexpr std::int32_t kUrgentPriority = 1'000'000;
/// The lowest class that a Job may be given: below it the scheduler would never preempt for others.
inline constexpr std::int32_t kLowPriority = -10;

struct NewJob {
    std::string_view space;
    std::int32_t priority = 0;
};

struct Admitted {
    model::AdmissionWish verdict = model::AdmissionWish::admit;
    std::int32_t priority = 0;  ///< Of its pods.

    friend bool operator==(const Admitted&, const Admitted&) = default;
};

/// Whether a list of namespaces includes this one; an empty list means all.
bool meant_for(const std::vector<Name>& spaces, std::string_view space);

/// An order that has expired admits everything; so does any order for kube-system, for urgent Jobs
/// and for namespaces that it does not name.
Admitted admit(const AdmissionOrder& order, const NewJob& job, TimePoint now);

}  // namespace parley::sim
