// Web: a value shared by several threads, used by one at a time.

#pragma once

#include <mutex>
#include <utility>

namespace parley::web {

template <class T>
class Guarded {
public:
    template <class... Args>
    explicit Guarded(Args&&... args) : value_(std::forward<Args>(args)...) {}

    /// Calls the function with exclusive access to the value. Returns a copy.
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
