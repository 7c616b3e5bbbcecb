#include "prometheus/join.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

namespace parley::prometheus {
namespace {

constexpr double kWholeMax = 9e15;  // Beyond that, a double cannot count in ones.

std::size_t index(Figure figure) { return static_cast<std::size_t>(figure); }
std::size_t index(Target target) { return static_cast<std::size_t>(target); }

void count(Tally& tally, const std::string& who) {
    if (tally.count++ == 0) tally.first = who;
}

/// All labels that were kept, for people to find the series.
std::string labels_of(const Series& series) {
    std::string out;
    for (const Label& each : series.labels) {
        out += (out.empty() ? "" : ", ") + each.name + "=" + each.value;
    }
    return in_one_line("{" + out + "}");
}

/// False below zero or beyond the range of any figure. Shares and rates are judged by the snapshot;
/// what becomes a whole number must fit into one.
bool possible(const Query& query, double value) {
    const bool whole = query.figure == Figure::cpu || query.figure == Figure::memory;
    return std::isfinite(value) && (!whole || (value >= 0 && value <= kWholeMax / 1000));
}

}  // namespace

Join::Join(const Directory& directory, Duration stale)
    : directory_(directory), stale_(stale), lookup_(directory) {}

std::size_t Join::targets(Target target) const {
    switch (target) {
        case Target::node:
            return directory_.nodes.size();
        case Target::workload:
            return directory_.workloads.size();
        case Target::pod:
            break;
    }
    return directory_.pods.size();
}

Join::Cells& Join::cells(Figure figure, Target target) {
    Cells& cells = cells_[index(figure)][index(target)];
    cells.resize(targets(target));
    return cells;
}

bool Join::needs_names(const Query& query, const Answer& values) const {
    if (query.target != Target::node) return false;
    return std::ranges::any_of(values.series, [&](const Series& each) {
        return each.label("instance") != nullptr && !lookup_.find(each, query);
    });
}

std::string Join::called(const Query& query, std::size_t place) const {
    switch (query.target) {
        case Target::node:
            return query.name + " of " + directory_.nodes[place].name;
        case Target::workload:
            return query.name + " of " + directory_.workloads[place].id.text();
        case Target::pod:
            break;
    }
    const KnownPod& pod = directory_.pods[place];
    return query.name + " of " + pod.space + "/" + pod.name;
}

void Join::add(const Query& query, const Answer& values, const Answer& ages, TimePoint asked) {
    std::unordered_map<std::uint64_t, double> stamps;  // Lookup only.
    for (const Series& each : ages.series) {
        const bool possible_time = each.value && *each.value >= 0 && *each.value <= kSecondsMax;
        if (possible_time) stamps[each.fingerprint] = *each.value;
    }
    struct Seen {
        Cell fresh, old;
        int fresh_count = 0, old_count = 0;
    };
    std::map<std::size_t, Seen> seen;
    const TimePoint now = ages.at.value_or(TimePoint{});
    if (!ahead_) ahead_ = asked - now;
    for (const Series& each : values.series) {
        const auto place = lookup_.find(each, query);
        if (!place) {
            count(out_.unmatched, query.name + labels_of(each));
            continue;
        }
        const auto stamp = stamps.find(each.fingerprint);
        if (stamp == stamps.end()) {
            count(out_.undated, called(query, *place));
            continue;
        }
        const TimePoint at{static_cast<std::int64_t>(std::floor(stamp->second * 1e6 + 0.5))};
        Cell cell{.fresh = now - at <= stale_, .measured = at + *ahead_};
        const double value = each.value.value_or(NAN) * factor(query);
        if (possible(query, value)) {
            cell.state = Cell::State::good;
            cell.value = value;
        } else {
            count(out_.no_numbers, called(query, *place));
        }
        Seen& who = seen[*place];
        (cell.fresh ? who.fresh : who.old) = cell;
        ++(cell.fresh ? who.fresh_count : who.old_count);
    }
    cells(query.figure, query.target);
    for (auto& [place, who] : seen) {
        // A target that moved leaves an old series behind, which does not make it ambiguous.
        Cell& cell = who.fresh_count > 0 ? who.fresh : who.old;
        if ((who.fresh_count > 0 ? who.fresh_count : who.old_count) > 1) {
            count(out_.doubtful, called(query, place));
            cell.state = Cell::State::doubtful;
        }
        settle(query, place, cell);
    }
}

/// The first one stays, unless it is unusable or old and this one is newer.
void Join::settle(const Query& query, std::size_t place, const Cell& cell) {
    Cell& current = cells(query.figure, query.target)[place];
    const bool usable = current.state == Cell::State::good;
    if (usable && current.fresh) return;
    if (usable && (cell.state != Cell::State::good || cell.measured <= current.measured)) return;
    current = cell;
}

bool Join::covered(const Query& query) const {
    const Cells& cells = cells_[index(query.figure)][index(query.target)];
    return cells.size() == targets(query.target) && std::ranges::all_of(cells, [](const Cell& c) {
               return c.state == Cell::State::good && c.fresh;
           });
}

void Join::finish_nodes() {
    out_.nodes_known = directory_.nodes.size();
    for (std::size_t place = 0; place < directory_.nodes.size(); ++place) {
        std::map<TimePoint, cluster::NodeSample> by_time;
        for (int f = 0; f < kNodeFigures; ++f) {
            const auto figure = static_cast<Figure>(f);
            const Cells& cells = cells_[index(figure)][index(Target::node)];
            if (cells.empty() || cells[place].state != Cell::State::good) continue;
            const Cell& cell = cells[place];
            if (cell.fresh) ++out_.covered[index(figure)];
            cluster::NodeSample& sample = by_time[cell.measured];
            sample.node = directory_.nodes[place].uid;
            sample.source = model::Source::prometheus;
            sample.measured = cell.measured;
            put(sample, figure, cell.value);
        }
        for (const auto& [at, sample] : by_time) out_.nodes.push_back(sample);
    }
}

cluster::WorkloadSample& Join::sample_of(const model::Uid& workload, TimePoint measured) {
    cluster::WorkloadSample& sample = workloads_[{workload, measured}];
    sample.workload = workload;
    sample.source = model::Source::prometheus;
    sample.measured = measured;
    return sample;
}

void Join::finish_workloads(Figure figure) {
    const Cells& cells = cells_[index(figure)][index(Target::workload)];
    for (std::size_t place = 0; place < cells.size(); ++place) {
        if (cells[place].state != Cell::State::good) continue;
        const model::Uid& uid = directory_.workloads[place].uid;
        put(sample_of(uid, cells[place].measured), figure, cells[place].value);
        told_[index(figure)].insert(uid);
    }
}

/// Old figures count only if there are no others: otherwise one silent pod would make all of them
/// old.
void Join::finish_pods(Figure figure) {
    const Cells& cells = cells_[index(figure)][index(Target::pod)];
    if (cells.empty()) return;
    std::map<model::Uid, std::vector<const Cell*>> by_workload;
    for (std::size_t place = 0; place < cells.size(); ++place) {
        by_workload[directory_.pods[place].workload].push_back(&cells[place]);
    }
    for (const auto& [uid, of_pods] : by_workload) {
        const bool some_fresh = std::ranges::any_of(of_pods, [](const Cell* cell) {
            return cell->state == Cell::State::good && cell->fresh;
        });
        std::vector<double> values;
        TimePoint oldest;
        for (const Cell* cell : of_pods) {
            if (cell->state != Cell::State::good || (some_fresh && !cell->fresh)) continue;
            if (values.empty() || cell->measured < oldest) oldest = cell->measured;
            values.push_back(cell->value);
        }
        if (values.empty() || told_[index(figure)].contains(uid)) continue;
        const auto missing = static_cast<std::int32_t>(of_pods.size() - values.size());
        if (adds_up(figure) && missing > 0) {
            count(out_.partial, called_workload(uid));  // A part would pass for the whole.
            continue;
        }
        put(sample_of(uid, oldest), figure, std::move(values), missing);
    }
}

std::string Join::called_workload(const model::Uid& uid) const {
    const auto found = std::ranges::find(directory_.workloads, uid, &KnownWorkload::uid);
    return found == directory_.workloads.end() ? uid.text() : found->id.text();
}

Joined Join::finish() {
    finish_nodes();
    for (int f = kNodeFigures; f < kFigures; ++f) {
        // A workload's own figure takes precedence over the sum over its pods.
        finish_workloads(static_cast<Figure>(f));
        finish_pods(static_cast<Figure>(f));
    }
    for (const auto& [key, sample] : workloads_) out_.workloads.push_back(sample);
    return std::move(out_);
}

}  // namespace parley::prometheus
