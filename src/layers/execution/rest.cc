#include "layers/execution/rest.h"

#include "guard/pace_rules.h"

#include <algorithm>
#include <vector>

namespace parley::execution {

using namespace model;

namespace {

/// After so many the rest is as long as it gets, and no more need to be counted.
constexpr std::int64_t kCounted = 6;

bool is_rest_of(const CoolDown& cool_down, const Target& target) {
    return guard::is_rest(cool_down) && cool_down.target == target;
}

}  // namespace

void rest(Ledger& ledger, const Target& target, TimePoint now) {
    std::vector<CoolDown>& rows = ledger.cool_downs;
    const auto is_its = [&](const CoolDown& each) { return is_rest_of(each, target); };
    const bool rests = std::ranges::any_of(
        rows, [&](const CoolDown& each) { return is_its(each) && each.until > now; });
    if (rests) return;
    const std::int64_t before = std::ranges::count_if(rows, is_its);
    Duration length = kRestFirst;
    for (std::int64_t i = 0; i < before; ++i) length = std::min(length * 2, kRestLongest);
    if (before > kCounted) rows.erase(std::ranges::find_if(rows, is_its));
    rows.push_back({target, ActionKind::noop, now + length});
}

void drop_cool_downs(Ledger& ledger, TimePoint now) {
    std::vector<Target> remembered;
    for (const CoolDown& each : ledger.cool_downs) {
        const bool recent = guard::is_rest(each) && each.until + kRestRemembered > now;
        if (recent) remembered.push_back(each.target);
    }
    std::erase_if(ledger.cool_downs, [&](const CoolDown& each) {
        if (!guard::is_rest(each)) return each.until <= now;
        return std::ranges::count(remembered, each.target) == 0;
    });
}

}  // namespace parley::execution
