#include "web/views/thing_view.h"

#include "base/number.h"
#include "base/quantity.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/reasons.h"
#include "layers/explanation/wording/wording.h"
#include "model/utilisation.h"
#include "web/views/cluster_view.h"

#include <algorithm>
#include <utility>

namespace parley::web {

using namespace model;

namespace {

constexpr std::size_t kRowsMax = 1'000;
constexpr std::size_t kNamesMax = 20;

ReadingView usage_view(const Reading<Usage>& reading, TimePoint now, Duration limit) {
    const auto whole = [&](std::int64_t value) {
        return reading_view(Reading<std::int64_t>(value, reading.from()), now, limit);
    };
    if (const Gap* gap = reading.gap()) {
        return reading_view(Reading<std::int64_t>(*gap, reading.from()), now, limit);
    }
    ReadingView view = whole(reading.value()->sum);
    const std::int32_t missing = reading.value()->missing;
    if (missing > 0) {
        view.why += (view.why.empty() ? "" : "; ") +
                    explanation::counted(missing, "pod is", "pods are") + " not in it";
    }
    return view;
}

ReadingView duration_view(const Reading<Duration>& reading, TimePoint now, Duration limit) {
    if (const Gap* gap = reading.gap()) {
        return reading_view(Reading<std::int64_t>(*gap, reading.from()), now, limit);
    }
    return reading_view(Reading<std::int64_t>(reading.value()->us, reading.from()), now, limit,
                        1000);
}

std::string causes_text(CauseSet causes) {
    std::vector<std::string> words;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Cause>>([&](auto each) {
        if (causes.has(each.value)) words.emplace_back(each.name);
    });
    return explanation::listed(words);
}

PodLine pod_line(const Snapshot& snapshot, const PodRow& pod) {
    const WorkloadRow* workload = snapshot.workloads.find(pod.workload);
    return {.name = pod.name.text(),
            .workload = workload != nullptr ? workload->id.text() : "?",
            .phase = pod.terminating ? "terminating" : std::string(enum_name(pod.phase)),
            .ready = pod.ready,
            .restarts = pod.restarts,
            .cpu = show_millicores(pod.cpu_request_m),
            .memory = show_bytes(pod.memory_request),
            .waits_for = causes_text(pod.pending)};
}

template <class F>
void list_pods(const Snapshot& snapshot, F&& wanted, std::vector<PodLine>& lines,
               std::uint64_t& total) {
    snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        if (!wanted(pod)) return;
        ++total;
        if (lines.size() < kPodsListed) lines.push_back(pod_line(snapshot, pod));
    });
    std::ranges::sort(lines, {}, &PodLine::name);
}

std::vector<NamedReading> node_readings(const NodeRow& row, TimePoint now, Duration age_max) {
    const auto requested = [](std::int64_t part, std::int64_t whole) {
        const auto share = share_of(part, whole);
        return share ? known_view(*share, "api") : missing_view("what is allocatable is not known");
    };
    return {{"CPU used", reading_view(row.cpu_used_m, now, age_max), "millicores"},
            {"CPU allocatable", known_view(static_cast<double>(row.cpu_allocatable_m), "api"),
             "millicores"},
            {"CPU requested", requested(row.cpu_requested_m, row.cpu_allocatable_m), "share"},
            {"memory used", reading_view(row.memory_used, now, age_max), "bytes"},
            {"memory allocatable", known_view(static_cast<double>(row.memory_allocatable), "api"),
             "bytes"},
            {"memory requested", requested(row.memory_requested, row.memory_allocatable), "share"},
            {"disk used", reading_view(row.disk_used_ppm, now, age_max, 1e6), "share"},
            {"network used", reading_view(row.net_used_ppm, now, age_max, 1e6), "share"},
            {"power", reading_view(row.power_mw, now, age_max, 1000), "watts"},
            {"pods", known_view(row.pods, "api"), "pods"},
            {"pods unhealthy", known_view(row.pods_unhealthy, "api"), "pods"},
            {"pods ever restarted", known_view(row.pods_restarted, "api"), "pods"}};
}

std::vector<LabelView> node_labels(const NodeRow& row) {
    const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
    return {{"zone", row.zone.str()},
            {"rack", row.rack.str()},
            {"pool", row.pool.str()},
            {"role", std::string(enum_name(row.role))},
            {"memory pressure", yes(row.memory_pressure)},
            {"disk pressure", yes(row.disk_pressure)},
            {"PID pressure", yes(row.pid_pressure)},
            {"cordoned", yes(row.cordoned)},
            {"under maintenance", yes(row.maintenance)},
            {"asks to be left alone", yes(row.left_alone)},
            {"taint of somebody else", yes(row.foreign_taint)},
            {"power", std::string(enum_name(row.power))},
            {"power can be switched", yes(row.can_power)},
            {"clock can be set", yes(row.can_clock)}};
}

std::string from_text(std::uint64_t first) {
    return first > 1 ? "from round " + std::to_string(first) + " on" : "";
}

std::vector<MomentView> moments_of(const explanation::History& history) {
    std::vector<MomentView> out;
    for (const explanation::WhyMoment& each : history.moments()) {
        out.push_back({each.round, each.at, each.text});
    }
    return out;
}

/// Who sets its replicas, and its sizes if these have an owner.
std::string owners_text(const WorkloadRow& row) {
    const std::string replicas(enum_name(row.scale_owner));
    if (row.size_owner == ScaleOwner::nobody) return replicas;
    return replicas + ", sizes by " + std::string(enum_name(row.size_owner));
}

std::string budget_text(const WorkloadRow& row) {
    if (!row.has_budget) return "none";
    return explanation::counted(row.disruptions_allowed, "disruption") + " allowed now";
}

}  // namespace

ThingStory::ThingStory(About about, std::string name, const Policy& policy)
    : about_(about),
      name_(std::move(name)),
      policy_(policy),
      past_(policy.evidence),
      history_(about, name_) {}

void ThingStory::take(const SeenRoundPtr& round) {
    if (round->memory) past_.meet(round->memory->derived);
    past_.take(*round->input);
    const store::RoundRecord record{*round->input, *round->decision, {}, {}, round->events};
    history_.take(record, policy_, past_);
    rounds_.push_back(round);
}

Slot ThingStory::slot_in(const Snapshot& snapshot) const {
    Slot found = kNoSlot;
    if (about_ == About::node) {
        snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
            if (row.id.name.view() == name_) found = slot;
        });
    } else {
        snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
            if (row.id.text() == name_) found = slot;
        });
    }
    return found;
}

NodeForecastView ThingStory::forecast_of(Slot slot) const {
    const SeenRound& round = *rounds_.back();
    const Forecast& forecast = round.decision->forecast;
    NodeForecastView view{.horizon_s = in_seconds(forecast.horizon), .model = forecast.model};
    const NodeForecast* node = explanation::forecast_of(forecast, slot);
    if (node == nullptr) {
        view.text.emplace_back("There is no forecast for this node.");
        return view;
    }
    view.risk = node->risk;
    view.limit = limit_view(node->limit);
    for (const Remedy& remedy : node->remedies) {
        if (remedy.kind == ActionKind::noop) continue;
        view.remedies.push_back({.kind = remedy.kind,
                                 .limit = limit_view(remedy.limit),
                                 .cost = remedy.cost,
                                 .pays = node->risk && *node->risk > remedy.limit});
    }
    view.signals = past_.words(*round.input, forecast, *node);
    view.missing = explanation::signal_names(node->missing);
    view.text = explanation::reasons_of(forecast, *node);
    const auto reasons = std::ranges::find(forecast.reasons, slot, &RiskReasons::node);
    if (reasons == forecast.reasons.end()) return view;
    view.odds_base = reasons->base;
    for (const RiskFactor& factor : reasons->factors) {
        view.factors.push_back({.feature = factor.feature,
                                .value = factor.value ? fixed(*factor.value, 3) : "missing",
                                .factor = factor.factor,
                                .missing = !factor.value});
    }
    return view;
}

std::optional<NodeDetail> ThingStory::node() const {
    if (rounds_.empty() || about_ != About::node) return std::nullopt;
    const SeenRound& last = *rounds_.back();
    const Slot slot = slot_in(last.input->snapshot);
    if (slot == kNoSlot) return std::nullopt;
    const NodeRow& row = last.input->snapshot.nodes.at(slot);
    const SeenRound* before = rounds_.size() > 1 ? rounds_[rounds_.size() - 2].get() : nullptr;
    NodeDetail out{.round = last.decision->round,
                   .line = node_line({last, before, policy_}, slot),
                   .readings = node_readings(row, last.input->now, policy_.guard.metrics_age_max),
                   .labels = node_labels(row),
                   .forecast = forecast_of(slot),
                   .moments = moments_of(history_),
                   .moments_from = from_text(rounds_.front()->decision->round)};
    for (const SeenRoundPtr& each : rounds_) {
        const NodeRow* then = each->input->snapshot.nodes.find(slot);
        const bool same = then != nullptr && then->uid == row.uid;
        const NodeForecast* node = explanation::forecast_of(each->decision->forecast, slot);
        out.history.rounds.push_back(each->decision->round);
        out.history.risk.push_back(same && node != nullptr ? node->risk : std::nullopt);
        out.history.limit.push_back(same && node != nullptr ? limit_view(node->limit)
                                                            : std::nullopt);
        const auto share = [&](const Reading<std::int64_t>& used, std::int64_t all) {
            const std::int64_t* value = used.fresh(each->input->now, policy_.guard.metrics_age_max);
            return value != nullptr ? share_of(*value, all) : std::nullopt;
        };
        out.history.cpu.push_back(same ? share(then->cpu_used_m, then->cpu_allocatable_m)
                                       : std::nullopt);
        out.history.memory.push_back(same ? share(then->memory_used, then->memory_allocatable)
                                          : std::nullopt);
    }
    list_pods(
        last.input->snapshot, [&](const PodRow& pod) { return pod.node == slot; }, out.pods,
        out.pods_total);
    return out;
}

std::optional<WorkloadDetail> ThingStory::workload() const {
    if (rounds_.empty() || about_ != About::workload) return std::nullopt;
    const SeenRound& last = *rounds_.back();
    const Slot slot = slot_in(last.input->snapshot);
    if (slot == kNoSlot) return std::nullopt;
    const WorkloadRow& row = last.input->snapshot.workloads.at(slot);
    const TimePoint now = last.input->now;
    const Duration age_max = policy_.guard.metrics_age_max;
    WorkloadDetail out{.round = last.decision->round,
                       .line = workload_line(last, row, policy_),
                       .moments = moments_of(history_),
                       .moments_from = from_text(rounds_.front()->decision->round)};
    out.readings = {{"CPU used", out.line.cpu, "millicores"},
                    {"CPU requested by a pod",
                     known_view(static_cast<double>(row.cpu_request_m), "api"), "millicores"},
                    {"memory used", out.line.memory, "bytes"},
                    {"memory requested by a pod",
                     known_view(static_cast<double>(row.memory_request), "api"), "bytes"},
                    {"requests", out.line.rate, "a second"},
                    {"latency, 95th percentile", out.line.latency_ms, "milliseconds"},
                    {"start-up, 95th percentile", duration_view(row.startup_p95, now, hours(24)),
                     "milliseconds"}};
    for (const WorkloadForecast& each : last.decision->forecast.workloads) {
        if (each.workload == slot) out.demand_m = each.demand_m;
    }
    for (const SeenRoundPtr& each : rounds_) {
        const WorkloadRow* then = each->input->snapshot.workloads.find(slot);
        const bool same = then != nullptr && then->uid == row.uid;
        out.history.rounds.push_back(each->decision->round);
        const auto number = [&](std::optional<double> value) {
            return same ? value : std::nullopt;
        };
        out.history.wanted.push_back(
            number(same ? std::optional<double>(then->wanted) : std::nullopt));
        out.history.ready.push_back(
            number(same ? std::optional<double>(then->ready) : std::nullopt));
        const Usage* cpu = same ? then->cpu_used_m.fresh(each->input->now, age_max) : nullptr;
        out.history.cpu.push_back(cpu != nullptr ? std::optional(static_cast<double>(cpu->sum))
                                                 : std::nullopt);
        const std::int64_t* rate =
            same ? then->requests_milli.fresh(each->input->now, age_max) : nullptr;
        out.history.rate.push_back(
            rate != nullptr ? std::optional(static_cast<double>(*rate) / 1000) : std::nullopt);
    }
    list_pods(
        last.input->snapshot, [&](const PodRow& pod) { return pod.workload == slot; }, out.pods,
        out.pods_total);
    return out;
}

std::vector<std::string> ThingStory::names() const {
    std::vector<std::string> out;
    if (rounds_.empty()) return out;
    const Snapshot& snapshot = rounds_.back()->input->snapshot;
    if (about_ == About::node) {
        snapshot.nodes.for_each([&](Slot, const NodeRow& row) { out.push_back(row.id.text()); });
    } else {
        snapshot.workloads.for_each(
            [&](Slot, const WorkloadRow& row) { out.push_back(row.id.text()); });
    }
    return out;
}

WorkloadLine workload_line(const SeenRound& round, const WorkloadRow& row, const Policy& policy) {
    const TimePoint now = round.input->now;
    const Duration age_max = policy.guard.metrics_age_max;
    WorkloadLine line{.name = row.id.text(),
                      .kind = std::string(enum_name(row.id.kind)),
                      .wanted = row.wanted,
                      .ready = row.ready,
                      .pending = row.pending,
                      .cpu = usage_view(row.cpu_used_m, now, age_max),
                      .memory = usage_view(row.memory_used, now, age_max),
                      .rate = reading_view(row.requests_milli, now, age_max, 1000),
                      .latency_ms = duration_view(row.latency_p95, now, age_max),
                      .scale_owner = owners_text(row),
                      .budget = budget_text(row),
                      .priority = row.priority};
    const std::pair<bool, const char*> flags[] = {
        {row.batch, "batch"},
        {row.protect, "protected"},
        {row.deliberate, "no node matches its selector"},
        {row.quorum, "quorum"},
        {row.rwo_volume, "volume of one node"},
        {row.recreate, "recreate"},
    };
    for (const auto& [is, word] : flags) {
        if (is) line.flags.emplace_back(word);
    }
    if (row.mark) {
        line.ours = "marked by us until " +
                    explanation::when(row.mark->expires, round.input->controls.simulated);
    }
    return line;
}

WorkloadsView workloads_view(const SeenRound& round, const Policy& policy, std::size_t offset,
                             std::size_t limit, std::string_view find) {
    WorkloadsView view{.round = round.decision->round};
    std::vector<std::pair<std::string, Slot>> order;
    const Table<WorkloadRow>& rows = round.input->snapshot.workloads;
    rows.for_each([&](Slot slot, const WorkloadRow& row) {
        std::string name = row.id.text();
        if (name.find(find) != std::string::npos) order.emplace_back(std::move(name), slot);
    });
    std::ranges::sort(order);
    view.total = order.size();
    for (std::size_t i = offset; i < order.size() && view.rows.size() < std::min(limit, kRowsMax);
         ++i) {
        view.rows.push_back(workload_line(round, rows.at(order[i].second), policy));
    }
    return view;
}

std::vector<std::string> names_with(const SeenRound& round, std::string_view prefix) {
    std::vector<std::string> found;
    const auto add = [&](std::string name) {
        if (name.starts_with(prefix)) found.push_back(std::move(name));
    };
    for (const char* word : {"why", "why-not"}) add(word);
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<ActionKind>>([&](auto each) {
        if (each.value != ActionKind::noop) add(each.name);
    });
    round.input->snapshot.nodes.for_each([&](Slot, const NodeRow& row) { add(row.id.text()); });
    round.input->snapshot.workloads.for_each(
        [&](Slot, const WorkloadRow& row) { add(row.id.text()); });
    std::ranges::sort(found);
    if (found.size() > kNamesMax) found.resize(kNamesMax);
    return found;
}

}  // namespace parley::web
