// Web: a part of a run as a file, JSON or CSV.

#pragma once

#include "web/serve/api.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// `what` is round, events, scores or nodes; `format` json or csv.
Answer export_answer(const ServedRun& run, const Route& route);

/// A line with its end. Text that a spreadsheet would take for a formula is prefixed with a quote.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace parley::web
