// Brain: models that XGBoost 1.3 to 3.2 save. Bytes of JSON or UBJSON in, a forest or the reason
// why not out.

#pragma once

#include "brain/forest.h"

#include <compare>
#include <string>
#include <string_view>

namespace parley::brain {

/// Margins were compared bit for bit with versions up to this one.
struct XgboostVersion {
    int major = 0;
    int minor = 0;
    friend auto operator<=>(const XgboostVersion&, const XgboostVersion&) = default;
};
inline constexpr XgboostVersion kNewestXgboost{3, 2};

struct XgboostModel {
    Forest forest;
    std::string version;  ///< Of the XGBoost that saved it, such as "3.2.0".
};

/// Takes one booster of kind gbtree with one output, numeric splits and an objective whose margin
/// is the answer or its log-odds. Everything else is refused in one sentence, as a model that is
/// served almost right is worse than none; likewise a file of an XGBoost newer than kNewestXgboost,
/// as what it means by the same words may differ. Uses all trees, also those behind the best
/// iteration.
[[nodiscard]] Result<XgboostModel> read_xgboost(std::string_view bytes);

}  // namespace parley::brain
