// Learn: a model that XGBoost saved, told which of our features each of its own is. A file in, the
// same trees over our features out, as a file again.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::learn {

/// Where a feature of the file comes from. Its value is ours times `times`, as float.
struct FeatureSource {
    std::uint32_t place = 0;  ///< In our list.
    float times = 1;          ///< From our unit to the one that the model was trained in; above 0.
};

/// `sources` has one entry per feature of the file, and `names` one per feature of ours. Splits ask
/// for our features, at thresholds that send every value where the file would send it after it was
/// converted, bit for bit. All else of the file stays as it is. Refuses what read_xgboost refuses.
[[nodiscard]] Result<std::string> remap_xgboost(std::string_view bytes,
                                                const std::vector<FeatureSource>& sources,
                                                const std::vector<std::string>& names);

/// The smallest x with x * times >= threshold, all in float: x is below it where x * times is below
/// `threshold`.
float threshold_before(float threshold, float times);

}  // namespace parley::learn
