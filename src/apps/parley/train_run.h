// App: one training from files to a folder: trees, calibration, report.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "learn/split.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace parley::app {

struct TrainOptions {
    std::string trace;              ///< Its name in the catalogue.
    std::vector<std::string> from;  ///< Its files.
    std::string out;                ///< The folder to write; empty: none.
    std::string report;             ///< An HTML file; empty: none.
    std::string rows;               ///< A file for the rows themselves; empty: none.
    std::uint64_t seed = 0;
    int threads = 1;
    int depth = 5;
    int rounds = 1'000;
};

/// Rounds done of those there may be; false ends the training.
using TrainWatch = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// What there is to print.
struct Trained {
    std::string text;
    std::string json;
};

/// Writes the rows where the options name a file for them.
[[nodiscard]] Result<void> write_rows(Disk& disk, const TrainOptions& options,
                                      const learn::Rows& rows, const learn::Split& split);

/// Both read, train, judge and write; an error says what was not done.
[[nodiscard]] Result<Trained> train_risk_trace(Disk& disk, const TrainOptions& options,
                                               const TrainWatch& watch);
[[nodiscard]] Result<Trained> train_demand_trace(Disk& disk, const TrainOptions& options,
                                                 const TrainWatch& watch);

}  // namespace parley::app
