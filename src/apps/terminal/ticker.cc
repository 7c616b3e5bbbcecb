#include "apps/terminal/ticker.h"

#include "base/check.h"

#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace parley::app {

Ticker::Ticker(Duration period) {
    if (period <= Duration{}) return;
    descriptor_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    PARLEY_CHECK(descriptor_ >= 0);
    itimerspec spec{};
    spec.it_interval.tv_sec = period.us / 1'000'000;
    spec.it_interval.tv_nsec = period.us % 1'000'000 * 1'000;
    spec.it_value = spec.it_interval;
    PARLEY_CHECK(::timerfd_settime(descriptor_, 0, &spec, nullptr) == 0);
}

Ticker::~Ticker() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t Ticker::due() {
    if (always()) return 1;
    std::uint64_t ticks = 0;
    const ssize_t got = ::read(descriptor_, &ticks, sizeof ticks);
    return got == sizeof ticks ? ticks : 0;
}

std::uint64_t Ticker::wait() {
    if (always()) return 1;
    pollfd waits{.fd = descriptor_, .events = POLLIN, .revents = 0};
    ::poll(&waits, 1, -1);
    return due();
}

}  // namespace parley::app
