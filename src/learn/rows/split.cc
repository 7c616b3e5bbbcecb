#include "learn/rows/split.h"

#include "base/number.h"
#include "base/random.h"
#include "base/time_text.h"
#include "learn/rows/rows_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace parley::learn {
namespace {

// Part of the rule: another value gives another split.
constexpr std::uint64_t kKeySeed = 0x5041524c;
/// With fewer keys the shares by hash would be left to chance: of 40 runs, one might calibrate, or
/// nine.
constexpr std::size_t kKeysByHash = 100;

Part part_at(double share) {
    double up_to = 0;
    for (std::size_t i = 0; i + 1 < kParts; ++i) {
        up_to += kPartShares[i];
        if (share < up_to) return static_cast<Part>(i);
    }
    return Part::test;
}

std::uint64_t hash_of(std::uint64_t key) { return draw(kKeySeed, Stream::policy, key, 0); }

Part part_of_key(std::uint64_t key) { return part_at(random::uniform01(hash_of(key))); }

std::uint8_t fold_of_key(std::uint64_t key) {
    const auto bits = draw(kKeySeed, Stream::policy, key, 1);
    return static_cast<std::uint8_t>(random::below(bits, kFolds));
}

std::string shares_text() { return "60/10/10/20 (train, stop, calibrate, test)"; }

Result<Split> all_parts_filled(Split split) {
    std::array<std::size_t, kParts + 1> count{};
    for (const Part part : split.part) ++count[static_cast<std::size_t>(part)];
    for (std::size_t i = 0; i < kParts; ++i) {
        if (count[i] > 0) continue;
        return fail(ErrorCode::malformed,
                    "split: no row is left to " + std::string(enum_name(static_cast<Part>(i))) +
                        " by the rule '" + split.rule + "'; more data is needed");
    }
    return split;
}

/// Whole keys with the shares of kPartShares, to the nearest key: keys are sorted by hash and cut.
Result<Split> split_by_rank(std::span<const std::uint64_t> keys,
                            const std::set<std::uint64_t>& distinct, const std::string& what) {
    std::vector<std::uint64_t> order(distinct.begin(), distinct.end());
    std::ranges::sort(order, {}, [](std::uint64_t key) { return std::pair(hash_of(key), key); });
    std::map<std::uint64_t, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    Split split{.rule = "order of the hash of the " + what + ", " + shares_text()};
    for (const std::uint64_t key : keys) {
        const std::size_t at = place.at(key);
        const double middle = static_cast<double>(at) + 0.5;
        split.part.push_back(part_at(middle / static_cast<double>(order.size())));
        split.fold.push_back(static_cast<std::uint8_t>(at % kFolds));
    }
    return all_parts_filled(std::move(split));
}

Result<Split> split_by_few_keys(std::span<const std::uint64_t> keys, const std::string& what) {
    const std::set<std::uint64_t> distinct(keys.begin(), keys.end());
    return distinct.size() < kKeysByHash ? split_by_rank(keys, distinct, what)
                                         : split_by_key(keys, what);
}

}  // namespace

Result<Split> split_by_time(const Rows& rows, Duration embargo) {
    const std::size_t n = rows.size();
    if (n == 0) return fail(ErrorCode::malformed, "split: there are no rows");
    std::vector<TimePoint> times = rows.time;
    std::ranges::sort(times);
    // starts[k]: the first time of part k.
    std::array<TimePoint, kParts + 1> starts{};
    double share = 0;
    starts[0] = times.front();
    for (std::size_t k = 1; k < kParts; ++k) {
        share += kPartShares[k - 1];
        const auto at = static_cast<std::size_t>(std::lround(share * static_cast<double>(n)));
        starts[k] = times[std::min(at, n - 1)];
    }
    starts[kParts] = {std::numeric_limits<std::int64_t>::max()};
    Split split{.part = std::vector<Part>(n),
                .fold = std::vector<std::uint8_t>(n),
                .rule = "time slices " + shares_text() + ", embargo " + print_duration(embargo),
                .by_time = true,
                .embargo = embargo};
    const auto trained =
        static_cast<std::size_t>(std::ranges::lower_bound(times, starts[1]) - times.begin());
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t k = 0;
        while (k + 1 < kParts && rows.time[i] >= starts[k + 1]) ++k;
        const bool looks_over = k + 1 < kParts && starts[k + 1] - rows.time[i] < embargo;
        split.part[i] = looks_over ? Part::left_out : static_cast<Part>(k);
        while (k == 0 && split.fold[i] + 1U < kFolds &&
               rows.time[i] >= times[trained * (split.fold[i] + 1U) / kFolds])
            ++split.fold[i];
    }
    return all_parts_filled(std::move(split));
}

Result<Split> split_by_key(std::span<const std::uint64_t> keys, const std::string& what) {
    Split split{.part = std::vector<Part>(keys.size()),
                .fold = std::vector<std::uint8_t>(keys.size()),
                .rule = "hash of the " + what + ", " + shares_text()};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        split.part[i] = part_of_key(keys[i]);
        split.fold[i] = fold_of_key(keys[i]);
    }
    return all_parts_filled(std::move(split));
}

Result<Split> split_rows(const Rows& rows, Duration embargo) {
    if (rows.size() == 0) return fail(ErrorCode::malformed, "split: there are no rows");
    const std::set<std::int32_t> groups(rows.group.begin(), rows.group.end());
    std::vector<std::uint64_t> keys(rows.size());
    if (groups.size() >= kGroupsMin) {
        for (std::size_t i = 0; i < keys.size(); ++i)
            keys[i] = static_cast<std::uint64_t>(rows.group[i]);
        return split_by_few_keys(keys, "run");
    }
    const auto [first, last] = std::ranges::minmax_element(rows.time);
    if (embargo.us <= 0 || (*last - *first).us / 20 >= embargo.us) {
        return split_by_time(rows, embargo);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = static_cast<std::uint64_t>(rows.entity[i]);
    return split_by_few_keys(keys, "entity");
}

std::vector<std::uint32_t> rows_of(const Rows& rows, const Split& split, Part part) {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (split.part[i] == part && rows.weight[i] > 0)
            found.push_back(static_cast<std::uint32_t>(i));
    }
    return found;
}

}  // namespace parley::learn
