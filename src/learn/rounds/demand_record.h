// Learn: rounds of recorded or simulated runs in; rows for a model of demand out, one set per
// horizon: features by the same fold as in serving, labels by what came.

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

/// `horizons` as in model::kDemandHorizonsMin. Rows of a series are adjacent, in order of time;
/// entities are series, groups are runs. A row weighs its scale over the usual error of persistence
/// in its series, at most 20.
struct DemandData {
    std::uint32_t feature_version = 0;
    DemandRules rules;
    std::array<DemandRows, model::kDemandHorizons> horizons;
    std::vector<std::string> entities;  ///< Names of `entity`: run, kind and object.
    /// Rows dropped because use was at its limit, so only a lower bound.
    std::uint64_t bounded = 0;
    /// Rows dropped because the outcome was not measured, or the record ended.
    std::uint64_t unknown = 0;
    Duration longest;  ///< Of the runs, from their first to their last round.
};

/// How long a run must be to have rows of a horizon, wherever in the hour it begins. `horizon` is
/// an index into kDemandHorizonsMin.
Duration demand_needs(std::size_t horizon, const DemandRules& rules = {});

/// Watches runs, one after the other. Features of a row never use later rounds.
class DemandRecord {
public:
    explicit DemandRecord(DemandRules rules);
    ~DemandRecord();
    DemandRecord(DemandRecord&&) noexcept;
    DemandRecord& operator=(DemandRecord&&) noexcept;

    /// `name` distinguishes its series from those of other runs; `group` goes into the rows.
    void begin_run(const std::string& name, std::int32_t group);
    /// The next round. Fails for a node or workload without a uid, which could not be told from
    /// another.
    [[nodiscard]] Result<void> see(const model::RoundInput& input, const model::Policy& policy);
    void end_run();

    DemandData finish();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

/// Whole runs if there are at least kGroupsMin, else slices of time with an embargo of the horizon
/// and its lead. `horizon` is an index into kDemandHorizonsMin.
[[nodiscard]] Result<Split> split_demand(const DemandData& data, std::size_t horizon);

}  // namespace parley::learn
