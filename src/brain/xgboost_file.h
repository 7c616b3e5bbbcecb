// Brain: reads models that XGBoost 1.3 to 3.2 save. Bytes of JSON or UBJSON in; a forest, or why it
// is refused, out.

#pragma once

#include "brain/forest.h"

#include <compare>
#include <string>
#include <string_view>

namespace parley::brain {

/// The newest version whose margins were compared with ours bit for bit.
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
/// is the answer or its log-odds. Everything else is refused in one sentence, since a model that is
/// served almost right is worse than none; so is a file of an XGBoost newer than kNewestXgboost,
/// which may mean something else by the same words. Uses all trees, also those after the best
/// iteration.
[[nodiscard]] Result<XgboostModel> read_xgboost(std::string_view bytes);

}  // namespace parley::brain
