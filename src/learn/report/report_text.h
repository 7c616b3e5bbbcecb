// Learn: a report as lines for a terminal.

#pragma once

#include "learn/report/report.h"

#include <string>

namespace parley::learn {

std::string report_text(const RiskReport& report);
std::string report_text(const DemandReport& report);

}  // namespace parley::learn
