#include "guard/hard_limits.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace parley::guard {
namespace {

/// A value that is not finite becomes the tighter end of the limit.
double held(double value, const HardLimit& limit) {
    if (!std::isfinite(value)) return limit.least > 0 ? limit.most : limit.least;
    return std::clamp(value, limit.least, limit.most);
}

bool names(std::string_view path, std::string_view group, std::string_view member) {
    return path.starts_with(group) && path.substr(group.size()) == member;
}

template <class Group>
void hold(std::string_view group, Group& rules) {
    for (const HardLimit& limit : kHardLimits) {
        for_each_member(rules, [&](std::string_view name, auto& member) {
            using Member = std::remove_cvref_t<decltype(member)>;
            if (!names(limit.path, group, name)) return;
            if constexpr (TimeLike<Member>) {
                member.us = std::clamp(member.us, static_cast<std::int64_t>(limit.least * 1e6),
                                       static_cast<std::int64_t>(limit.most * 1e6));
            } else if constexpr (std::is_integral_v<Member>) {
                member = std::clamp(member, static_cast<Member>(limit.least),
                                    static_cast<Member>(limit.most));
            } else {
                member = held(member, limit);
            }
        });
    }
}

std::string too_few(const char* setting, int rounds, int of) {
    if (rounds >= rounds_needed(of)) return {};
    return std::string(setting) + " is " + std::to_string(rounds) + " of " + std::to_string(of) +
           " rounds, but what disrupts must hold in at least two of three: write " +
           std::to_string(rounds_needed(of)) + " or more";
}

}  // namespace

std::string beyond_together(const model::Policy& policy) {
    std::string why =
        too_few("policy.stakes.rounds_over", policy.stakes.rounds_over, policy.stakes.rounds_of);
    if (!why.empty()) return why;
    return too_few("policy.efficiency.rounds_idle", policy.efficiency.rounds_idle,
                   policy.efficiency.rounds_of);
}

model::Policy bounded(model::Policy policy) {
    hold("policy.evidence.", policy.evidence);
    hold("policy.stakes.", policy.stakes);
    hold("policy.efficiency.", policy.efficiency);
    hold("policy.guard.", policy.guard);
    policy.stakes.rounds_over =
        std::max(policy.stakes.rounds_over, rounds_needed(policy.stakes.rounds_of));
    policy.efficiency.rounds_idle =
        std::max(policy.efficiency.rounds_idle, rounds_needed(policy.efficiency.rounds_of));
    return policy;
}

}  // namespace parley::guard
