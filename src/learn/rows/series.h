// Learn: a demand over time at even steps, as importers make it and demand_rows takes it.

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
    std::vector<double> values;  ///< NaN: nobody measured, or nobody may be graded on it.
};

}  // namespace parley::learn
