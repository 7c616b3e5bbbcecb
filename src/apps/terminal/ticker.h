// App: waits at a fixed period, and counts missed ticks.

#pragma once

#include "base/time.h"

#include <cstdint>

namespace parley::app {

/// A timer of the system, as a descriptor that can be polled with others.
class Ticker {
public:
    /// The first tick is one period from now. A period of zero is always due.
    explicit Ticker(Duration period);
    ~Ticker();
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

    /// Ticks since the last call; returns at once.
    std::uint64_t due();
    /// Waits for the next tick or a signal; returns like due().
    std::uint64_t wait();

    int descriptor() const { return descriptor_; }
    bool always() const { return descriptor_ < 0; }

private:
    int descriptor_ = -1;
};

}  // namespace parley::app
