// Web: a value that several threads share, one at a time: what is to be done with it in, what comes
// of that out.

#pragma once

#include <mutex>
#include <utility>

namespace parley::web {

template <class T>
class Guarded {
public:
    template <class... Args>
    explicit Guarded(Args&&... args) : value_(std::forward<Args>(args)...) {}

    /// Nobody else has the value meanwhile. What is given out is a copy.
    template <class F>
    auto with(F&& f) {
        const std::lock_guard lock(mutex_);
        return std::forward<F>(f)(value_);
    }
    template <class F>
    auto with(F&& f) const {
        const std::lock_guard lock(mutex_);
        return std::forward<F>(f)(value_);
    }

private:
    mutable std::mutex mutex_;
    T value_;
};

}  // namespace parley::web
