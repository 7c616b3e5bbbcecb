// Learn: reasons to doubt the figures of a report: rows, split and report in, sentences out.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_quality.h"
#include "learn/rows/split.h"

#include <string>
#include <vector>

namespace parley::learn {

/// A single feature that ranks better than the model by this much makes the model needless.
inline constexpr double kBeatenBy = 0.005;
/// From this AUC on, a feature is the label or was derived from it.
inline constexpr double kIsLabelAuc = 0.999;
/// Share of the test's failures, and of its other rows, that are copies of earlier rows. Rows that
/// are naturally alike, such as new drives of one day, rarely fail.
inline constexpr double kCopiesShare = 0.05;

/// Warns if one feature ranks better than the model; if one is the label; if test rows are copies
/// of training rows; if most rows are censored. Needs baselines and quality of the report.
std::vector<std::string> risk_warnings(const RiskTest& test, const Split& split,
                                       const RiskReport& report);

}  // namespace parley::learn
