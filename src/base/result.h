// Base: what may fail outside our control is a Result; its code says what the caller does next.

#pragma once

#include "base/time.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <utility>

namespace parley {

/// Codes differ in what the caller does, not in what went wrong.
enum class ErrorCode {
    unavailable,      ///< Surely not applied. Wait, read, perhaps try again.
    unknown_outcome,  ///< A write without a clear answer. Read, and send nothing before.
    conflict,         ///< No longer what was read. Read and decide again.
    gone,             ///< The target is another one or none. Drop it; the action is moot.
    expired,          ///< Our place in a list or watch is too old. List afresh.
    blocked,          ///< A disruption budget says no and names no time. Back off, then read.
    denied,           ///< A person must change something. Give up and name it.
    malformed,        ///< It cannot be understood. Let the old value age; name the source.
};

struct Error {
    ErrorCode code = ErrorCode::malformed;
    std::string message;                  ///< One sentence: what, where, what to do.
    std::optional<Duration> retry_after;  ///< Only where the other side named a time.

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::nullopt});
}

/// Adds context in front of a message on its way up: "watching pods: certificate expired".
[[nodiscard]] inline tl::unexpected<Error> within(const std::string& context, Error error) {
    error.message = context + ": " + error.message;
    return tl::unexpected<Error>(std::move(error));
}

}  // namespace parley
