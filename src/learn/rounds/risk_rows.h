// Learn: rounds of recorded or simulated runs in, rows for a model of node risk out: features by
// the fold that serves, labels by what came of the node.

#pragma once

#include "learn/rows/censoring.h"
#include "learn/rows/deeds.h"
#include "learn/rows/rows.h"
#include "model/round.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::learn {

struct RiskRules {
    Duration gap = minutes(2);       ///< An action needs this long: a failure sooner is too late.
    Duration horizon = minutes(30);  ///< How far ahead a failure counts.
    Duration every = minutes(1);     ///< Between two rows of a node.
    Duration settled = minutes(10);  ///< A node has been Ready for this long before it gets rows.
    Duration lasts = seconds(60);    ///< Not Ready for less is no failure.
};

/// `rows` has columns by prediction::node_feature_list(), label 1 for a failure, weight 0 for a
/// censored row and 1 otherwise; censoring_weights() makes better ones of `watched`.
struct RiskData {
    std::uint32_t feature_version = 0;
    RiskRules rules;
    Rows rows;
    std::vector<Watched> watched;       ///< One per row; no risk shown counts as none.
    std::vector<std::string> entities;  ///< Names of `entity`: run and node.
    std::int32_t events = 0;            ///< Failures with at least one row.
    std::int64_t too_late = 0;          ///< Rows dropped: the failure came within the gap.
    std::int64_t failures_unseen = 0;   ///< Failures without a row.
    std::vector<Deed> deeds;
    std::vector<std::string> families;  ///< Of the fault behind each event; empty: nobody knows.
};

/// Watches runs go by, one after the other. What a node does later never reaches a row's features.
///
/// Acting on risk hides what it predicted. A node that we drained or throttled stays under watch
/// and goes on having rows: failing is failing, with or without pods, and the strongest signs come
/// when it is drained already. Only where load was the cause, survival may be owed to us, and
/// nothing is known; there the nodes from which the hold-out withheld an action stand for the
/// others. Who was set aside by others is censored.
class RiskRows {
public:
    explicit RiskRows(RiskRules rules);
    ~RiskRows();
    RiskRows(RiskRows&&) noexcept;
    RiskRows& operator=(RiskRows&&) noexcept;

    /// `name` tells its nodes from those of other runs; `group` goes into the rows.
    void begin_run(const std::string& name, std::int32_t group);
    /// The next round of the run, with what was decided in it, if anything was.
    void see(const model::RoundInput& input, const model::Policy& policy,
             const model::Decision* decided);
    /// What is still open is censored.
    void end_run();

    RiskData finish();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::learn
