// Learn: rounds of recorded or simulated runs in, rows for a model of demand out, one set for each
// horizon: features by the fold that serves, labels by what came.

#pragma once

#include "base/result.h"
#include "learn/rows/demand_rows.h"
#include "model/demand.h"
#include "model/round.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::learn {

struct DemandRules {
    std::int64_t every_min = 5;  ///< Minutes between two rows of a series.
};

/// `horizons` by model::kDemandHorizonsMin. Rows of a series stand together, in order of time;
/// entities are series, groups are runs. A row weighs its scale over the usual error of persistence
/// in its series, at most 20.
struct DemandData {
    std::uint32_t feature_version = 0;
    DemandRules rules;
    std::array<DemandRows, model::kDemandHorizons> horizons;
    std::vector<std::string> entities;  ///< Names of `entity`: run, kind and object.
    std::uint64_t bounded = 0;  ///< Rows dropped: use was at its limit, and so a lower bound.
    std::uint64_t unknown = 0;  ///< Rows dropped: what came was not measured, or the record ended.
};

/// Watches runs go by, one after the other. What comes later never reaches a row's features.
class DemandRecord {
public:
    explicit DemandRecord(DemandRules rules);
    ~DemandRecord();
    DemandRecord(DemandRecord&&) noexcept;
    DemandRecord& operator=(DemandRecord&&) noexcept;

    /// `name` tells its series from those of other runs; `group` goes into the rows.
    void begin_run(const std::string& name, std::int32_t group);
    /// The next round. Fails on a node or workload without a uid: it could not be told from
    /// another.
    [[nodiscard]] Result<void> see(const model::RoundInput& input, const model::Policy& policy);
    void end_run();

    DemandData finish();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

/// Whole runs where there are at least kGroupsMin, else slices of time with an embargo of the
/// horizon and its lead. `horizon` is a place in kDemandHorizonsMin.
[[nodiscard]] Result<Split> split_demand(const DemandData& data, std::size_t horizon);

}  // namespace parley::learn
