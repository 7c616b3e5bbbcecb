// Kube, lines of a watch: bytes as they come in, whole lines out. Pure.

#pragma once

#include "base/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

/// Collects bytes until a line is whole. A line over `line_max` is refused.
class Frames {
public:
    explicit Frames(std::size_t line_max) : line_max_(line_max) {}

    [[nodiscard]] Result<void> add(std::string_view bytes);
    /// The next complete line that is not empty, valid until add() is called; nothing: more bytes
    /// are needed.
    std::optional<std::string_view> next();
    /// Bytes of a line whose end has not arrived.
    std::size_t pending() const { return bytes_.size() - begin_; }

private:
    std::size_t line_max_;
    std::string bytes_;
    std::size_t begin_ = 0;    ///< Where the bytes not handed out yet begin.
    std::size_t scanned_ = 0;  ///< Up to here there is no further line end.
};

}  // namespace parley::kube
