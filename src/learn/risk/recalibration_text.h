// Learn: the result of a recalibration, as text.

#pragma once

#include "learn/risk/risk_recalibration.h"

#include <string>

namespace parley::learn {

std::string recalibration_text(const RecalibrationReport& report);

}  // namespace parley::learn
