#include "model/container.h"

#include <algorithm>
#include <limits>

namespace parley::model {
namespace {

template <class Small>
Small fitted(std::int64_t value) {
    const std::int64_t most = std::numeric_limits<Small>::max();
    return static_cast<Small>(std::clamp<std::int64_t>(value, 0, most));
}

}  // namespace

After After::of(TimePoint created, TimePoint at) {
    const std::int64_t past = std::max<std::int64_t>((at - created).us / 1'000'000, 0);
    return {fitted<std::uint32_t>(past + 1)};
}

std::optional<TimePoint> After::from(TimePoint created) const {
    if (!known()) return std::nullopt;
    return created + parley::seconds(std::int64_t{seconds} - 1);
}

std::optional<ContainerUse> ContainerState::use(TimePoint created) const {
    const auto at = measured.from(created);
    if (!at) return std::nullopt;
    return ContainerUse{cpu_used_m, std::int64_t{memory_used_kib} * 1024, *at,
                        parley::seconds(window_s)};
}

void ContainerState::put_use(TimePoint created, const ContainerUse& use) {
    cpu_used_m = fitted<std::uint32_t>(use.cpu_m);
    // Upwards: what is lowered to what is used must not end below it.
    memory_used_kib = fitted<std::uint32_t>(use.memory / 1024 + (use.memory % 1024 > 0 ? 1 : 0));
    measured = After::of(created, use.measured);
    window_s = fitted<std::uint16_t>((use.window.us + 500'000) / 1'000'000);
}

void ContainerState::take_use(const ContainerState& other) {
    cpu_used_m = other.cpu_used_m;
    memory_used_kib = other.memory_used_kib;
    measured = other.measured;
    window_s = other.window_s;
}

}  // namespace parley::model
