// Model: compares what two sources say about the same thing. The bounds allow for what honest
// sources differ by: their windows, their lag, and load that changes in between.

#pragma once

#include "model/memory.h"
#include "model/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

/// Two figures contradict each other if they are further apart than this factor, ...
inline constexpr double kDifferFactor = 2;
/// ... and, for a single node, also by more than this: a starting pod is seen by one source first,
/// and only one of them counts page cache.
inline constexpr std::int64_t kDifferCpuM = 100;
inline constexpr std::int64_t kDifferMemory = std::int64_t{256} << 20;
/// Nodes that use less are left out of the comparison.
inline constexpr std::int64_t kCompareCpuM = 10;
inline constexpr std::int64_t kCompareMemory = std::int64_t{64} << 20;
/// Figures measured at times this close are compared as they are. ...
inline constexpr Duration kCompareWithin = seconds(25);
/// ... Further apart and up to here, loosely: a load that changed in between makes them differ for
/// as long as one source lags behind the other, so such a difference counts only once it has lasted
/// longer than that.
inline constexpr Duration kCompareLoosely = seconds(60);
inline constexpr Duration kLooseLasts = seconds(75);
/// With fewer nodes than this, a median is not taken.
inline constexpr std::int32_t kCompareNodes = 3;
/// A single node counts after it has differed for this long: it is compared loosely.
inline constexpr Duration kDifferLasts = kLooseLasts;
/// Sources contradict each other over all nodes also where one node in so many differs.
inline constexpr std::int32_t kDifferOneIn = 4;
/// A difference over all nodes raises an alarm after this time, a single node after twice
/// kDifferLasts.
inline constexpr Duration kContradictLasts = seconds(30);
/// A contradiction ends once both have agreed for kContradictLasts, or when for so long they could
/// not be compared at all: a source that is silent has not been corrected.
inline constexpr Duration kSilentLasts = minutes(10);

/// What Prometheus says as a multiple of what Metrics Server says; nothing if they cannot be
/// compared.
inline std::optional<double> ratio_of(const Reading<std::int64_t>& first,
                                      const Reading<std::int64_t>& second, std::int64_t least,
                                      Duration within = kCompareWithin) {
    if (first.value() == nullptr || second.value() == nullptr) return std::nullopt;
    const bool swapped = first.from().source == Source::prometheus;
    const Reading<std::int64_t>& metrics = swapped ? second : first;
    const Reading<std::int64_t>& prometheus = swapped ? first : second;
    if (metrics.from().source != Source::metrics ||
        prometheus.from().source != Source::prometheus) {
        return std::nullopt;
    }
    const Duration apart = metrics.from().measured - prometheus.from().measured;
    if (apart > within || apart < Duration{} - within) return std::nullopt;
    if (std::max(*metrics.value(), *prometheus.value()) < least) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(*prometheus.value(), 1)) /
           static_cast<double>(std::max<std::int64_t>(*metrics.value(), 1));
}

inline bool beyond_factor(double ratio) {
    return ratio > kDifferFactor || ratio < 1 / kDifferFactor;
}

/// How the two sources compare for one node.
struct NodeDifference {
    std::optional<double> cpu;
    std::optional<double> memory;
    bool differs = false;

    bool comparable() const { return cpu || memory; }
};

inline NodeDifference compare(const NodeRow& node, Duration within = kCompareLoosely) {
    const auto apart = [](const Reading<std::int64_t>& a, const Reading<std::int64_t>& b,
                          std::int64_t slack) {
        const auto [low, high] = std::minmax(*a.value(), *b.value());
        return static_cast<double>(high) >
               static_cast<double>(low) * kDifferFactor + static_cast<double>(slack);
    };
    NodeDifference found{
        .cpu = ratio_of(node.cpu_used_m, node.cpu_second_m, kCompareCpuM, within),
        .memory = ratio_of(node.memory_used, node.memory_second, kCompareMemory, within)};
    found.differs = (found.cpu && apart(node.cpu_used_m, node.cpu_second_m, kDifferCpuM)) ||
                    (found.memory && apart(node.memory_used, node.memory_second, kDifferMemory));
    return found;
}

/// How the two sources compare over all nodes. `cpu` and `memory` are medians over the nodes that
/// can be compared.
struct Differences {
    std::optional<double> cpu;
    std::optional<double> memory;
    std::int32_t nodes = 0;  ///< Nodes that differ ...
    std::int32_t of = 0;     ///< ... of those that can be compared.
    bool loose = false;      ///< Too few were measured at close times.

    bool by_median() const {
        return (cpu && beyond_factor(*cpu)) || (memory && beyond_factor(*memory));
    }
    bool contradict() const {
        return by_median() || (nodes >= kCompareNodes && nodes * kDifferOneIn >= of);
    }
};

inline std::optional<double> median_ratio(std::vector<double>& ratios) {
    if (std::ssize(ratios) < kCompareNodes) return std::nullopt;
    const auto middle = ratios.begin() + std::ssize(ratios) / 2;
    std::ranges::nth_element(ratios, middle);
    return *middle;
}

inline Differences compare_within(const Snapshot& snapshot, Duration within) {
    Differences found{.loose = within > kCompareWithin};
    std::vector<double> cpu;
    std::vector<double> memory;
    snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const NodeDifference each = compare(node, within);
        if (!each.comparable()) return;
        ++found.of;
        if (each.differs) ++found.nodes;
        if (each.cpu) cpu.push_back(*each.cpu);
        if (each.memory) memory.push_back(*each.memory);
    });
    found.cpu = median_ratio(cpu);
    found.memory = median_ratio(memory);
    return found;
}

/// By figures measured at close times; only where there are too few of them, loosely.
inline Differences compare_all(const Snapshot& snapshot) {
    const Differences close = compare_within(snapshot, kCompareWithin);
    if (close.cpu || close.memory) return close;
    return compare_within(snapshot, kCompareLoosely);
}

/// The contradiction over all nodes that counts by now; null: there is none.
inline const Contradiction* standing_contradiction(const Derived& derived, TimePoint now) {
    if (derived.contradictions.empty()) return nullptr;
    const Contradiction& all = derived.contradictions.front();
    return !all.loose || now - all.since >= kLooseLasts ? &all : nullptr;
}

/// Since when the two sources have differed about one node, counted over rounds in which they could
/// be compared; nothing: they agree, or have not differed for long enough to count.
inline std::optional<TimePoint> contradicted_since(const Derived& derived, const NodeId& node,
                                                   TimePoint now) {
    for (const Alarm& alarm : derived.alarms) {
        const auto* about = std::get_if<NodeId>(&alarm.about);
        if (alarm.kind != AlarmKind::sources_contradict || about == nullptr || *about != node) {
            continue;
        }
        if (now - alarm.since >= kDifferLasts) return alarm.since;
    }
    return std::nullopt;
}

}  // namespace parley::model
