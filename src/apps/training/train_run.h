// App: one training from files to a folder: trees, calibration, report.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "learn/fit/booster.h"
#include "learn/folder/model_manifest.h"
#include "learn/rows/split.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// The user's own table, as flags name it; times are text.
struct CsvFlags {
    std::string file;  ///< Empty: none.
    std::string time;
    std::string entity;
    std::string value;
    std::string event;
    std::string step;
    std::string horizon;
    std::string features;  ///< A list for read_feature_list; empty: every column is a feature.
};

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
    CsvFlags csv;
};

/// Called with rounds done and the maximum; returning false ends the training.
using TrainWatch = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// What to print.
struct Trained {
    std::string text;
    std::string json;
};

/// A model that can be put on the shelf, complete except for what save_model sets.
struct Servable {
    learn::ModelManifest manifest;
    std::string model_bytes;
};
/// The result for a trace or a table.
struct TraceBrain {
    Trained said;
    std::string html;
    std::vector<std::string> left_out;  ///< Columns that hold text.
    std::optional<Servable> servable;   ///< If a list says which node features it reads.
};

/// Writes the rows, if the options name a file for them.
[[nodiscard]] Result<void> write_rows(Disk& disk, const TrainOptions& options,
                                      const learn::Rows& rows, const learn::Split& split);

/// Both read, train, judge and write; an error says what was not done. From a public trace, or from
/// a table if the options name one.
[[nodiscard]] Result<TraceBrain> train_risk_trace(Disk& disk, const TrainOptions& options,
                                                  const TrainWatch& watch);
[[nodiscard]] Result<TraceBrain> train_demand_trace(Disk& disk, const TrainOptions& options,
                                                    const TrainWatch& watch);

}  // namespace parley::app
