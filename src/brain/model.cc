#include "brain/model.h"

#include "base/check.h"

#include <algorithm>

namespace parley::brain {

double half_width(const DemandForest& forest, double miss) {
    PARLEY_CHECK(!forest.errors.empty());
    const auto last = static_cast<double>(forest.errors.size() - 1);
    const double at = std::clamp((1.0 - miss) * last, 0.0, last);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, forest.errors.size() - 1);
    const double part = at - static_cast<double>(below);
    return forest.errors[below] + part * (forest.errors[above] - forest.errors[below]);
}

}  // namespace parley::brain
