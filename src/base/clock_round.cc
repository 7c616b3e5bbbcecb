#include "base/clock_round.h"

#include <algorithm>
#include <ctime>
#include <utility>

namespace parley {
namespace {

std::int64_t read_us(clockid_t which) {
    timespec time{};
    ::clock_gettime(which, &time);
    return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1'000;
}

/// The two clocks are read one after the other; if the thread was interrupted in between, both are
/// read again.
constexpr int kTries = 5;
constexpr std::int64_t kApartUs = 1'000;

Duration offset_of(const ClockReading& read) { return microseconds(read.wall.us - read.boot.us); }

}  // namespace

ClockReading read_clocks() {
    ClockReading read;
    for (int i = 0; i < kTries; ++i) {
        const std::int64_t before = read_us(CLOCK_BOOTTIME);
        read.wall = {read_us(CLOCK_REALTIME)};
        const std::int64_t after = read_us(CLOCK_BOOTTIME);
        read.boot = microseconds(before + (after - before) / 2);
        if (after - before < kApartUs) break;
    }
    return read;
}

RoundClock::RoundClock(Read read)
    : read_(std::move(read)), last_(read_()), time_(last_.wall), offset_(offset_of(last_)) {}

void RoundClock::move_on(const ClockReading& to) {
    const Duration passed = std::max(Duration{}, to.boot - last_.boot);
    last_ = to;
    time_ = time_ + passed;
    const Duration off = to.wall - time_;
    const Duration most = passed / kSlewOneIn;
    time_ = off > kAdoptFrom ? to.wall : time_ + std::clamp(off, Duration{} - most, most);
}

TimePoint RoundClock::now() {
    move_on(read_());
    return time_;
}

TimePoint RoundClock::ours(TimePoint wall) {
    move_on(read_());
    return time_ - (last_.wall - wall);
}

void RoundClock::not_before(TimePoint least) {
    move_on(read_());
    if (least <= time_) return;
    offset_ = offset_ + (least - time_);  // For this run, it is as if the clock had been set back.
    time_ = least;
}

Duration RoundClock::step() {
    move_on(read_());
    const Duration found = offset_of(last_) - offset_;
    if (found <= kStepLeast && found >= Duration{} - kStepLeast) return {};
    offset_ = offset_of(last_);
    return found;
}

}  // namespace parley
