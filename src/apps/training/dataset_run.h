// App: what `parley dataset` says about the rows it built, and the rows in a form for other
// programs.

#pragma once

#include "learn/rounds/demand_record.h"
#include "learn/rounds/risk_rows.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

struct RiskDataset {
    std::uint64_t rows = 0;
    std::uint64_t positives = 0;
    std::uint64_t censored = 0;
    /// Left out: the failure came before an action could have finished.
    std::uint64_t too_late = 0;
    std::int64_t failures = 0;
    std::int64_t failures_without_rows = 0;
    std::uint64_t nodes = 0;
    std::uint32_t feature_version = 0;
    std::vector<learn::Column> columns;
    std::string split;  ///< The rule, or why there is none.
};
BOOST_DESCRIBE_STRUCT(RiskDataset, (),
                      (rows, positives, censored, too_late, failures, failures_without_rows, nodes,
                       feature_version, columns, split))

/// Rows of one horizon.
struct DemandSlice {
    double minutes = 0;
    std::uint64_t rows = 0;
    std::uint64_t train = 0;
    std::uint64_t stop = 0;
    std::uint64_t calibrate = 0;
    std::uint64_t test = 0;
    /// Within the embargo between two slices; all if there is no split.
    std::uint64_t left_out = 0;
    std::string split;  ///< The rule, or why there is none.
    std::string fingerprint;
};
BOOST_DESCRIBE_STRUCT(DemandSlice, (),
                      (minutes, rows, train, stop, calibrate, test, left_out, split, fingerprint))

struct DemandDataset {
    std::vector<DemandSlice> horizons;
    std::uint64_t series = 0;
    std::uint64_t bounded = 0;  ///< Rows left out: use was at its limit.
    std::uint64_t unknown = 0;  ///< Rows left out: the outcome is not known.
    std::uint32_t feature_version = 0;
    std::vector<learn::Column> columns;
};
BOOST_DESCRIBE_STRUCT(DemandDataset, (),
                      (horizons, series, bounded, unknown, feature_version, columns))

/// Rows are useful even if they are too few to train on: then none is in any part, and the rule
/// says so.
learn::Split split_or_none(const learn::Rows& rows, Result<learn::Split> split);

RiskDataset facts_of(const learn::RiskData& data, const std::string& rule);
std::string text_of(const RiskDataset& facts);

/// Fails if there is no row, or rows are not what a trainer may rely on.
[[nodiscard]] Result<DemandDataset> facts_of(const learn::DemandData& data);
std::string text_of(const DemandDataset& facts);

/// What to print and to write.
struct Dataset {
    std::string text;
    std::string json;
    std::string rows;  ///< From dump_rows(); empty unless wanted.
};
Dataset dataset_of(const learn::RiskData& data, bool with_rows);
/// The rows are those of the longest horizon. Fails as facts_of().
[[nodiscard]] Result<Dataset> dataset_of(const learn::DemandData& data, bool with_rows);

}  // namespace parley::app
