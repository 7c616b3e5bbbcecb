// Learn: a report as one HTML file that needs nothing else: no script, no network, plots inside.

#pragma once

#include "learn/report/report.h"

#include <string>

namespace parley::learn {

std::string report_html(const RiskReport& report);
std::string report_html(const DemandReport& report);

}  // namespace parley::learn
