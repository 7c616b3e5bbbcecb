#include "layers/round_core.h"

#include "base/check.h"
#include "guard/guard.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/attribution.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/place.h"
#include "layers/execution/plan.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace parley {

using namespace model;

namespace {

/// Steps of one action in one round; the rest follow in the next. Keeps a round short, and ends a
/// loop that would not end by itself.
constexpr int kStepsPerRoundMax = 128;

/// Each is a world of its own; the others of a round with many scalings go without.
constexpr int kTwinsPerRoundMax = 8;

bool rests(const Step& step) {
    return std::holds_alternative<Wait>(step.next) || std::holds_alternative<Done>(step.next);
}

/// Nothing of it is on its way; the next round reads its target and asks the guard anew.
bool can_wait(const Step& step) { return std::holds_alternative<Read>(step.next); }

Answered answer_of(const Error& error) {
    return {.ok = false,
            .code = error.code,
            .message = error.message,
            .retry_after = error.retry_after};
}

/// Whether a request changes a place for the second time since the ledger was stored. Whoever takes
/// the action up finds out by reading how far it came: that rests on every place having changed
/// once at most.
bool turns_back(const OpenAction& stored, const OpenAction& now) {
    if (now.undoing) return !stored.undoing;
    const auto since = std::span(now.plan).subspan(stored.at, now.at - stored.at);
    return std::ranges::any_of(since, [&](const PlannedStep& step) {
        return execution::same_place(step.request, now.plan[now.at].request);
    });
}

}  // namespace

RoundCore::RoundCore(RoundSettings settings, Start start)
    : settings_(std::move(settings)),
      round_(start.round),
      memory_(std::move(start.memory)),
      lifted_(start.lifted) {}

void RoundCore::take_ledger(Ledger read) {
    stored_ = std::move(read);
    memory_.ledger = stored_;
    events_.clear();
    fresh_ = true;  // How far its actions came since it was stored, nobody knows.
}

bool RoundCore::lead(std::optional<std::uint64_t> epoch) {
    const bool same = leads_ == epoch.has_value() && (!epoch || *epoch == settings_.epoch);
    leads_ = epoch.has_value();
    if (epoch) settings_.epoch = *epoch;
    return !same;
}

RoundInput RoundCore::next_input(TimePoint now, Snapshot snapshot, bool stop,
                                 cluster::Twins* twins) {
    RoundInput input{.round = round_,
                     .now = now,
                     .seed = settings_.seed,
                     .snapshot = std::move(snapshot),
                     .events = std::exchange(events_, {}),
                     .twins = std::exchange(samples_, {})};
    if (twins != nullptr) {
        std::vector<TwinSample> samples = twins->sample(now, input.snapshot);
        std::ranges::move(samples, std::back_inserter(input.twins));
    }
    if (std::exchange(pressed_, stop) && !stop) lifted_ = true;
    const bool stopped = stop || (memory_.ledger.stopped && !std::exchange(lifted_, false));
    const bool follows = settings_.mode == Mode::act && !leads_;
    input.controls = {.mode = follows ? Mode::dry_run : settings_.mode,
                      .simulated = settings_.simulated,
                      .stop = stopped,
                      .epoch = settings_.epoch,
                      .ledger_version = memory_.ledger.version,
                      .started_anew = std::exchange(fresh_, false)};
    input.run = settings_.run;
    return input;
}

void RoundCore::decide(Decided& round) const {
    Outcome outcome = parley::decide(round.input, memory_, settings_.policy, settings_.brains);
    round.decision = std::move(outcome.decision);
    round.memory = std::move(outcome.next);
}

void RoundCore::go_on(const Decided& round, cluster::Twins* twins) {
    memory_ = round.memory;
    ledger_ = memory_.ledger;
    decided_ = &round;
    first_ = 0;
    step_.reset();
    ledger_.version = stored_.version;
    swap_due_ = ledger_ != stored_;
    begun_ = false;
    facts_.reset();
    if (twins != nullptr) follow(round, *twins);
}

bool RoundCore::opened_now(const DecisionId& id) const {
    const auto& windows = memory_.derived.windows;
    const auto window = std::ranges::find(windows, id, &Window::id);
    return window != windows.end() && window->round == round_;
}

void RoundCore::follow(const Decided& round, cluster::Twins& twins) {
    for (const ClosedScore& closed : round.decision.closed) twins.drop(closed.id);
    const auto loser = execution::best_loser(round.decision.verdict);
    std::vector<PlannedStep> plan;
    if (loser) {
        plan = execution::plan(*loser, round.input, settings_.policy, round.decision.id).plan;
    }
    int forked = 0;
    for (const Step& step : round.decision.first_steps) {
        if (!opened_now(step.action.id) || forked == kTwinsPerRoundMax) continue;
        const auto& windows = memory_.derived.windows;
        const auto window = std::ranges::find(windows, step.action.id, &Window::id);
        const Snapshot& seen = round.input.snapshot;
        twins.fork(step.action, execution::named_leaves(*window, seen), plan, seen);
        ++forked;
    }
    if (forked == 0) return;
    // Where the new ones start.
    samples_ = twins.sample(round.input.now, round.input.snapshot);
    std::erase_if(samples_, [&](const TwinSample& each) { return !opened_now(each.action); });
}

/// Moves to the next action that has something to do; false: there is none.
bool RoundCore::find_step(Duration age) {
    const auto& steps = decided_->decision.first_steps;
    const bool old = age > kDecisionAgeMax;
    const auto waits = [&](const Step& step) {
        return can_wait(step) && (leaving_ || (old && !step.action.undoing));
    };
    while (!step_ || rests(*step_) || taken_ == kStepsPerRoundMax || waits(*step_)) {
        if (first_ == steps.size()) return false;
        step_ = steps[first_++];
        taken_ = 0;
    }
    return true;
}

/// What was decided is in the ledger before anything is done about it; how far it came, at the end
/// of the round and before it takes something back. Whoever starts after a crash between the two
/// knows what may have been sent: every step of what is open.
std::optional<Errand> RoundCore::next(Duration age) {
    const bool more = find_step(age);
    // Once a round: it may hold 64 plans. Most steps of an action that waits leave it as it was.
    if (!more && std::exchange(stepped_, false)) swap_due_ = ledger_ != stored_;
    if (swap_due_ && (!begun_ || !more)) return SwapLedger{stored_.version};
    begun_ = true;
    if (!more) return std::nullopt;
    if (const Send* const send = std::get_if<Send>(&step_->next)) {
        const OpenAction& action = step_->action;
        const auto stored = std::ranges::find(stored_.open, action.id, &OpenAction::id);
        if (stored != stored_.open.end() && turns_back(*stored, action)) {
            return SwapLedger{stored_.version};
        }
        return AskFor{send->request, send->only_if, {action.id, action.at, action.undoing}};
    }
    PARLEY_CHECK(std::holds_alternative<Read>(step_->next));
    return LookAt{execution::subject_of(step_->action)};
}

Ledger RoundCore::next_ledger() const {
    Ledger next = ledger_;
    next.version = stored_.version + 1;
    return next;
}

void RoundCore::swapped() {
    stored_ = next_ledger();
    ledger_.version = stored_.version;
    memory_.ledger.version = stored_.version;
    swap_due_ = false;
    begun_ = true;
}

const guard::Facts& RoundCore::facts() const {
    if (!facts_) {
        facts_.emplace(decided_->input, decided_->decision.forecast, decided_->memory,
                       settings_.policy);
    }
    return *facts_;
}

ActionEvent RoundCore::event_of(const Result<Live>& live) const {
    const OpenAction& action = step_->action;
    Seen seen;
    if (live) {
        seen.live = *live;
        // A target that is gone was seen to be gone.
    } else if (live.error().code != ErrorCode::gone) {
        return {action.id, decided_->input.now, answer_of(live.error())};
    }
    // While a workload is waited for nothing is sent, so there is nothing to ask the guard.
    if (!action.awaiting) {
        const auto refused = guard::ask_again(facts(), action, seen.live);
        if (refused) seen.refused = refused->because;
    }
    return {action.id, decided_->input.now, seen};
}

ActionEvent RoundCore::event_of(const Result<void>& applied) const {
    Answered answer;
    if (!applied) answer = answer_of(applied.error());
    return {step_->action.id, decided_->input.now, answer};
}

void RoundCore::take(const ActionEvent& event) {
    events_.push_back(event);
    step_ = execution::advance_in(ledger_, std::move(step_->action), event);
    ++taken_;
    stepped_ = true;
}

}  // namespace parley
