#include "layers/explanation/wording/lines.h"
#include "web/views/run_index.h"
#include "web/views/verdict_view.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>

namespace parley::web {

using namespace model;

namespace {

constexpr std::size_t kClosedMax = 200;  // The newest.

}  // namespace

ScorePoint RunIndex::point_of(const Mark& mark) const {
    if (!too_little_read(mark.read, mark.missing).empty()) {
        return {.round = mark.round, .ours = mark.ours};
    }
    ScorePoint point{.round = mark.round, .total = mark.total, .ours = mark.ours};
    for (const Role role : kRoles) {
        if (mark.counted[role]) point.by[role] = mark.by[role];
    }
    return point;
}

/// Marks where damaged rounds begin and end, so that no line is drawn across them.
void RunIndex::add_gaps(std::uint64_t from, std::uint64_t to, ScoresView& view) const {
    if (view.series.empty()) return;
    for (const Span& span : damaged_spans()) {
        for (const std::uint64_t round : std::set{span.first, span.last}) {
            if (round >= from && (to == 0 || round <= to)) view.series.push_back({.round = round});
        }
    }
    std::ranges::sort(view.series, {}, &ScorePoint::round);
}

std::int64_t RunIndex::lost_readings(std::uint64_t from, std::uint64_t to) const {
    if (marks_.empty()) return 0;
    std::int64_t lost = 0;
    for (const Span& span : damaged_spans()) {
        const std::uint64_t first = std::max(span.first, from);
        const std::uint64_t last = to == 0 ? span.last : std::min(span.last, to);
        if (last < first) continue;
        const Mark& beside = marks_[std::max<std::size_t>(place_of(first), 1) - 1];
        lost += static_cast<std::int64_t>(last - first + 1) * (beside.read + beside.missing);
    }
    return lost;
}

/// The total over rounds; missing if too little could be read.
void RunIndex::add_total(std::uint64_t from, std::uint64_t to, ScoresView& view) const {
    std::int64_t read = 0;
    std::int64_t missing = lost_readings(from, to);
    double total = 0;
    const std::size_t end = to == 0 ? marks_.size() : place_of(to + 1);
    for (std::size_t i = place_of(from); i < end; ++i) {
        read += marks_[i].read + marks_[i].settled;
        missing += marks_[i].missing - marks_[i].settled;
        total += static_cast<double>(marks_[i].total);
    }
    view.total_missing = too_little_read(read, missing);
    if (view.total_missing.empty()) view.total = total;
    view.left_out = explanation::reasons_without(uncounted_);
    if (read + missing > 0) {
        view.total_covered = static_cast<double>(read) / static_cast<double>(read + missing);
    }
}

void RunIndex::add_twin_error(std::uint64_t to, ScoresView& view) const {
    std::vector<double> known;
    for (const TwinError& each : twin_errors_) {
        if (to == 0 || each.round <= to) known.push_back(each.size);
    }
    view.twin_scores = known.size();
    if (known.empty()) return;
    std::ranges::sort(known);
    const std::size_t middle = known.size() / 2;
    view.twin_error =
        known.size() % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
}

ScoresView RunIndex::scores(std::uint64_t from, std::uint64_t to, std::size_t points) const {
    ScoresView view{.weights = weights_text(header_.policy.weights)};
    const std::size_t begin = place_of(from);
    const std::size_t end = to == 0 ? marks_.size() : place_of(to + 1);
    const std::size_t count = end > begin ? end - begin : 0;
    const std::size_t wanted = std::max<std::size_t>(points, 2);
    if (count <= wanted) {
        for (std::size_t i = begin; i < begin + count; ++i)
            view.series.push_back(point_of(marks_[i]));
    } else {
        const std::size_t buckets = wanted / 2;
        for (std::size_t b = 0; b < buckets; ++b) {
            const auto low =
                marks_.begin() + static_cast<std::ptrdiff_t>(begin + count * b / buckets);
            const auto high =
                marks_.begin() + static_cast<std::ptrdiff_t>(begin + count * (b + 1) / buckets);
            auto [least, most] = std::minmax_element(
                low, high, [](const Mark& a, const Mark& z) { return a.total < z.total; });
            if (most < least) std::swap(least, most);
            view.series.push_back(point_of(*least));
            if (most != least) view.series.push_back(point_of(*most));
        }
    }
    for (const std::vector<ClosedView>* all : {&censored_, &closed_}) {
        for (const ClosedView& each : *all | std::views::reverse) {
            const bool inside = each.round >= from && (to == 0 || each.closed_round <= to);
            if (inside && view.closed.size() < kClosedMax) view.closed.push_back(each);
        }
    }
    add_gaps(from, to, view);
    add_total(from, to, view);
    add_twin_error(to, view);
    return view;
}

}  // namespace parley::web
