// Layer 3, proposal: makers of small rounds, for tests.

#pragma once

#include "layers/proposal/agent.h"

#include <optional>
#include <string>

namespace parley::proposal::kit {

inline constexpr TimePoint kNow{seconds(10'000).us};

template <class T>
model::Reading<T> read(T value, Duration age = {}, model::Source source = model::Source::metrics) {
    return model::Reading<T>(value,
                             {.received = kNow - age, .measured = kNow - age, .source = source});
}

/// Everything an agent sees, for a test to change. All sources have just delivered.
struct Round {
    model::RoundInput input;
    model::Forecast forecast;
    model::Memory memory;
    model::Policy policy;

    Round() {
        input.now = kNow;
        forecast.horizon = minutes(10);
        for (const model::Source source : {model::Source::api, model::Source::metrics}) {
            input.snapshot.sources.push_back({.source = source,
                                              .condition = model::SourceCondition::ok,
                                              .last_success = kNow,
                                              .limit = seconds(60)});
        }
    }

    View view() const { return {input, forecast, memory, policy}; }

    model::SourceState& source(model::Source which) {
        for (model::SourceState& state : input.snapshot.sources) {
            if (state.source == which) return state;
        }
        return input.snapshot.sources.emplace_back(model::SourceState{.source = which});
    }

    /// A Ready worker of 10 CPU and 1000 bytes, with fresh samples, at `slot`.
    model::NodeRow& node(Slot slot, const std::string& name) {
        model::NodeRow row;
        row.id = {Name::of(name)};
        row.uid = {0, slot + 1};
        row.ready = model::Readiness::yes;
        row.cpu_allocatable_m = 10'000;
        row.memory_allocatable = 1'000;
        row.cpu_used_m = read<std::int64_t>(0);
        row.memory_used = read<std::int64_t>(0);
        input.snapshot.nodes.put(slot, row);
        model::NodeFold fold;
        fold.uid = row.uid;
        memory.derived.nodes.put(slot, fold);
        return input.snapshot.nodes.edit(slot);
    }

    model::NodeForecast& expect(Slot slot, std::optional<double> risk,
                                std::optional<double> demand = std::nullopt) {
        model::NodeForecast& out = forecast.nodes.emplace_back();
        out.node = slot;
        out.risk = risk;
        out.demand = demand;
        return out;
    }

    /// Adds `pods` pods of a new workload that wait for these causes.
    model::WorkloadRow& waiting(std::int32_t pods, model::CauseSet causes, bool batch = true,
                                Duration age = seconds(30)) {
        model::WorkloadRow row;
        const auto slot = static_cast<Slot>(input.snapshot.workloads.size());
        row.id = {Name::of("shop"),
                  batch ? model::WorkloadKind::job : model::WorkloadKind::deployment,
                  Name::of("w" + std::to_string(slot))};
        row.batch = batch;
        row.pending = pods;
        input.snapshot.workloads.put(slot, row);
        input.snapshot.pending.push_back(
            {.workload = slot, .causes = causes, .count = pods, .oldest = kNow - age});
        return input.snapshot.workloads.edit(slot);
    }

    model::Proposal ask(const Agent& agent) const {
        std::vector<model::Proposal> all = agent.propose(view());
        return all.size() == 1 ? all.front() : model::Proposal{.because = "not one proposal"};
    }
};

inline model::CauseSet short_of(model::Cause cause) { return model::CauseSet{}.with(cause); }

/// `migrate node-07`, `admission:queue cluster`.
inline std::string text(const model::Proposal& proposal) {
    return model::text_of(proposal.action) + " " + model::text_of(proposal.target);
}

}  // namespace parley::proposal::kit
