// Web: a run and what of it is wanted in, a file out: JSON or CSV.

#pragma once

#include "web/serve/api.h"

#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// `what` is round, events, scores or nodes; `format` json or csv.
Answer export_answer(const ServedRun& run, const Route& route);

/// A line with its end. What a spreadsheet would take for a formula is kept from it by a quote.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace parley::web
