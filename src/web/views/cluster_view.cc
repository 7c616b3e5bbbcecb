#include "web/views/cluster_view.h"

#include "base/number.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/wording.h"
#include "model/sources.h"

#include <algorithm>
#include <utility>

namespace parley::web {

using namespace model;

namespace {

constexpr const char* kDecisionsOnly = "this record keeps decisions only";

bool nobody_spoke(const Provenance& from) { return from.received == TimePoint{}; }

ReadingView power_view(const explanation::Told& told) {
    double milliwatts = 0;
    std::int64_t without = 0;
    bool any = false;
    bool estimated = false;
    Duration oldest;
    std::string source;
    told.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const std::int64_t* power = node.power_mw.value();
        if (power == nullptr) {
            without += node.power == Power::on ? 1 : 0;
            return;
        }
        any = true;
        milliwatts += static_cast<double>(*power);
        estimated = estimated || node.power_mw.from().origin != Origin::measured;
        oldest = std::max(oldest, node.power_mw.age(told.input.now));
        source = enum_name(node.power_mw.from().source);
    });
    if (!any) return missing_view("no source reports power");
    ReadingView view{.value = milliwatts / 1000, .age_s = in_seconds(oldest), .source = source};
    view.state = estimated ? ReadingState::estimated : ReadingState::ok;
    if (estimated) view.why = "estimated by " + told.policy.power.source;
    if (without > 0) {
        view.why += (view.why.empty() ? "" : "; ") +
                    explanation::counted(without, "node is", "nodes are") + " not in it";
    }
    return view;
}

std::optional<double> quantity_now(const explanation::Told& told, Quantity quantity) {
    const Snapshot& snapshot = told.input.snapshot;
    double sum = 0;
    switch (quantity) {
        case Quantity::none:
            return std::nullopt;
        case Quantity::queue:
            if (const std::int64_t* queue = snapshot.queue.value()) {
                return static_cast<double>(*queue);
            }
            return std::nullopt;
        case Quantity::cpu_requested:
            snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
                sum += static_cast<double>(node.cpu_requested_m);
            });
            return sum;
        case Quantity::memory_requested:
            snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
                sum += static_cast<double>(node.memory_requested);
            });
            return sum;
    }
    return std::nullopt;
}

std::string moved_text(Quantity quantity, double before, std::optional<double> now) {
    if (quantity == Quantity::none) return "it means to move nothing that is counted";
    if (!now) return "not known: nobody reports it";
    double unit = 1;
    const char* what = "queue ";
    const char* after = "";
    if (quantity == Quantity::cpu_requested) {
        unit = 1000;
        what = "CPU requested ";
        after = " cores";
    } else if (quantity == Quantity::memory_requested) {
        unit = 1024.0 * 1024 * 1024;
        what = "memory requested ";
        after = " GiB";
    }
    const int digits = quantity == Quantity::queue ? 0 : 1;
    return what + fixed(before / unit, digits) + " to " + fixed(*now / unit, digits) + after;
}

}  // namespace

ReadingView missing_view(std::string why) {
    return {.state = ReadingState::missing, .why = std::move(why)};
}

ReadingView known_view(double value, std::string source) {
    return {.value = value, .age_s = 0, .state = ReadingState::ok, .source = std::move(source)};
}

ReadingView reading_view(const Reading<std::int64_t>& reading, TimePoint now, Duration limit,
                         double divisor) {
    ReadingView view;
    if (!nobody_spoke(reading.from())) {
        view.source = enum_name(reading.from().source);
        view.age_s = std::max(0.0, in_seconds(reading.age(now)));
    }
    if (const Gap* gap = reading.gap()) {
        view.why = explanation::gap_text(*gap);
        return view;
    }
    view.value = static_cast<double>(*reading.value()) / divisor;
    view.state = ReadingState::ok;
    const Origin origin = reading.from().origin;
    if (reading.age(now) > limit) {
        view.state = ReadingState::late;
        view.why = "older than " + explanation::span_text(limit);
    } else if (origin == Origin::estimated) {
        view.state = ReadingState::estimated;
        view.why = "by a model, not measured";
    } else if (origin == Origin::assumed) {
        view.state = ReadingState::assumed;
        view.why = "from the configuration, not measured";
    }
    return view;
}

std::vector<SourceView> source_views(const RoundInput& input) {
    const auto words = explanation::source_words(input);
    std::vector<SourceView> views;
    for (const SourceState& state : input.snapshot.sources) {
        SourceView view{.name = std::string(enum_name(state.source)),
                        .condition = state.condition,
                        .limit_s = in_seconds(state.limit),
                        .covered = state.covered,
                        .expected = state.expected,
                        .reason = state.reason};
        const bool heard =
            state.condition == SourceCondition::ok || state.condition == SourceCondition::late;
        if (heard && !model::nothing_yet(state))
            view.age_s = std::max(0.0, in_seconds(input.now - state.last_success));
        const auto word = std::ranges::find(words, state.source, &explanation::SourceWord::source);
        view.text = word != words.end() ? word->text : view.name + " off";
        if (word == words.end() && !state.reason.empty()) view.text += ": " + state.reason;
        views.push_back(std::move(view));
    }
    return views;
}

ClusterView cluster_view(const explanation::Told& told) {
    const Snapshot& snapshot = told.input.snapshot;
    ClusterView view;
    const bool without = snapshot.round == 0 && snapshot.nodes.empty();
    if (without) {
        view.pending_text = std::string("? (") + kDecisionsOnly + ")";
        for (ReadingView* each : {&view.queue, &view.violations, &view.completed, &view.power}) {
            *each = missing_view(kDecisionsOnly);
        }
        return view;
    }
    const TimePoint now = told.input.now;
    const Duration age_max = told.policy.guard.api_age_max;
    std::int64_t ready = 0;
    snapshot.nodes.for_each(
        [&](Slot, const NodeRow& node) { ready += node.ready == Readiness::yes ? 1 : 0; });
    view.nodes = static_cast<std::int64_t>(snapshot.nodes.size());
    view.nodes_ready = ready;
    view.pods = static_cast<std::int64_t>(snapshot.pods.size());
    std::int64_t all = 0;
    for (const explanation::PendingWord& word : explanation::pending_words(snapshot)) {
        view.pending.push_back({.cause = word.text,
                                .count = word.count,
                                .deliberate = word.cause == Cause::selector,
                                .ours = word.cause == Cause::our_hold});
        all += word.count;
    }
    view.pending_total = all;
    view.pending_text = explanation::pending_line(snapshot);
    view.queue = reading_view(snapshot.queue, now, age_max);
    view.violations = reading_view(snapshot.violations, now, age_max);
    view.completed = reading_view(snapshot.completed, now, age_max);
    view.power = power_view(told);
    view.sources = source_views(told.input);
    return view;
}

std::optional<StimulusView> stimulus_view(const explanation::Told& told) {
    const auto& stimulus = told.input.snapshot.stimulus;
    if (!stimulus) return std::nullopt;
    const auto before = static_cast<double>(stimulus->before);
    StimulusView view{.phase = stimulus->phase.str(),
                      .text = stimulus->text,
                      .intent = explanation::intent_text(stimulus->intent),
                      .since_s = std::max(0.0, in_seconds(told.input.now - stimulus->since)),
                      .moves = std::string(enum_name(stimulus->moves)),
                      .before = before,
                      .now = quantity_now(told, stimulus->moves)};
    view.moved = moved_text(stimulus->moves, before, view.now);
    const Proposal* won = chosen(told.decision.verdict);
    if (!stimulus->intent.empty() && won != nullptr) {
        const std::string label = label_of(won->role, won->action);
        if (label != stimulus->intent) view.instead = explanation::decision_line(told.decision);
    }
    return view;
}

}  // namespace parley::web
