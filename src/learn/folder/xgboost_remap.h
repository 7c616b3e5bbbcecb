// Learn: maps the features of a model that XGBoost saved to ours: a file in, the same trees over
// our features out, as a file again.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::learn {

/// The feature of ours behind a feature of the file. Its value is ours times `times`, as float.
struct FeatureSource {
    std::uint32_t place = 0;  ///< In our list.
    float times = 1;          ///< From our unit to that of the model's training; above 0.
};

/// `sources` has one entry per feature of the file, `names` one per feature of ours. Splits then
/// ask for our features, with thresholds that send every value exactly where the file would send
/// the converted one. Everything else stays as it is. Refuses what read_xgboost refuses.
[[nodiscard]] Result<std::string> remap_xgboost(std::string_view bytes,
                                                const std::vector<FeatureSource>& sources,
                                                const std::vector<std::string>& names);

/// The smallest x with x * times >= threshold, all in float: x is below it exactly if x * times is
/// below `threshold`.
float threshold_before(float threshold, float times);

}  // namespace parley::learn
