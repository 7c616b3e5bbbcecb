// App: the flags of `parley compare`.

#pragma once

#include "apps/terminal/cli.h"
#include "experiment/compare.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

/// The most pairs of one scenario.
inline constexpr std::uint64_t kPairsMost = 100'000;

struct CompareFlags {
    std::vector<std::string> scenarios{"failing-node", "gray-failure", "mixed",
                                       "rack-down",    "flash-crowd",  "calm"};
    std::vector<std::string> arms{"brain", "formula", "evidence", "permuted", "never", "oracle"};
    std::vector<std::string> policies;  ///< Settings files, each an arm.
    std::int64_t pairs = 0;
    std::string length = "2h";
    std::string interval = "15s";
    std::string models;
    std::string trust;
    std::string markdown;
    std::string seeds;  ///< FIRST or FIRST-LAST; empty: those for tests.
    std::string keep;   ///< A file for the runs; empty: none.
    int threads = 1;
    double matters = 100 * experiment::kMattersShare;  ///< In percent.
    Format format = Format::table;
};

void add_compare_flags(Command& command, CompareFlags& into);

}  // namespace parley::app
