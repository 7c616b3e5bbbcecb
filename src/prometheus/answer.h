// Prometheus, answers: the JSON of an instant query in; series with the needed labels out. Pure.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::prometheus {

inline constexpr std::size_t kAnswerBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kSeriesMax = 200'000;
inline constexpr double kSecondsMax = 1e11;  ///< The year 5138; later values are not times.

struct Label {
    std::string name;
    std::string value;
    friend bool operator==(const Label&, const Label&) = default;
};

struct Series {
    std::vector<Label> labels;  ///< Those asked for that it has; an empty one counts as missing.
    /// Over all labels except the name: equal in two answers means the same series.
    std::uint64_t fingerprint = 0;
    std::optional<double> value;  ///< Finite. Nothing: NaN, an infinity, no number, a histogram.

    /// Null: it has no such label, or it was not asked for.
    const std::string* label(std::string_view name) const;
};

struct Answer {
    /// When it was evaluated, by its own clock; nothing: there are no numbers.
    std::optional<TimePoint> at;
    std::vector<Series> series;         ///< A scalar is one without labels.
    std::vector<std::string> warnings;  ///< That it may be incomplete; a few, one line each.
};

/// `malformed`: truncated, too large, of another shape, or a duplicate label. What Prometheus
/// itself refuses is `denied`, or `unavailable` if it may pass.
[[nodiscard]] Result<Answer> decode_answer(std::string_view body,
                                           const std::vector<std::string>& labels);

/// Foreign text for a message of ours: one line, at most 200 characters.
std::string in_one_line(std::string_view text);

}  // namespace parley::prometheus
