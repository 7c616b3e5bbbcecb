#include "apps/live/live_session.h"

#include "apps/live/live_hands.h"
#include "apps/live/live_leading.h"
#include "apps/live/live_notes.h"
#include "apps/live/live_stop.h"
#include "apps/running/state_file.h"
#include "apps/runs/run_record.h"
#include "apps/runs/trace_out.h"
#include "base/clock.h"
#include "base/clock_round.h"
#include "base/clock_wait.h"
#include "kube/write/rehearser.h"
#include "layers/observation/observer.h"
#include "twin/twins.h"
#include "version.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace parley::app {
namespace {

/// The reader is a little slower than the loop, not by an hour.
constexpr std::size_t kWaitingMax = 256;
/// How soon a stop is noticed between rounds.
constexpr Duration kGlance = milliseconds(50);
/// A round that is not made is seen by nobody: after so many in a row the run ends and says why.
constexpr int kUnmadeMax = 20;
/// How long the end of a run waits for Events that are not written yet.
constexpr Duration kLastWords = seconds(3);

RoundSettings round_settings(const LiveOptions& options) {
    return {.policy = options.policy,
            .brains = options.served.brains,
            .seed = options.seed,
            .mode = options.mode,
            .run = model::run_id_of(options.seed, options.name)};
}

kube::ApiOptions api_options(const LiveOptions& options) {
    return {.user_agent = std::string("parley/") + kVersion, .credentials = options.credentials};
}

}  // namespace

store::RunHeader header_of(const LiveOptions& options) {
    return {.rules_version = kRulesVersion,
            .program = kProgram,
            .scenario = options.name,
            .seed = options.seed,
            .interval = options.interval,
            .mode = options.mode,
            .simulated = false,
            .record = options.record,
            .policy_digest = policy_digest(options.policy),
            .policy = options.policy};
}

struct LiveSession::Parts {
    LiveOptions options;
    std::unique_ptr<RunRecorder> recorder;
    std::shared_ptr<kube::Api> api;
    std::unique_ptr<LiveWatcher> watcher;
    std::shared_ptr<kube::ProviderDesk> desk;  ///< Null: no provider is named.
    std::unique_ptr<LiveExercise> exercise;
    std::unique_ptr<LiveHands> hands;            ///< Null: nothing can be sent.
    std::unique_ptr<LiveStop> stop;              ///< Set with the hands.
    std::unique_ptr<LiveNotes> notes;            ///< Set with the hands.
    std::shared_ptr<kube::Api> trying;           ///< Only tries; null: nothing is tried.
    std::unique_ptr<kube::Rehearser> rehearser;  ///< Set with `trying`.
    std::unique_ptr<kube::Webhook> webhook;      ///< Null: none is wanted.
    std::optional<observation::Observer> observer;
    std::optional<twin::Twins> twins;
    std::optional<Pipeline> pipeline;
    std::optional<StateFile> state;
    std::optional<TraceOut> trace;
    std::optional<Error> trace_failed;
    std::atomic<bool> leaving = false;
    std::uint64_t round = 0;  ///< Used only by the loop, like the next three.
    std::shared_ptr<RoundClock> clock = std::make_shared<RoundClock>();  ///< Never goes back.
    std::shared_ptr<const Published> taken_now;
    std::optional<explanation::Leading> leading_now;  ///< In it.
    std::atomic<bool> stopped = false;                ///< By the kill switch, in the last round.
    bool pressed = false;     ///< The kill switch was, when the last round began.
    bool hooked = false;      ///< The webhook follows its order.
    int unmade = kUnmadeMax;  ///< Rounds in a row, or since the start, that could not be made.
    std::unique_ptr<boost::asio::io_context> loop;
    std::thread thread;

    // Shared between the loop and the reader.
    mutable std::mutex mutex;
    struct Ready {
        std::shared_ptr<const Published> round;
        LiveState state;
    };
    std::deque<Ready> waiting;
    std::optional<Error> failed;
    std::vector<exercise::Happened> exercised;

    Ready taken;
    std::uint64_t taken_round = 0;
    bool closed = false;

    ~Parts();
    Result<void> open();
    void give_hands(PipelineParts& pipes);
    Result<void> open_exercise();
    Result<void> give_rehearser(PipelineParts& pipes);
    Result<void> open_webhook();
    void take(std::shared_ptr<const Published> made);
    void keep(exercise::Happened what);
    std::string remark_now() const;
    boost::asio::awaitable<void> run();
    boost::asio::awaitable<void> rounds();
    boost::asio::awaitable<bool> one_round(Duration late, std::uint64_t skipped);
    void publish(std::shared_ptr<const Published> round, Duration late, std::uint64_t skipped);
};

// Sockets must not outlive the loop, and what waits on the loop owns what it needs: so everything
// is released first, even if open() failed half-way.
LiveSession::Parts::~Parts() {
    if (api) api->quiet();
    if (trying) trying->quiet();
    if (desk) desk->quiet();
    if (exercise) exercise->quiet();
    pipeline.reset();
    webhook.reset();
    notes.reset();
    stop.reset();
    hands.reset();
    rehearser.reset();
    observer.reset();
    watcher.reset();
    exercise.reset();
    api.reset();
    trying.reset();
    desk.reset();
    loop.reset();
}

Result<void> LiveSession::Parts::open() {
    loop = std::make_unique<boost::asio::io_context>(1);
    auto made = kube::Api::make(loop->get_executor(), options.access, api_options(options));
    if (!made) return tl::unexpected(made.error());
    api = *std::move(made);
    options.prometheus.user_agent = std::string("parley/") + kVersion;
    options.prometheus.now = [time = clock] { return time->now(); };
    options.watcher.clock = clock;
    // First, so that refused settings leave no folder behind. Nothing is contacted yet.
    auto watching =
        LiveWatcher::make(loop->get_executor(), api, options.watcher, options.prometheus);
    if (!watching) return tl::unexpected(watching.error());
    watcher = *std::move(watching);
    if (!options.providers.empty()) {
        desk = std::make_shared<kube::ProviderDesk>(options.providers);
        desk->follow(loop->get_executor());
        watcher->consult(desk);
    }
    if (auto listens = open_webhook(); !listens) return listens;
    if (auto plays = open_exercise(); !plays) return plays;
    if (!options.trace_out.empty()) {
        auto created = TraceOut::create(real_disk(), options.trace_out, options.anonymise);
        if (!created) return tl::unexpected(created.error());
        trace = *std::move(created);
    }
    auto opened = open_record(options.folder, header_of(options), options.served, options.resume,
                              options.stages);
    if (!opened) return tl::unexpected(opened.error());
    recorder = std::move(opened->recorder);
    if (trace) {
        trace->begin(header_of(options));
        recorder->on_start = [this](const model::Memory& memory) { trace->start(memory); };
    }
    store::Keyframe& recovered = opened->recovered;
    round = taken_round = recovered.decision.round;

    // Cluster -> observation.
    if (recovered.input.round > 0) {
        clock->not_before(recovered.input.now);
        observer.emplace(*watcher, observation::limits_of(options.policy),
                         std::move(recovered.input.snapshot));
    } else {
        observer.emplace(*watcher, observation::limits_of(options.policy));
    }
    // Observation -> decide -> record -> cluster. Without hands, nothing can be sent.
    PipelineParts pipes{
        .observe = [this](std::uint64_t n, TimePoint now) { return observer->observe(n, now); },
        .recorder = recorder.get(),
        .stop = options.kill.get(),
        .leaving = &leaving,
        .twins = &*twins,
        .publish = [this](std::shared_ptr<const Published> p) { take(std::move(p)); }};
    give_hands(pipes);
    if (auto given = give_rehearser(pipes); !given) return given;
    pipeline.emplace(std::move(pipes), round_settings(options),
                     Start{.round = round, .memory = std::move(recovered.memory)});
    if (options.record == store::RecordLevel::none) return {};
    auto file = StateFile::open(real_disk(), options.folder, header_of(options), options.stages);
    if (!file) return tl::unexpected(file.error());
    state.emplace(*std::move(file));
    return options.resume ? state->take_record(options.folder) : Result<void>();
}

Result<void> LiveSession::Parts::open_exercise() {
    if (!options.exercise) return {};
    auto playing = LiveExercise::make(
        loop->get_executor(), options.access, options.credentials, options.name, *options.exercise,
        [this](exercise::Happened what) { keep(std::move(what)); }, options.prometheus.now);
    if (!playing) return tl::unexpected(playing.error());
    exercise = *std::move(playing);
    watcher->show(exercise.get());
    return {};
}

/// Only mode act has any.
void LiveSession::Parts::give_hands(PipelineParts& pipes) {
    if (options.mode != model::Mode::act) return;
    hands = std::make_unique<LiveHands>(api, options.home, options.seed, options.watcher.own);
    if (desk) hands->provide(desk, api);
    if (webhook) {
        hands->orders().carried_by(
            [this] { return webhook->serves(); },
            [this](const model::SetAdmission& order) { webhook->follow_order(order); });
    }
    const std::string run = std::to_string(model::run_id_of(options.seed, options.name));
    const bool kept = options.record != store::RecordLevel::none;
    stop = std::make_unique<LiveStop>(real_disk(), kept ? options.folder : "", run, options.kill,
                                      hands->stop());
    pipes.stop = &stop->now();
    pipes.hands = hands->hands();
    pipes.leads = [this] {
        pressed = stop->now();
        return hands->lead();
    };
    pipes.since_boot = [] { return read_clocks().boot; };
    LiveNotes::Parts told{.api = api,
                          .instance = hands->name(),
                          .leads = [this] { return hands->leadership().leads; },
                          .stopped = [this] { return stopped || stop->now(); }};
    notes = std::make_unique<LiveNotes>(loop->get_executor(), std::move(told), options.policy);
}

/// Only mode dry-run has one, with a connection of its own that cannot change anything.
Result<void> LiveSession::Parts::give_rehearser(PipelineParts& pipes) {
    if (options.mode != model::Mode::dry_run) return {};
    kube::ApiOptions how = api_options(options);
    how.dry_run = true;
    auto made = kube::Api::make(loop->get_executor(), options.access, std::move(how));
    if (!made) return tl::unexpected(made.error());
    trying = *std::move(made);
    rehearser = std::make_unique<kube::Rehearser>(trying, options.home, wall_now);
    pipes.rehearsal = rehearser.get();
    return {};
}

Result<void> LiveSession::Parts::open_webhook() {
    if (!options.webhook) return {};
    options.webhook->run = std::to_string(options.seed);
    auto made = kube::Webhook::start(
        api, *options.webhook, [this] { return hands ? hands->leads_for() : Duration{}; },
        [this] { return stopped || options.kill->load() || (stop && stop->now()); });
    if (!made) return within("--webhook", made.error());
    webhook = *std::move(made);
    return {};
}

void LiveSession::Parts::take(std::shared_ptr<const Published> made) {
    leading_now.reset();
    if (hands) leading_now = leading_of(hands->asked(), made->input.now);
    if (state) state->take(*made, leading_now);
    stopped = made->input.controls.stop;
    const bool by_ledger = stopped && !pressed && leading_now && leading_now->leads;
    if (by_ledger) stop->found_in_ledger();
    // Not before the first round, which knows of a stop.
    if (webhook && !std::exchange(hooked, true)) {
        boost::asio::co_spawn(*loop, webhook->follow(), boost::asio::detached);
    }
    if (notes) notes->take(*made);
    taken_now = std::move(made);
}

/// What people should know besides the round.
std::string LiveSession::Parts::remark_now() const {
    if (stop && !stop->trouble().empty()) {
        return "the stop of this run and that of the cluster do not agree yet: " + stop->trouble();
    }
    return notes ? notes->remark() : std::string();
}

void LiveSession::Parts::publish(std::shared_ptr<const Published> published, Duration late,
                                 std::uint64_t skipped) {
    Ready ready{std::move(published),
                {.cluster = watcher->cluster().facts(),
                 .leadership = hands ? hands->leadership() : kube::Leadership{},
                 .leading = leading_now,
                 .remark = remark_now(),
                 .late = late,
                 .skipped = skipped}};
    if (options.watch) options.watch(ready.round, ready.state.leading);
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(ready));
    if (waiting.size() > kWaitingMax) waiting.pop_front();
}

boost::asio::awaitable<bool> LiveSession::Parts::one_round(Duration late, std::uint64_t skipped) {
    const Duration stepped = clock->step();
    auto done = co_await pipeline->round(clock->now(), stepped);
    if (taken_now && exercise) exercise->round(round, taken_now->input.snapshot);
    if (taken_now && trace && !trace_failed) {
        if (auto kept = trace->add(*taken_now); !kept) trace_failed = kept.error();
    }
    // A ledger that cannot be read or written is the cluster's trouble: it is tried again, but not
    // at the start, where a person waits for the first round, and not for ever.
    const bool made = taken_now != nullptr;
    unmade = made ? 0 : unmade + 1;
    if (made) publish(std::move(taken_now), late, skipped);
    taken_now.reset();
    const bool goes_on = done || (!pipeline->broken() && unmade < kUnmadeMax);
    if (made && goes_on) ++round;
    if (goes_on) co_return true;
    const std::lock_guard lock(mutex);
    failed = done.error();
    co_return false;
}

void LiveSession::Parts::keep(exercise::Happened what) {
    const std::lock_guard lock(mutex);
    exercised.push_back(std::move(what));
}

/// What the exerciser put into a cluster is removed with it, however the rounds end; and whoever
/// waits to lead need not wait longer than that.
boost::asio::awaitable<void> LiveSession::Parts::run() {
    if (hands) {
        co_await hands->begin();
        boost::asio::co_spawn(*loop, stop->follow(), boost::asio::detached);
    }
    if (exercise) {
        const std::function<bool()> ends = [this] { return leaving.load(); };
        auto opened = co_await exercise->open(ends);
        if (opened) {
            co_await rounds();
            (void)co_await exercise->close();  // Errors are reported by the exerciser.
        } else if (!leaving) {
            const std::lock_guard lock(mutex);
            failed = opened.error();
        }
    } else {
        co_await rounds();
    }
    if (notes) co_await notes->settle(kLastWords);
    if (webhook) co_await webhook->end();
    if (hands) co_await hands->end();
    loop->stop();
}

/// Rounds begin at multiples of the interval. A round that takes longer makes the next one late,
/// and missed ones are skipped, so that lateness does not add up.
boost::asio::awaitable<void> LiveSession::Parts::rounds() {
    const Stopwatch begun;
    std::int64_t tick = 0;
    std::uint64_t skipped = 0;
    bool goes_on = true;
    while (goes_on && !leaving && !(options.last && round >= *options.last)) {
        const Duration due = options.interval * tick;
        while (begun.passed() < due && !leaving) {
            co_await pause(std::min(kGlance, due - begun.passed()));
        }
        if (leaving) break;
        goes_on = co_await one_round(begun.passed() - due, skipped);
        ++tick;
        while (options.interval * (tick + 1) <= begun.passed()) {
            ++tick;
            ++skipped;
        }
    }
}

LiveSession::LiveSession(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

LiveSession::~LiveSession() {
    if (parts_ == nullptr) return;
    (void)stop();
}

Result<std::unique_ptr<LiveSession>> LiveSession::open(LiveOptions options) {
    auto parts = std::make_unique<Parts>();
    parts->options = std::move(options);
    parts->twins.emplace(parts->options.policy.stakes);
    if (parts->options.mode == model::Mode::act) {
        const auto boot = [] { return read_clocks().boot; };
        parts->options.watcher.own = std::make_shared<kube::OwnWrites>(boot);
    }
    if (auto opened = parts->open(); !opened) return tl::unexpected(opened.error());
    return std::unique_ptr<LiveSession>(new LiveSession(std::move(parts)));
}

void LiveSession::start() {
    boost::asio::co_spawn(*parts_->loop, parts_->run(), boost::asio::detached);
    parts_->thread = std::thread([this] { parts_->loop->run(); });
}

Result<bool> LiveSession::next() {
    const std::lock_guard lock(parts_->mutex);
    if (parts_->waiting.empty()) {
        if (parts_->failed) return tl::unexpected(*parts_->failed);
        return false;
    }
    parts_->taken = std::move(parts_->waiting.front());
    parts_->waiting.pop_front();
    parts_->taken_round = parts_->taken.round->input.round;
    return true;
}

std::shared_ptr<const Published> LiveSession::last() const { return parts_->taken.round; }
std::uint64_t LiveSession::rounds() const { return parts_->taken_round; }
std::uint64_t LiveSession::recorded() const { return parts_->round; }
Duration LiveSession::late() const { return parts_->taken.state.late; }
LiveState LiveSession::state() const { return parts_->taken.state; }
std::optional<explanation::Leading> LiveSession::leading() const {
    return parts_->taken.state.leading;
}
std::string LiveSession::remark() const { return parts_->taken.state.remark; }
std::string LiveSession::lost_events() const {
    return parts_->notes ? parts_->notes->summary() : std::string();
}

std::vector<exercise::Happened> LiveSession::exercised() const {
    const std::lock_guard lock(parts_->mutex);
    return parts_->exercised;
}

Result<store::RunStatus> LiveSession::stop() {
    parts_->leaving = true;
    if (parts_->thread.joinable()) parts_->thread.join();
    const bool complete = parts_->options.last && parts_->round >= *parts_->options.last;
    const auto status = parts_->failed ? store::RunStatus::failed
                        : complete     ? store::RunStatus::complete
                                       : store::RunStatus::stopped;
    if (std::exchange(parts_->closed, true)) return status;
    const bool kept = parts_->options.record != store::RecordLevel::none;
    const auto closed =
        finish_record(*parts_->recorder, kept ? parts_->options.folder : "",
                      {status, parts_->failed ? parts_->failed->message : "", parts_->round});
    if (!closed) return tl::unexpected(closed.error());
    if (parts_->trace_failed) return within("--trace-out is not whole", *parts_->trace_failed);
    return status;
}

}  // namespace parley::app
