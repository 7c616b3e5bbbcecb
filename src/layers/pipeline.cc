#include "layers/pipeline.h"

#include "base/check.h"
#include "base/clock_wait.h"
#include "base/time_text.h"
#include "layers/execution/sender.h"

#include <utility>

namespace parley {

using boost::asio::awaitable;
using namespace model;

namespace {

/// What a round takes for its dry runs when the cluster is slow to answer. The rest go without.
constexpr Duration kRehearsalMax = seconds(5);

ActionEvent event_of(const DecisionId& action, TimePoint at,
                     const Result<cluster::Rehearsed>& tried) {
    if (!tried) {
        const Error& error = tried.error();
        return {action, at, Answered{false, error.code, error.message, error.retry_after}};
    }
    if (*tried == cluster::Rehearsed::accepted) return {action, at, Answered{}};
    return {action, at, Seen{.live = {.exists = true, .applied = true}}};
}

}  // namespace

Error not_recorded(const Error& failure) {
    return within("cannot record, so nothing is sent", failure).value();
}

Pipeline::Pipeline(PipelineParts parts, RoundSettings settings, Start start)
    : parts_(std::move(parts)), core_(std::move(settings), std::move(start)) {
    PARLEY_CHECK(parts_.recorder != nullptr && parts_.stop != nullptr && parts_.observe);
    PARLEY_CHECK(parts_.hands.has_value() == (core_.settings().mode == Mode::act));
    PARLEY_CHECK(parts_.rehearsal == nullptr || core_.settings().mode == Mode::dry_run);
    if (!parts_.hands) return;
    const Hands& hands = *parts_.hands;
    PARLEY_CHECK(hands.reader != nullptr && hands.writer != nullptr && hands.ledger != nullptr);
    sender_ = std::make_unique<execution::Sender>(*hands.writer, *parts_.stop);
}

Pipeline::~Pipeline() = default;

/// Passes on a result of the recorder, and remembers a failure for ever: an append that failed
/// leaves a hole, after which nothing may be recorded.
Result<void> Pipeline::keep(Result<void> kept) {
    if (kept) return kept;
    broken_ = not_recorded(kept.error());
    return tl::unexpected<Error>(*broken_);
}

/// Whether this round may act. What another leader did meanwhile is in the ledger alone: it is read
/// whenever we begin or cease to lead.
bool Pipeline::lead() {
    if (!sender_) return false;
    const std::optional<std::uint64_t> epoch =
        parts_.leads ? parts_.leads() : std::optional(core_.settings().epoch);
    if (core_.lead(epoch)) reread_ = true;
    return epoch.has_value();
}

/// Nothing is done before the ledger is read.
awaitable<Result<void>> Pipeline::begin() {
    if (!reread_) co_return Result<void>{};
    if (parts_.hands) {
        Result<Ledger> read = co_await parts_.hands->ledger->read_ledger();
        if (!read) co_return within("reading the ledger, so nothing is sent", read.error());
        core_.take_ledger(std::move(*read));
    }
    Result<void> kept = keep(parts_.recorder->keep_start(core_.memory()));
    if (kept) {
        reread_ = false;
        started_ = true;
    }
    co_return kept;
}

awaitable<Result<void>> Pipeline::round(TimePoint now, Duration stepped) {
    if (broken_) co_return tl::unexpected<Error>(*broken_);
    bool acts = lead();
    const Result<void> known = co_await begin();
    if (!known) {
        if (broken_ || !started_) co_return known;
        // An API server may be away for long. Until the ledger can be read, rounds are those of one
        // that does not lead: nothing is sent, and everybody can see what is the matter.
        acts = false;
        (void)core_.lead(std::nullopt);
    }
    Snapshot seen = co_await parts_.observe(core_.begin(), now);
    if (parts_.since_boot) observed_ = parts_.since_boot();
    auto published = std::make_shared<Published>();
    published->input = core_.next_input(now, std::move(seen), parts_.stop->load(), parts_.twins);
    published->input.stepped = stepped;
    published->input.controls.ledger_unstored = std::exchange(unstored_, {});
    if (!known) published->input.controls.ledger_unread = known.error().message;
    core_.decide(*published);

    Result<void> fine =
        keep(parts_.recorder->keep_round(published->input, published->decision, published->memory));
    if (fine) {
        core_.go_on(*published, parts_.twins);
        if (acts) fine = co_await run_errands();
        if (parts_.rehearsal != nullptr) fine = co_await rehearse(*published);
    }
    if (fine && !known) fine = known;
    if (!fine) published->trouble = fine.error().message;
    published->events = core_.events();
    if (parts_.publish) parts_.publish(std::move(published));
    co_return fine;
}

/// How long ago the present round was observed.
Duration Pipeline::age() const {
    return parts_.since_boot ? parts_.since_boot() - observed_ : Duration{};
}

/// Asks for one change, unless too much time has passed since what it rests on was seen: then its
/// action is told that it was surely not done, and the next round reads its target and asks the
/// guard. What gives back is never too old.
awaitable<Result<void>> Pipeline::send(AskFor ask) {
    if (leaving() && !ask.stamp.undo) {
        co_return fail(ErrorCode::unavailable, "this process ends; whoever leads next goes on");
    }
    const Duration old = age();
    if (parts_.since_boot && !ask.stamp.undo) {
        if (old > kDecisionAgeMax) {
            Error late{ErrorCode::unavailable,
                       "what it was decided on was " + print_age(old) +
                           " old before it could be sent, and may be " +
                           print_duration(kDecisionAgeMax) +
                           "; it is asked again in the next round",
                       Duration{}};
            co_return tl::unexpected(std::move(late));
        }
        ask.stamp.fresh = kDecisionAgeMax - old;
    }
    co_return co_await sender_->send(std::move(ask.request), ask.only_if, ask.stamp);
}

std::optional<Errand> Pipeline::next_errand() {
    if (leaving()) core_.leave();
    return core_.next(age());
}

/// The round is durable; now its open actions take their steps. Each answer is durable before the
/// next request is sent.
awaitable<Result<void>> Pipeline::run_errands() {
    while (std::optional<Errand> errand = next_errand()) {
        if (const auto* swap = std::get_if<SwapLedger>(&*errand)) {
            const std::uint64_t expected = swap->expected;
            const Result<void> swapped = co_await swap_ledger(expected);
            if (!swapped) co_return swapped;
            continue;
        }
        ActionEvent event;
        if (auto* look = std::get_if<LookAt>(&*errand)) {
            const Result<Live> live = co_await parts_.hands->reader->read(std::move(look->subject));
            event = core_.event_of(live);
        } else {
            auto& ask = std::get<AskFor>(*errand);
            const Result<void> applied = co_await send(std::move(ask));
            event = core_.event_of(applied);
        }
        const Result<void> kept = keep(parts_.recorder->keep_event(event));
        if (!kept) co_return kept;
        core_.take(event);
    }
    co_return Result<void>{};
}

/// Asks what each request would be answered that the round would have sent. What comes back is
/// recorded and decides nothing: its actions are in no ledger.
awaitable<Result<void>> Pipeline::rehearse(const Published& round) {
    const Stopwatch begun;
    const TimePoint now = round.input.now;
    for (execution::ToRehearse& each : rehearsals_.of(round.decision, now)) {
        if (parts_.stop->load() || leaving() || begun.passed() > kRehearsalMax) break;
        const cluster::Stamp stamp{each.action, each.step};
        const auto tried = co_await parts_.rehearsal->rehearse(std::move(each.request), stamp);
        const ActionEvent event = event_of(each.action, now, tried);
        const Result<void> kept = keep(parts_.recorder->keep_event(event));
        if (!kept) co_return kept;
        core_.note(event);
    }
    co_return Result<void>{};
}

/// Replaces the stored ledger by ours. If another leader was faster, theirs is read before anything
/// else happens.
awaitable<Result<void>> Pipeline::swap_ledger(std::uint64_t expected) {
    Ledger next = core_.next_ledger();
    const Result<void> swapped =
        co_await parts_.hands->ledger->swap_ledger(expected, std::move(next));
    if (!swapped) {
        reread_ = true;
        Error failure =
            within("storing the ledger, so nothing more is sent", swapped.error()).value();
        unstored_ = failure.message;
        co_return tl::unexpected(std::move(failure));
    }
    core_.swapped();
    co_return Result<void>{};
}

}  // namespace parley
