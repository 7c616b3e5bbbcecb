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
Duration size_of(Duration any) { return std::max(any, Duration{} - any); }
bool is_step(Duration any) { return size_of(any) > kStepLeast; }

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

void RoundClock::move_on() {
    const ClockReading to = read_();
    time_ = time_ + std::max(Duration{}, to.boot - last_.boot);
    last_ = to;
    const Duration apart = to.wall - time_;
    if (!is_step(apart - others_)) others_ = apart;
}

TimePoint RoundClock::now() {
    move_on();
    return time_;
}

Duration RoundClock::others() {
    move_on();
    return others_;
}

Duration RoundClock::wall() {
    move_on();
    return last_.wall - time_;
}

void RoundClock::heard(std::optional<Duration> ahead) {
    const Duration after = wall();
    if (!ahead || size_of(*ahead - after) < size_of(*ahead - others_)) others_ = after;
}

void RoundClock::not_before(TimePoint least) {
    move_on();
    if (least <= time_) return;
    const Duration by = least - time_;  // For this run, it is as if the clock had been set back.
    offset_ = offset_ + by;
    others_ = others_ - by;
    time_ = least;
}

Duration RoundClock::step() {
    move_on();
    const Duration found = offset_of(last_) - offset_;
    if (!is_step(found)) return {};
    offset_ = offset_of(last_);
    return found;
}

}  // namespace parley
