// Learn: a served model and what came of rows like those it serves in, its calibration corrected
// out. For clusters with too few failures to learn trees from.

#pragma once

#include "brain/model.h"
#include "learn/report/report.h"
#include "learn/risk/risk_trainer.h"

#include <optional>

namespace parley::learn {

/// What the rows say of the model; figures of the newest fifth, which the correction that they are
/// judged with was not fitted to.
struct RecalibrationReport {
    DataFacts data;
    std::string model;    ///< Whose trees stay as they are.
    double failures = 0;  ///< By weight, each counting once.
    double expected = 0;  ///< As the model was.
    double a = 0;         ///< logit p' = a + b * logit p; 0 and 1 where nothing changes.
    double b = 1;
    bool changed = false;  ///< Whether the correction lowers the log-loss of the newest fifth.
    RiskQuality before;
    RiskQuality after;
};
BOOST_DESCRIBE_STRUCT(RecalibrationReport, (),
                      (data, model, failures, expected, a, b, changed, before, after))

struct RecalibratedRisk {
    brain::Calibration calibration;
    RecalibrationReport report;
};

/// Fits what brain::recalibrate() fits while serving, to all rows in order of time. `per_failure`
/// is how many rows one failure has at most: together they count 1. Refuses rows with other columns
/// than the model wants, and fewer than ten failures either seen or expected.
[[nodiscard]] Result<RecalibratedRisk> recalibrate_risk(const brain::Model& model, const Rows& rows,
                                                        double per_failure,
                                                        const RiskOptions& options);

}  // namespace parley::learn
