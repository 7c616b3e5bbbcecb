#include "trial/world_run.h"

#include "base/check.h"
#include "guard/guard.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/attribution.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/plan.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

namespace parley::trial {

using namespace model;

namespace {

constexpr int kStepsPerRoundMax = 128;  // As in the pipeline.
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
    : setup_(std::move(setup)),
      world_(setup_.scenario, setup_.seed),
      builder_(observation::limits_of(setup_.policy)) {
    if (setup_.twins) twins_.emplace(world_);
}

void WorldRun::decide_round() {
    ++round_;
    observe(TimePoint{} + setup_.interval * static_cast<std::int64_t>(round_));
    if (setup_.oracle) ask_oracle();
    Outcome outcome = decide(input_, memory_, setup_.policy, setup_.brains);
    decision_ = std::move(outcome.decision);
    memory_ = std::move(outcome.next);
    ledger_ = memory_.ledger;
}

void WorldRun::observe(TimePoint now) {
    world_.advance(now);
    cluster::Batch batch;
    world_.collect(batch);
    batch.complete = round_ == 1;
    builder_.take(batch, now);
    input_ = RoundInput{.round = round_,
                        .now = now,
                        .seed = world_.seed(),
                        .snapshot = builder_.finish(round_, now),
                        .events = std::exchange(events_, {}),
                        .twins = std::exchange(samples_, {})};
    if (twins_) std::ranges::move(twins_->sample(now), std::back_inserter(input_.twins));
    input_.controls = {.mode = setup_.mode,
                       .simulated = true,
                       .ledger_version = memory_.ledger.version,
                       .started_anew = round_ == 1};
}

/// As a perfect model would answer: 1 for a node that fails after the gap and within the horizon.
void WorldRun::ask_oracle() {
    auto& told = setup_.brains.staged.told;
    told.assign(std::max<std::size_t>(1, input_.snapshot.nodes.end_slot()), 0.0);
    const auto& truths = world_.truth().nodes;
    input_.snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const auto truth = std::ranges::find(truths, row.id, &sim::NodeTruth::id);
        if (truth == truths.end() || !truth->would_fail_at) return;
        const Duration left = *truth->would_fail_at - input_.now;
        if (left > kOracleGap && left <= kOracleHorizon) told[slot] = 1.0;
    });
}

bool WorldRun::opened_now(const DecisionId& id) const {
    const auto& windows = memory_.derived.windows;
    const auto window = std::ranges::find(windows, id, &Window::id);
    return window != windows.end() && window->round == round_;
}

void WorldRun::follow() {
    for (const ClosedScore& closed : decision_.closed) twins_->drop(closed.id);
    const auto loser = execution::best_loser(decision_.verdict);
    std::vector<PlannedStep> plan;
    if (loser) plan = execution::plan(*loser, input_, setup_.policy, decision_.id).plan;
    bool forked = false;
    for (const Step& step : decision_.first_steps) {
        if (!opened_now(step.action.id)) continue;
        const auto& windows = memory_.derived.windows;
        const auto window = std::ranges::find(windows, step.action.id, &Window::id);
        twins_->fork(step.action, execution::named_leaves(*window, input_.snapshot), plan);
        forked = true;
    }
    if (!forked) return;
    samples_ = twins_->sample(input_.now);
    std::erase_if(samples_, [&](const TwinSample& each) { return !opened_now(each.action); });
}

void WorldRun::swap_ledger() {
    ledger_.version = stored_.version;
    if (ledger_ == stored_) return;
    stored_ = ledger_;
    ++stored_.version;
    memory_.ledger.version = stored_.version;
}

Result<void> WorldRun::carry_out_round(const Tell& tell) {
    if (twins_) follow();
    if (setup_.mode != Mode::act) return {};  // No writer is built at all.
    const Memory decided = memory_;
    swap_ledger();
    const guard::Facts facts(input_, decision_.forecast, decided, setup_.policy);
    for (const Step& first : decision_.first_steps) {
        if (auto told = carry_out(first, facts, tell); !told) return told;
    }
    return {};
}

Result<void> WorldRun::carry_out(Step step, const guard::Facts& facts, const Tell& tell) {
    const auto rests = [](const Step& s) {
        return std::holds_alternative<Wait>(s.next) || std::holds_alternative<Done>(s.next);
    };
    for (int i = 0; i < kStepsPerRoundMax && !rests(step); ++i) {
        if (std::holds_alternative<Send>(step.next)) swap_ledger();
        const ActionEvent event = meet(step, facts);
        if (tell) {
            if (auto told = tell(event); !told) return told;
        }
        events_.push_back(event);
        step = execution::advance_in(ledger_, std::move(step.action), event);
    }
    return {};
}

/// As the sender: one request, or a live read with the guard's word on it.
ActionEvent WorldRun::meet(const Step& step, const guard::Facts& facts) {
    if (const auto* send = std::get_if<Send>(&step.next)) {
        const auto applied = world_.apply(send->request, send->only_if);
        Answered answer;
        if (!applied) {
            const Error& error = applied.error();
            answer = {.ok = false,
                      .code = error.code,
                      .message = error.message,
                      .retry_after = error.retry_after};
        }
        return {step.action.id, facts.now(), answer};
    }
    PARLEY_CHECK(std::holds_alternative<Read>(step.next));
    Seen seen;
    seen.live = world_.read(execution::subject_of(step.action));
    if (!step.action.awaiting) {
        const auto refused = guard::ask_again(facts, step.action, seen.live);
        if (refused) seen.refused = refused->because;
    }
    return {step.action.id, facts.now(), seen};
}

}  // namespace parley::trial
