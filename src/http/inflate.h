// HTTP, gzip: compressed pieces in, plain bytes out, never more than was allowed.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace parley::http {

/// One compressed body. Not thread-safe.
class Inflater {
public:
    /// Fails once the plain text is longer than `plain_max` bytes, however small it was compressed.
    explicit Inflater(std::uint64_t plain_max);
    ~Inflater();

    /// The plain bytes of the next piece, which may be none.
    [[nodiscard]] Result<std::string> take(std::string_view piece);
    /// Whether the body is complete; false for a truncated one.
    bool ended() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parley::http
