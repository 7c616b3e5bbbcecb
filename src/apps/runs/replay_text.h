// App: the result of a replay, as text.

#pragma once

#include "replay/replay.h"

#include <string>

namespace parley::app {

/// Whether every decision came out the same, or where the first difference is.
std::string comparison_text(const replay::Report& report);

/// Which rounds another policy would have decided differently; the first `most` of them.
std::string changes_text(const replay::Report& report, std::size_t most = 40);

}  // namespace parley::app
