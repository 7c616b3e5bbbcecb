// App: a comparison of policies as people read it.

#pragma once

#include "experiment/compare.h"

#include <string>

namespace parley::app {

/// Two tables: the results of each arm, and how the first compares with each other one.
std::string compare_text(const experiment::CompareReport& report);

/// The same as Markdown, for docs/.
std::string compare_markdown(const experiment::CompareReport& report);

}  // namespace parley::app
