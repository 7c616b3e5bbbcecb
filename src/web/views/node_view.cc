#include "web/views/node_view.h"

#include "base/number.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/wording.h"
#include "model/utilisation.h"
#include "web/views/cluster_view.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace parley::web {

using namespace model;

namespace {

constexpr std::size_t kRowsMax = 1'000;  // Of one answer.

enum CellFlag : std::uint32_t { kOver = 1, kMissing = 2, kNotReady = 4, kAside = 8, kDiffers = 16 };

ReadingView share_view(const Reading<std::int64_t>& used, double whole, TimePoint now,
                       Duration limit) {
    if (whole <= 0) return missing_view("what is allocatable is not known");
    return reading_view(used, now, limit, whole);
}

ReadingView lease_view(const NodeRow& node, TimePoint now) {
    ReadingView view;
    if (node.lease.from().received != TimePoint{})
        view.source = enum_name(node.lease.from().source);
    if (const TimePoint* renewed = node.lease.value()) {
        view.value = view.age_s = std::max(0.0, in_seconds(now - *renewed));
        view.state = ReadingState::ok;
    } else {
        view.why = std::string("lease ") + explanation::gap_text(*node.lease.gap());
    }
    return view;
}

ReadingView restarts_view(const SeenRound& round, Slot slot) {
    std::int32_t count = 0;
    if (round.memory) {
        const NodeFold* fold = round.memory->derived.nodes.find(slot);
        for (std::size_t i = 0; fold != nullptr && i < fold->restarts.size(); ++i) {
            const RestartSeen& seen = fold->restarts[i];
            if (seen.count > 0 && round.input->now - seen.at <= minutes(10)) count += seen.count;
        }
    } else if (const auto found = round.restarts.find(slot); found != round.restarts.end()) {
        count = found->second;
    }
    return known_view(count, "api");
}

std::string ours_text(const NodeRow& node, bool simulated) {
    std::vector<std::string> words;
    if (node.quarantined) words.emplace_back("quarantined");
    if (node.avoided) words.emplace_back("avoided");
    if (node.mark && words.empty()) words.emplace_back("marked");
    if (words.empty()) return {};
    std::string text = explanation::listed(words) + " by us";
    if (node.mark) text += " until " + explanation::when(node.mark->expires, simulated);
    return text;
}

/// Why nothing is at stake on a node any more, whatever its risk; empty: something is.
std::string aside_text(const NodeRow& node) {
    if (!set_aside(node) && !node.quarantined) return {};
    // A mark alone may be there for any action.
    const std::string whose = node.quarantined ? " by us" : "";
    if (node.power != Power::on) return "powered down" + whose;
    if (node.pods == 0) return "emptied" + whose;
    if (node.maintenance) return "in maintenance";
    return (node.quarantined ? "quarantined" : "cordoned") + whose;
}

bool differs_much(const NodeForecast* a, const NodeForecast* b) {
    if (a == nullptr || b == nullptr) return a != b;
    if (a->risk.has_value() != b->risk.has_value()) return true;
    return a->risk && explanation::share_text(*a->risk) != explanation::share_text(*b->risk);
}

bool node_changed(const NodeContext& context, Slot slot, const NodeRow& row,
                  const NodeForecast* believed) {
    if (context.before == nullptr || context.before->decisions_only()) return false;
    const NodeRow* before = context.before->input->snapshot.nodes.find(slot);
    if (before == nullptr || before->uid != row.uid) return true;
    const bool same = before->ready == row.ready && before->cordoned == row.cordoned &&
                      before->power == row.power && before->quarantined == row.quarantined &&
                      before->avoided == row.avoided;
    const auto* was = explanation::forecast_of(context.before->decision->forecast, slot);
    return !same || differs_much(was, believed);
}

void add_beliefs(const NodeForecast* believed, NodeLine& line) {
    if (believed == nullptr) {
        line.risk = missing_view("no forecast for this node");
        return;
    }
    line.limit = limit_view(believed->limit);
    const auto least = std::ranges::min_element(believed->remedies, {}, &Remedy::limit);
    if (least->kind != ActionKind::noop) {
        line.acting = least->cost;
        line.action = enum_name(least->kind);
    }
    if (!believed->risk) {
        line.risk = missing_view("what it rests on could not be seen");
        return;
    }
    line.risk = known_view(*believed->risk, "model");
    line.waiting = *believed->risk * believed->loss;
    line.over = *believed->risk > believed->limit;
    const auto missing = explanation::signal_names(believed->missing);
    if (!missing.empty()) line.risk.why = "without " + explanation::listed(missing);
}

/// For each node, the sentence about what differs.
std::map<std::string, std::string> differing(const Decision& decision) {
    std::map<std::string, std::string> sentences;
    for (const Disagreement& each : decision.disagreements) {
        const auto* node = std::get_if<NodeId>(&each.about);
        if (node != nullptr) {
            sentences.emplace(node->text(), explanation::disagreement_text(each, decision));
        }
    }
    return sentences;
}

/// Forecasts are sorted by slot, but slots may have holes: looked up once for all rows.
std::map<Slot, const NodeForecast*> by_slot(const Forecast& forecast) {
    std::map<Slot, const NodeForecast*> found;
    for (const NodeForecast& each : forecast.nodes)
        found.emplace_hint(found.end(), each.node, &each);
    return found;
}

NodeLine line_of(const NodeContext& context, Slot slot, const NodeRow& row,
                 const NodeForecast* believed, const std::string& differs) {
    const TimePoint now = context.round.input->now;
    const Duration age_max = context.policy.guard.metrics_age_max;
    NodeLine line{.name = row.id.text(), .zone = row.zone.str(), .ready = row.ready};
    if (row.ready_since != TimePoint{} || context.round.input->controls.simulated) {
        line.ready_for_s = std::max(0.0, in_seconds(now - row.ready_since));
    }
    line.lease = lease_view(row, now);
    line.cpu = share_view(row.cpu_used_m, static_cast<double>(row.cpu_allocatable_m), now, age_max);
    line.memory =
        share_view(row.memory_used, static_cast<double>(row.memory_allocatable), now, age_max);
    line.disk = reading_view(row.disk_used_ppm, now, age_max, 1e6);
    line.restarts = restarts_view(context.round, slot);
    line.pods = row.pods;
    line.cordoned = row.cordoned;
    line.power = enum_name(row.power);
    line.ours = ours_text(row, context.round.input->controls.simulated);
    add_beliefs(believed, line);
    line.aside = aside_text(row);
    line.differs = differs;
    line.changed = node_changed(context, slot, row, believed);
    return line;
}

std::uint32_t flags_at(const MapView& map, std::uint32_t place) {
    const auto has = [&](const std::vector<std::uint32_t>& places) {
        return std::ranges::binary_search(places, place);
    };
    return (has(map.over) ? kOver : 0U) | (has(map.missing) ? kMissing : 0U) |
           (has(map.not_ready) ? kNotReady : 0U) | (has(map.aside) ? kAside : 0U) |
           (has(map.differs) ? kDiffers : 0U);
}

}  // namespace

std::optional<double> limit_view(double limit) {
    return limit > 1 ? std::nullopt : std::optional(limit);
}

NodeLine node_line(const NodeContext& context, Slot slot) {
    const NodeRow& row = context.round.input->snapshot.nodes.at(slot);
    const auto sentences = differing(*context.round.decision);
    const auto found = sentences.find(row.id.text());
    return line_of(context, slot, row,
                   explanation::forecast_of(context.round.decision->forecast, slot),
                   found != sentences.end() ? found->second : "");
}

std::vector<Slot> map_order(const Snapshot& snapshot) {
    std::vector<Slot> slots;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow&) { slots.push_back(slot); });
    std::ranges::sort(slots, [&](Slot a, Slot b) {
        const NodeRow& left = snapshot.nodes.at(a);
        const NodeRow& right = snapshot.nodes.at(b);
        return std::tie(left.zone, left.id) < std::tie(right.zone, right.id);
    });
    return slots;
}

std::vector<NodeLine> worth_a_look(const NodeContext& context, std::size_t count) {
    struct Rank {
        std::tuple<bool, bool, bool, double> key;
        Slot slot;
    };
    const Snapshot& snapshot = context.round.input->snapshot;
    const auto sentences = differing(*context.round.decision);
    const auto beliefs = by_slot(context.round.decision->forecast);
    const auto believed = [&](Slot slot) {
        const auto found = beliefs.find(slot);
        return found != beliefs.end() ? found->second : nullptr;
    };
    std::vector<Rank> ranks;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const NodeForecast* node = believed(slot);
        const bool known = node != nullptr && node->risk.has_value();
        const bool over = known && *node->risk > node->limit;
        const bool differs = !sentences.empty() && sentences.contains(row.id.text());
        ranks.push_back(
            {{!over, !differs, !node_changed(context, slot, row, node), known ? -*node->risk : 1.0},
             slot});
    });
    const auto first = [&](const Rank& a, const Rank& b) {
        if (a.key != b.key) return a.key < b.key;
        return snapshot.nodes.at(a.slot).id < snapshot.nodes.at(b.slot).id;
    };
    const std::size_t shown = std::min(count, ranks.size());
    std::ranges::partial_sort(ranks, ranks.begin() + static_cast<std::ptrdiff_t>(shown), first);
    std::vector<NodeLine> lines;
    for (std::size_t i = 0; i < shown; ++i) {
        const NodeRow& row = snapshot.nodes.at(ranks[i].slot);
        const auto found = sentences.find(row.id.text());
        lines.push_back(line_of(context, ranks[i].slot, row, believed(ranks[i].slot),
                                found != sentences.end() ? found->second : ""));
    }
    return lines;
}

std::string more_nodes(const NodeContext& context, std::size_t shown) {
    const Snapshot& snapshot = context.round.input->snapshot;
    if (context.round.decisions_only()) return "? (this record keeps decisions only)";
    const std::size_t all = snapshot.nodes.size();
    if (all <= shown) return "no more nodes";
    std::int64_t without = 0;
    const Duration age_max = context.policy.guard.metrics_age_max;
    snapshot.nodes.for_each([&](Slot, const NodeRow& row) {
        const TimePoint now = context.round.input->now;
        const bool whole = row.cpu_used_m.fresh(now, age_max) != nullptr &&
                           row.memory_used.fresh(now, age_max) != nullptr;
        without += !whole && row.power == Power::on ? 1 : 0;
    });
    const std::string more = thousands(static_cast<std::int64_t>(all - shown)) + " more, ";
    if (without == 0) return more + "nothing missing";
    return more + "of all " + explanation::counted(static_cast<std::int64_t>(all), "node") + " " +
           thousands(without) + " without usage";
}

NodesView nodes_view(const NodeContext& context, std::size_t offset, std::size_t limit,
                     std::string_view find) {
    const Snapshot& snapshot = context.round.input->snapshot;
    NodesView view{.round = context.round.decision->round};
    const auto sentences = differing(*context.round.decision);
    const auto beliefs = by_slot(context.round.decision->forecast);
    for (const Slot slot : map_order(snapshot)) {
        const NodeRow& row = snapshot.nodes.at(slot);
        if (!find.empty() && row.id.name.view().find(find) == std::string_view::npos) continue;
        const std::size_t place = view.total++;
        if (place < offset || view.rows.size() >= std::min(limit, kRowsMax)) continue;
        const auto found = sentences.find(row.id.text());
        const auto node = beliefs.find(slot);
        view.rows.push_back(line_of(context, slot, row,
                                    node != beliefs.end() ? node->second : nullptr,
                                    found != sentences.end() ? found->second : ""));
    }
    return view;
}

MapView map_view(const SeenRound& round) {
    const Snapshot& snapshot = round.input->snapshot;
    MapView map{.round = round.decision->round};
    const auto sentences = differing(*round.decision);
    const auto beliefs = by_slot(round.decision->forecast);
    std::uint32_t place = 0;
    for (const Slot slot : map_order(snapshot)) {
        const NodeRow& row = snapshot.nodes.at(slot);
        const auto found = beliefs.find(slot);
        const NodeForecast* node = found != beliefs.end() ? found->second : nullptr;
        map.names.push_back(row.id.text());
        map.zones.push_back(row.zone.str());
        map.risk.push_back(node != nullptr ? node->risk : std::nullopt);
        if (!map.risk.back()) map.missing.push_back(place);
        if (map.risk.back() && *map.risk.back() > node->limit) map.over.push_back(place);
        if (row.ready != Readiness::yes && row.power == Power::on) map.not_ready.push_back(place);
        if (set_aside(row)) map.aside.push_back(place);
        if (!sentences.empty() && sentences.contains(map.names.back()))
            map.differs.push_back(place);
        ++place;
    }
    return map;
}

std::optional<std::vector<MapCell>> changed_cells(const MapView& before, const MapView& now) {
    if (before.names != now.names) return std::nullopt;
    std::vector<MapCell> cells;
    const auto shown = [](const std::optional<double>& risk) {
        return risk ? explanation::share_text(*risk) : std::string("?");
    };
    for (std::uint32_t i = 0; i < now.names.size(); ++i) {
        const std::uint32_t flags = flags_at(now, i);
        const bool moved =
            before.risk[i] != now.risk[i] && shown(before.risk[i]) != shown(now.risk[i]);
        if (!moved && flags == flags_at(before, i)) continue;
        cells.emplace_back(i, now.risk[i], flags);
    }
    return cells;
}

std::optional<MaxRisk> max_risk(const SeenRound& round) {
    const auto& nodes = round.input->snapshot.nodes;
    const NodeForecast* most = nullptr;
    const NodeForecast* in_service = nullptr;
    for (const NodeForecast& node : round.decision->forecast.nodes) {
        if (!node.risk) continue;
        if (most == nullptr || *node.risk > *most->risk) most = &node;
        const NodeRow* row = nodes.find(node.node);
        if (row != nullptr && !aside_text(*row).empty()) continue;
        if (in_service == nullptr || *node.risk > *in_service->risk) in_service = &node;
    }
    if (most == nullptr) return std::nullopt;
    MaxRisk out{.node = explanation::node_name(round.input->snapshot, most->node),
                .value = *most->risk,
                .limit = limit_view(most->limit)};
    if (const NodeRow* row = nodes.find(most->node)) out.aside = aside_text(*row);
    if (most != in_service && in_service != nullptr) {
        out.next_node = explanation::node_name(round.input->snapshot, in_service->node);
        out.next_risk = *in_service->risk;
    }
    return out;
}

}  // namespace parley::web
