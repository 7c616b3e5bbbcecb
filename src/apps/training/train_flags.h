// App: which flags of `parley train` go together: what was given in, a sentence out if it is
// senseless.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <set>
#include <string>

namespace parley::app {

/// Refuses a flag that would have no effect beside the others. `given` holds names such as
/// `--trace`.
[[nodiscard]] Result<void> check_train_flags(const std::set<std::string>& given);

/// How far ahead a lost node counts: longer than acting takes, and no more than a day.
[[nodiscard]] Result<Duration> parse_horizon(const std::string& text, Duration gap);

}  // namespace parley::app
