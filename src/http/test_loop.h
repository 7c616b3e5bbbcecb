// HTTP, for tests: an event loop on which a server keeps running while questions are asked one by
// one.

#pragma once

#include "base/check.h"
#include "base/clock_wait.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace parley::http {

class TestLoop {
public:
    boost::asio::io_context& context() { return io_; }
    boost::asio::any_io_executor executor() { return io_.get_executor(); }

    /// Runs the work and returns its result; gives up after 20 s.
    template <class T>
    T ask(boost::asio::awaitable<T> work) {
        std::optional<T> result;
        const auto take = [&](const std::exception_ptr& thrown, T value) {
            PARLEY_CHECK(thrown == nullptr);
            result.emplace(std::move(value));
        };
        boost::asio::co_spawn(io_, std::move(work), take);
        const Deadline deadline(seconds(20));
        while (!result && !deadline.over()) {
            io_.run_one_for(std::chrono::seconds(1));
        }
        PARLEY_CHECK(result.has_value());
        return *std::move(result);
    }

private:
    boost::asio::io_context io_{1};
};

}  // namespace parley::http
