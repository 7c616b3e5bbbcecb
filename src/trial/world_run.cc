#include "trial/world_run.h"

#include "base/codec.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace parley::trial {

using namespace model;

namespace {

constexpr Duration kOracleGap = minutes(2);
constexpr Duration kOracleHorizon = minutes(30);

}  // namespace

Policy open_policy() {
    OptIn everything{.space = "*", .kinds = {}};
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<ActionKind>>([&](auto kind) {
        if (kind.value != ActionKind::noop) everything.kinds.push_back(kind.value);
    });
    Policy policy;
    policy.allow = {everything};
    policy.risk.holdout = 0.1;
    return policy;
}

WorldRun::WorldRun(RunSetup setup)
    : interval_(setup.interval),
      oracle_(setup.oracle),
      run_(run_id_of(setup.seed, encode(*setup.scenario))),
      world_(std::move(setup.scenario), setup.seed),
      builder_(observation::limits_of(setup.policy)),
      core_({.policy = std::move(setup.policy),
             .brains = std::move(setup.brains),
             .seed = setup.seed,
             .mode = setup.mode,
             .simulated = true,
             .run = run_},
            {}) {
    if (setup.twins) twins_.emplace(world_);
}

void WorldRun::decide_round() {
    const std::uint64_t number = core_.begin();
    const TimePoint now = TimePoint{} + interval_ * static_cast<std::int64_t>(number);
    world_.advance(now);
    cluster::Batch batch;
    world_.collect(batch);
    batch.complete = number == 1;
    builder_.take(batch, now);
    round_.input = core_.next_input(now, builder_.finish(number, now), false, twins());
    if (oracle_) ask_oracle();
    core_.decide(round_);
    core_.go_on(round_, twins());
}

/// Answers like a perfect model: 1 for a node that fails after the gap and within the horizon.
void WorldRun::ask_oracle() {
    auto& told = core_.brains().staged.told;
    told.assign(std::max<std::size_t>(1, round_.input.snapshot.nodes.end_slot()), 0.0);
    const auto& truths = world_.truth().nodes;
    round_.input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const auto truth = std::ranges::find(truths, row.id, &sim::NodeTruth::id);
        if (truth == truths.end() || !truth->would_fail_at) return;
        const Duration left = *truth->would_fail_at - round_.input.now;
        if (left > kOracleGap && left <= kOracleHorizon) told[slot] = 1.0;
    });
}

Result<void> WorldRun::carry_out_round(const Tell& tell) {
    if (core_.settings().mode != Mode::act) return {};  // There is no writer at all.
    while (const std::optional<Errand> errand = core_.next()) {
        if (std::holds_alternative<SwapLedger>(*errand)) {
            core_.swapped();
            continue;
        }
        ActionEvent event;
        if (const auto* look = std::get_if<LookAt>(&*errand)) {
            event = core_.event_of(Result<Live>(world_.read(look->subject)));
        } else {
            const auto& ask = std::get<AskFor>(*errand);
            event = core_.event_of(world_.apply(ask.request, ask.only_if));
        }
        if (tell) {
            if (auto told = tell(event); !told) return told;
        }
        core_.take(event);
    }
    return {};
}

}  // namespace parley::trial
