// Kube, agent C's orders as objects of ours: the ConfigMap that our admission policies read, and
// the quota that holds the number of Jobs of a namespace. Pure.

#pragma once

#include "base/result.h"
#include "model/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

/// In our home namespace; deploy/admission reads it by this name.
inline constexpr std::string_view kAdmissionName = "parley-admission";
/// In every namespace that a cap is for.
inline constexpr std::string_view kQuotaName = "parley-batch-cap";

/// What a write to an object of ours rests on.
struct OwnObject {
    std::string uid;      ///< As the server writes it.
    std::string version;  ///< Likewise.
};

struct AdmissionSeen {
    OwnObject object;
    model::SetAdmission order;
};

/// `denied`: the ConfigMap is somebody else's. One of ours that cannot be read admits, as our
/// policies do by it.
[[nodiscard]] Result<AdmissionSeen> read_admission(std::string_view body);

/// `seen` is null for one that is not there yet.
std::string admission_body(std::string_view home, const model::SetAdmission& order,
                           const AdmissionSeen* seen);

/// Whether what is wanted is in force, or, for an order to admit, nothing else is. `found` is null
/// if there is no ConfigMap.
bool in_force(const model::SetAdmission& wanted, const model::SetAdmission* found, TimePoint now);

struct QuotaSeen {
    std::string space;
    OwnObject object;
    model::DecisionId decision;  ///< None: its mark cannot be read.
    TimePoint expires;
};

/// Ours in an answer to a list of quotas. A name that is ours without our label is passed over.
[[nodiscard]] Result<std::vector<QuotaSeen>> read_quotas(std::string_view body);

/// How many objects there are, by a page of a list: those on it and those said to follow.
[[nodiscard]] Result<std::int64_t> count_of(std::string_view page);

/// A cap lifts where it is at everything.
bool lifts(const model::SetBatchCap& cap);

/// No more Jobs than `jobs`, which are there now: a quota below what is used would stop retries of
/// Jobs that were begun. `seen` as above.
std::string quota_body(std::string_view space, const model::SetBatchCap& cap, std::int64_t jobs,
                       const QuotaSeen* seen);

/// What deletes exactly the object that was seen.
std::string deletion_body(const OwnObject& object);

}  // namespace parley::kube
