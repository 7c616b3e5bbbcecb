#include "apps/parley/session.h"

#include "apps/parley/cluster_log.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/run.h"
#include "layers/explanation/derived.h"
#include "layers/observation/observer.h"
#include "model/coded.h"
#include "replay/replay.h"
#include "sim/cluster.h"
#include "sim/twin.h"
#include "store/run_reader.h"
#include "store/run_writer.h"
#include "version.h"

#include <optional>
#include <utility>

namespace parley::app {
namespace {

/// The journal, or nothing, behind the pipeline's Recorder.
class RunRecorder final : public Recorder {
public:
    explicit RunRecorder(std::unique_ptr<store::RunWriter> writer) : writer_(std::move(writer)) {}

    Result<void> keep_start(const model::Memory& memory) override {
        return writer_ ? writer_->keep_start(memory) : Result<void>();
    }
    Result<void> keep_round(const model::RoundInput& input, const model::Decision& decision,
                            const model::Memory& next) override {
        return writer_ ? writer_->keep_round(input, decision, next) : Result<void>();
    }
    Result<void> keep_event(const model::ActionEvent& event) override {
        return writer_ ? writer_->keep_event(event) : Result<void>();
    }
    Result<void> finish(const store::RunEnd& end) {
        return writer_ ? writer_->finish(end) : Result<void>();
    }

private:
    std::unique_ptr<store::RunWriter> writer_;
};

store::RunHeader header_of(const SessionOptions& options) {
    return {.rules_version = kRulesVersion,
            .program = kProgram,
            .scenario = options.scenario->name,
            .scenario_bytes = encode(*options.scenario),
            .seed = options.seed,
            .interval = options.interval,
            .mode = options.mode,
            .simulated = true,
            .record = options.record,
            .policy_digest = policy_digest(options.policy),
            .policy = options.policy};
}

store::ProcessNote note(bool resumed) {
    return {.program = kProgram, .build = kBuild, .resumed = resumed, .wall_us = wall_now().us};
}

Result<void> fits(const store::RunHeader& was, const store::RunHeader& is) {
    const auto differs = [](const std::string& what) {
        return fail(ErrorCode::denied, "the run in this folder has another " + what +
                                           "; a run goes on only as it began: leave the option "
                                           "out or name another --event-dir");
    };
    if (was.rules_version != is.rules_version) return differs("rules_version");
    if (was.scenario != is.scenario) return differs("scenario (" + was.scenario + ")");
    if (was.scenario_bytes != is.scenario_bytes) return differs("version of its scenario");
    if (was.seed != is.seed) return differs("seed (" + std::to_string(was.seed) + ")");
    if (was.interval != is.interval) return differs("interval");
    if (was.mode != is.mode) return differs("mode");
    if (was.policy_digest != is.policy_digest) return differs("configuration");
    if (was.record != is.record) return differs("--record");
    return {};
}

/// Each followed action costs three copies of the world: a larger one is not forked, and its
/// scores say that they have no twin.
constexpr std::int64_t kTwinPodsMax = 5'000;

std::int64_t pods_in(const sim::Scenario& scenario) {
    std::int64_t pods = 0;
    for (const sim::WorkloadSpec& each : scenario.workloads) pods += each.replicas;
    return pods;
}

observation::ObservationLimits limits_of(const model::Policy& policy) {
    return {.api_late = policy.guard.api_age_max,
            .metrics_late = policy.guard.metrics_age_max,
            .watched = observation::Watched(policy.namespaces)};
}

}  // namespace

std::string policy_digest(const model::Policy& policy) { return hex(sha256(encode(policy))); }

struct Session::Parts {
    SessionOptions options;
    std::optional<ClusterLog> log;
    std::optional<Error> log_failed;
    std::optional<sim::Cluster> cluster;
    std::optional<observation::Observer> observer;
    std::optional<sim::Twins> twins;
    std::optional<RunRecorder> recorder;
    std::optional<Pipeline> pipeline;
    std::atomic<bool> stop = false;
    std::uint64_t round = 0;
    std::shared_ptr<const Published> last;

    Result<void> open();
    Result<store::Keyframe> recover();
    void wire(store::Keyframe recovered);
};

Result<store::Keyframe> Session::Parts::recover() {
    auto reader = store::RunReader::open(real_disk(), options.folder);
    if (!reader) return tl::unexpected(reader.error());
    if (auto ok = fits(reader->header(), header_of(options)); !ok) {
        return tl::unexpected(ok.error());
    }
    auto recovered = replay::recover(*reader);
    if (!recovered) return within("going on with " + options.folder, recovered.error());
    return recovered;
}

Result<void> Session::Parts::open() {
    store::Keyframe recovered;
    std::unique_ptr<store::RunWriter> writer;
    if (options.resume) {
        auto found = recover();
        if (!found) return tl::unexpected(found.error());
        recovered = *std::move(found);
        auto resumed = store::RunWriter::resume(real_disk(), options.folder, options.record,
                                                note(true), recovered);
        if (!resumed) return tl::unexpected(resumed.error());
        writer = *std::move(resumed);
    } else if (options.record != store::RecordLevel::none) {
        auto created =
            store::RunWriter::create(real_disk(), options.folder, header_of(options), note(false));
        if (!created) return tl::unexpected(created.error());
        writer = *std::move(created);
    }
    if (writer) {
        auto opened = ClusterLog::open(real_disk(), options.folder);
        if (!opened) return tl::unexpected(opened.error());
        log = *std::move(opened);
    }
    recorder.emplace(std::move(writer));
    wire(std::move(recovered));
    return {};
}

void Session::Parts::wire(store::Keyframe recovered) {
    sim::World world(options.scenario, options.seed);
    round = recovered.decision.round;

    // Cluster -> its own memory.
    cluster.emplace(std::move(world), [this](const sim::Remembered& remembered) {
        if (!log || log_failed) return;
        if (auto kept = log->append(remembered); !kept) log_failed = kept.error();
    });
    if (log) cluster->bring_up_to(log->remembered());
    // Cluster -> observation.
    if (round > 0) {
        observer.emplace(*cluster, limits_of(options.policy), std::move(recovered.input.snapshot));
    } else {
        observer.emplace(*cluster, limits_of(options.policy));
    }
    if (options.twins && pods_in(*options.scenario) <= kTwinPodsMax) {
        twins.emplace(cluster->world());
    }
    // Observation -> decide -> record -> cluster.
    PipelineParts pipes{
        .observe = [this](std::uint64_t n, TimePoint now) { return observer->observe(n, now); },
        .recorder = &*recorder,
        .stop = &stop,
        .twins = twins ? &*twins : nullptr,
        .publish = [this](std::shared_ptr<const Published> p) { last = std::move(p); }};
    if (options.mode == model::Mode::act) pipes.hands = Hands{&*cluster, &*cluster, &*cluster};
    const PipelineSettings settings{
        .policy = options.policy, .seed = options.seed, .mode = options.mode, .simulated = true};
    pipeline.emplace(std::move(pipes), settings,
                     Start{.round = round, .memory = std::move(recovered.memory)});
}

Session::Session(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(SessionOptions options) {
    auto parts = std::make_unique<Parts>();
    parts->options = std::move(options);
    if (auto opened = parts->open(); !opened) return tl::unexpected(opened.error());
    return std::unique_ptr<Session>(new Session(std::move(parts)));
}

Result<void> Session::round() {
    const TimePoint now =
        TimePoint{} + parts_->options.interval * static_cast<std::int64_t>(parts_->round + 1);
    Result<void> done = run(parts_->pipeline->round(now));
    if (done && parts_->log_failed) done = tl::unexpected(*parts_->log_failed);
    if (done) ++parts_->round;
    return done;
}

std::shared_ptr<const Published> Session::last() const { return parts_->last; }
std::uint64_t Session::rounds() const { return parts_->round; }
void Session::stop_acting() { parts_->stop = true; }

Result<void> Session::finish(store::RunStatus status, const std::string& reason) {
    const SessionOptions& options = parts_->options;
    const auto finished = parts_->recorder->finish({status, reason, parts_->round});
    if (!finished || options.record == store::RecordLevel::none) return finished;
    const auto derived = explanation::ensure(real_disk(), options.folder);
    if (!derived)
        return within("the run is recorded, what is derived from it is not", derived.error());
    return {};
}

}  // namespace parley::app
