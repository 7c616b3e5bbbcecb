// Base: waiting, in monotonic time. Decisions never wait; the shells around them do.

#pragma once

#include "base/time.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace parley {

/// A moment in the future. The time left is never zero, so that it can always be passed on as a
/// limit.
class Deadline {
public:
    explicit Deadline(Duration limit)
        : end_(std::chrono::steady_clock::now() + std::chrono::microseconds(limit.us)) {}

    Duration left() const {
        const auto us = rest().count();
        return microseconds(us > 1 ? us : 1);
    }
    bool over() const { return rest().count() <= 0; }

private:
    std::chrono::microseconds rest() const {
        return std::chrono::duration_cast<std::chrono::microseconds>(
            end_ - std::chrono::steady_clock::now());
    }
    std::chrono::steady_clock::time_point end_;
};

/// Measures how long something takes.
class Stopwatch {
public:
    Duration passed() const {
        return microseconds(std::chrono::duration_cast<std::chrono::microseconds>(
                                std::chrono::steady_clock::now() - begin_)
                                .count());
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Waits; returns early only if its loop ends.
inline boost::asio::awaitable<void> pause(Duration length) {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor,
                                    std::chrono::microseconds(length.us));
    co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
}

/// Calls `then` after `limit`, unless it is destroyed before.
class Timeout {
public:
    Timeout(const boost::asio::any_io_executor& executor, Duration limit,
            std::function<void()> then)
        : timer_(executor, std::chrono::microseconds(limit.us)) {
        timer_.async_wait([then = std::move(then)](const boost::system::error_code& failed) {
            if (!failed) then();
        });
    }

private:
    boost::asio::steady_timer timer_;
};

/// Wakes every coroutine that waits for it. Must be used on one executor.
class Bell {
public:
    explicit Bell(const boost::asio::any_io_executor& executor)
        : timer_(executor, std::chrono::steady_clock::time_point::max()) {}

    boost::asio::awaitable<void> wait() {
        co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
    void ring() { timer_.cancel(); }

private:
    boost::asio::steady_timer timer_;
};

}  // namespace parley
