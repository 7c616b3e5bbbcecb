// Learn: what makes the figures of a report doubtful: rows, split and report in, sentences out.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_quality.h"
#include "learn/rows/split.h"

#include <string>
#include <vector>

namespace parley::learn {

/// A feature that ranks better than the model by so much makes it needless.
inline constexpr double kBeatenBy = 0.005;
/// From this AUC on a feature is the label, or was made from it.
inline constexpr double kIsLabelAuc = 0.999;
/// Of failures in the test and of its other rows, as copies of rows before it. What looks alike by
/// nature, such as new drives of one day, rarely fails.
inline constexpr double kCopiesShare = 0.05;

/// Says that one feature ranks better than the model does; that one is the label; that rows of the
/// test are copies of rows that trained; that most rows are censored. Baselines and quality of the
/// report must be there already.
std::vector<std::string> risk_warnings(const RiskTest& test, const Split& split,
                                       const RiskReport& report);

}  // namespace parley::learn
