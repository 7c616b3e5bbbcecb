#include "layers/pipeline.h"

#include "base/check.h"
#include "guard/guard.h"
#include "layers/execution/attribution.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/plan.h"
#include "layers/execution/sender.h"

#include <algorithm>
#include <utility>

namespace parley {

using boost::asio::awaitable;
using namespace model;

namespace {

/// Steps of one action in one round; the rest comes in the next. Keeps a round short and a loop
/// that would never rest from being endless.
constexpr int kStepsPerRoundMax = 128;

bool rests(const Step& step) {
    return std::holds_alternative<Wait>(step.next) || std::holds_alternative<Done>(step.next);
}

}  // namespace

Pipeline::Pipeline(PipelineParts parts, PipelineSettings settings, Start start)
    : parts_(std::move(parts)),
      settings_(std::move(settings)),
      round_(start.round),
      memory_(std::move(start.memory)) {
    PARLEY_CHECK(parts_.recorder != nullptr && parts_.stop != nullptr && parts_.observe);
    PARLEY_CHECK(parts_.hands.has_value() == (settings_.mode == Mode::act));
    if (!parts_.hands) return;
    const Hands& hands = *parts_.hands;
    PARLEY_CHECK(hands.reader != nullptr && hands.writer != nullptr && hands.ledger != nullptr);
    sender_ = std::make_unique<execution::Sender>(*hands.reader, *hands.writer, *parts_.stop);
}

Pipeline::~Pipeline() = default;

/// Passes a result of the recorder on, and remembers a failure for ever: what could not be appended
/// once leaves a hole that nothing may be built upon.
Result<void> Pipeline::keep(Result<void> kept) {
    if (kept) return kept;
    broken_ = kept.error();
    broken_->message = "cannot record, so nothing is sent: " + broken_->message;
    return tl::unexpected<Error>(*broken_);
}

/// The ledger is authority: what another leader, or we before a crash, left there is where the
/// round goes on. Nothing is done before it was read.
awaitable<Result<void>> Pipeline::begin() {
    if (!reread_) co_return Result<void>{};
    if (parts_.hands) {
        Result<Ledger> read = co_await parts_.hands->ledger->read_ledger();
        if (!read) co_return within("reading the ledger, so nothing is decided", read.error());
        stored_ = std::move(*read);
        memory_.ledger = stored_;
        events_.clear();  // They were folded into what is no longer ours.
    }
    Result<void> kept = keep(parts_.recorder->keep_start(memory_));
    if (kept) reread_ = false;
    co_return kept;
}

RoundInput Pipeline::input_at(TimePoint now, Snapshot snapshot) {
    RoundInput input{.round = round_,
                     .now = now,
                     .seed = settings_.seed,
                     .snapshot = std::move(snapshot),
                     .events = std::exchange(events_, {}),
                     .twins = std::exchange(twins_, {})};
    if (parts_.twins != nullptr) {
        std::vector<TwinSample> samples = parts_.twins->sample(now);
        std::ranges::move(samples, std::back_inserter(input.twins));
    }
    input.controls = {.mode = settings_.mode,
                      .simulated = settings_.simulated,
                      .stop = parts_.stop->load(),
                      .epoch = settings_.epoch,
                      .ledger_version = memory_.ledger.version,
                      .started_anew = std::exchange(fresh_, false)};
    return input;
}

awaitable<Result<void>> Pipeline::round(TimePoint now, Duration stepped) {
    if (broken_) co_return tl::unexpected<Error>(*broken_);
    Result<void> fine = co_await begin();
    if (!fine) co_return fine;
    ++round_;
    Snapshot seen = co_await parts_.observe(round_, now);
    auto published = std::make_shared<Published>();
    published->input = input_at(now, std::move(seen));
    published->input.stepped = stepped;
    Outcome outcome = decide(published->input, memory_, settings_.policy, settings_.brains);
    published->decision = std::move(outcome.decision);
    published->memory = std::move(outcome.next);

    fine =
        keep(parts_.recorder->keep_round(published->input, published->decision, published->memory));
    if (fine) {
        memory_ = published->memory;
        ledger_ = memory_.ledger;
        follow(published->input, published->decision);
        if (sender_) fine = co_await send(published.get());
    }
    if (!fine) published->trouble = fine.error().message;
    published->events = events_;
    if (parts_.publish) parts_.publish(std::move(published));
    co_return fine;
}

/// Twins begin before the first request, so that they and the cluster start from the same state.
void Pipeline::follow(const RoundInput& input, const Decision& decision) {
    if (parts_.twins == nullptr) return;
    for (const ClosedScore& closed : decision.closed) parts_.twins->drop(closed.id);
    const auto loser = execution::best_loser(decision.verdict);
    std::vector<PlannedStep> plan;
    if (loser) plan = execution::plan(*loser, input, settings_.policy, decision.id).plan;
    bool forked = false;
    for (const Step& step : decision.first_steps) {
        const auto& windows = memory_.derived.windows;
        const auto window = std::ranges::find(windows, step.action.id, &Window::id);
        if (window == windows.end() || window->round != input.round) continue;
        parts_.twins->fork(step.action, execution::named_leaves(*window, input.snapshot), plan);
        forked = true;
    }
    if (!forked) return;
    twins_ = parts_.twins->sample(input.now);  // Where the new ones start.
    std::erase_if(twins_, [&](const TwinSample& sample) {
        const auto& windows = memory_.derived.windows;
        const auto window = std::ranges::find(windows, sample.action, &Window::id);
        return window == windows.end() || window->round != input.round;
    });
}

/// Replaces the stored ledger by ours. If another leader was faster, theirs is read before anything
/// else happens.
awaitable<Result<void>> Pipeline::swap_ledger() {
    const std::uint64_t expected = stored_.version;
    ledger_.version = expected;
    if (ledger_ == stored_) co_return Result<void>{};  // Nothing to say, so nothing to write.
    Ledger next = ledger_;
    next.version = expected + 1;
    const Result<void> swapped = co_await parts_.hands->ledger->swap_ledger(expected, next);
    if (!swapped) {
        reread_ = true;
        co_return within("swapping the ledger, so nothing is sent", swapped.error());
    }
    stored_ = std::move(next);
    memory_.ledger.version = expected + 1;
    co_return Result<void>{};
}

/// Append, swap, send: the round is durable; now its open actions take their steps.
awaitable<Result<void>> Pipeline::send(const Published* round) {
    Result<void> fine = co_await swap_ledger();
    const auto facts = std::make_shared<const guard::Facts>(round->input, round->decision.forecast,
                                                            round->memory, settings_.policy);
    for (const Step& first : round->decision.first_steps) {
        if (!fine) break;
        fine = co_await carry_out(first, facts);
    }
    co_return fine;
}

/// One action until it rests. What was read is durable, and the ledger says `sent`, before a
/// request leaves: whoever starts after a crash knows that it may have arrived.
awaitable<Result<void>> Pipeline::carry_out(Step step, std::shared_ptr<const guard::Facts> facts) {
    for (int i = 0; i < kStepsPerRoundMax && !rests(step); ++i) {
        if (std::holds_alternative<Send>(step.next)) {
            const Result<void> swapped = co_await swap_ledger();
            if (!swapped) co_return swapped;
        }
        const ActionEvent event = co_await sender_->carry_out(step, facts);
        const Result<void> kept = keep(parts_.recorder->keep_event(event));
        if (!kept) co_return kept;
        events_.push_back(event);
        step = execution::advance_in(ledger_, std::move(step.action), event);
    }
    co_return Result<void>{};
}

}  // namespace parley
