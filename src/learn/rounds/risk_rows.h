// Learn: rounds of recorded or simulated runs in; rows for a model of node risk out: features by
// the same fold as in serving, labels by what happened to the node.

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
    Duration gap = minutes(2);  ///< An action needs this long, so an earlier failure is too late.
    Duration horizon = minutes(30);  ///< How far ahead a failure counts.
    Duration every = minutes(1);     ///< Between two rows of a node.
    Duration settled = minutes(10);  ///< A node has been Ready for this long before it gets rows.
    Duration lasts = seconds(60);    ///< Shorter times of not Ready are not failures.
};

/// `rows` has the columns of prediction::node_feature_list(), label 1 for a failure, weight 0 for a
/// censored row and 1 otherwise; censoring_weights() computes better weights from `watched`.
struct RiskData {
    std::uint32_t feature_version = 0;
    RiskRules rules;
    Rows rows;
    std::vector<Watched> watched;       ///< One per row; a risk that was not shown counts as none.
    std::vector<std::string> entities;  ///< Names of `entity`: run and node.
    std::int32_t events = 0;            ///< Failures with at least one row.
    std::int64_t too_late = 0;          ///< Rows dropped: the failure came within the gap.
    std::int64_t failures_unseen = 0;   ///< Failures without a row.
    std::vector<Deed> deeds;
    /// The family of the fault behind each event; empty: not known.
    std::vector<std::string> families;
};

/// Watches runs, one after the other. Features of a row never use later rounds. Acting on a risk
/// hides whether it was right. A node that we drained or throttled is still watched and gets rows:
/// a failure is a failure, with or without pods, and the strongest signs come when it is already
/// drained. Only if load was the cause, it may have survived because of us, and its outcome is
/// unknown; then nodes from which the hold-out withheld an action stand for the others. Nodes that
/// others set aside are censored.
class RiskRows {
public:
    explicit RiskRows(RiskRules rules);
    ~RiskRows();
    RiskRows(RiskRows&&) noexcept;
    RiskRows& operator=(RiskRows&&) noexcept;

    /// `name` distinguishes its nodes from those of other runs; `group` goes into the rows.
    void begin_run(const std::string& name, std::int32_t group);
    /// The next round of the run, with what was decided in it, if anything was.
    void see(const model::RoundInput& input, const model::Policy& policy,
             const model::Decision* decided);
    /// Rows that are still open are censored.
    void end_run();

    RiskData finish();

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::learn
