// Base: runs an awaitable to its end on an io_context of its own, and returns what it gave.

#pragma once

#include "base/check.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace parley {

/// For work that never waits for anything outside the process: the simulator, replay, tests. An
/// exception, or work that never finishes, is a bug of ours and fails a check.
template <class T>
T run(boost::asio::awaitable<T> work) {
    boost::asio::io_context loop(1);
    std::optional<T> result;
    const auto take = [&](const std::exception_ptr& thrown, T value) {
        PARLEY_CHECK(thrown == nullptr);
        result = std::move(value);
    };
    boost::asio::co_spawn(loop, std::move(work), take);
    loop.run();
    PARLEY_CHECK(result.has_value());
    return std::move(*result);
}

inline void run(boost::asio::awaitable<void> work) {
    boost::asio::io_context loop(1);
    bool done = false;
    const auto take = [&](const std::exception_ptr& thrown) {
        PARLEY_CHECK(thrown == nullptr);
        done = true;
    };
    boost::asio::co_spawn(loop, std::move(work), take);
    loop.run();
    PARLEY_CHECK(done);
}

}  // namespace parley
