// Kube, webhook: what the API server asks about a new object in, our answer out. Pure.

#pragma once

#include "base/result.h"
#include "model/request.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::kube {

/// The API server takes objects of up to 1.5 MiB, and a review may hold one twice.
inline constexpr std::size_t kReviewBytesMax = std::size_t{3} << 20;

/// The class of deploy/admission/priority-class.yaml.
inline constexpr std::string_view kBatchClass = "parley-batch";

/// By the same rules as deploy/admission/queue.yaml: a new Job of a namespace that the order names
/// is created suspended (queue) or gets our class (deprioritize), with our mark. Whatever is odd is
/// allowed as it came: no Job may fail because of us. `malformed`: there is no review with an id,
/// so that nothing could be answered; the API server then goes on without us.
[[nodiscard]] Result<std::string> admission_answer(std::string_view review,
                                                   const model::SetAdmission& order, TimePoint now);

}  // namespace parley::kube
