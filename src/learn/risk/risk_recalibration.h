// Learn: corrects the calibration of a served model by the outcomes of rows like those it serves.
// For clusters with too few failures to train trees.

#pragma once

#include "brain/model.h"
#include "learn/report/report.h"
#include "learn/risk/risk_trainer.h"

#include <optional>

namespace parley::learn {

/// What the rows say about the model. Figures are of the newest fifth, to which the correction they
/// are judged with was not fitted.
struct RecalibrationReport {
    DataFacts data;
    std::string model;    ///< The model whose trees are kept.
    double failures = 0;  ///< By weight, each counting once.
    double expected = 0;  ///< By the model before the correction.
    double a = 0;         ///< logit p' = a + b * logit p; 0 and 1 if nothing changes.
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
/// is the most rows that one failure has: together they count 1. Refuses rows with other columns
/// than the model wants, and fewer than ten failures seen or expected.
[[nodiscard]] Result<RecalibratedRisk> recalibrate_risk(const brain::Model& model, const Rows& rows,
                                                        double per_failure,
                                                        const RiskOptions& options);

}  // namespace parley::learn
