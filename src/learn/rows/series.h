// Learn: demand over time at even steps, as importers make it and demand_rows takes it.

#pragma once

#include "base/time.h"

#include <string>
#include <vector>

namespace parley::learn {

struct Series {
    std::string name;
    std::string unit;
    TimePoint start;
    Duration step;
    std::vector<double> values;  ///< NaN: not measured, or not to be graded.
};

}  // namespace parley::learn
