#include "apps/session/session.h"

#include "apps/running/kill_switch.h"
#include "apps/running/state_file.h"
#include "apps/runs/cluster_log.h"
#include "apps/runs/run_record.h"
#include "apps/runs/trace_out.h"
#include "base/run.h"
#include "layers/observation/observer.h"
#include "model/coded.h"
#include "sim/world/cluster.h"
#include "sim/world/twin.h"
#include "version.h"

#include <optional>
#include <utility>

namespace parley::app {
namespace {

/// Each followed action costs three copies of the world: a larger world is not forked, and its
/// scores say that they have no twin.
constexpr std::int64_t kTwinPodsMax = 5'000;

std::int64_t pods_in(const sim::Scenario& scenario) {
    std::int64_t pods = 0;
    for (const sim::WorkloadSpec& each : scenario.workloads) pods += each.replicas;
    return pods;
}

}  // namespace

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

struct Session::Parts {
    SessionOptions options;
    std::optional<ClusterLog> log;
    std::optional<Error> log_failed;
    std::optional<sim::Cluster> cluster;
    std::optional<observation::Observer> observer;
    std::optional<sim::Twins> twins;
    std::unique_ptr<RunRecorder> recorder;
    std::optional<Pipeline> pipeline;
    std::optional<StateFile> state;
    std::optional<TraceOut> trace;
    std::optional<Error> trace_failed;
    std::uint64_t round = 0;
    std::shared_ptr<const Published> last;

    Result<void> open();
    Result<void> remember(const store::RunHeader& header, const OpenedRecord& found);
    void wire(store::Keyframe recovered, bool lifted);
};

Result<void> Session::Parts::open() {
    if (!options.trace_out.empty()) {
        auto created = TraceOut::create(real_disk(), options.trace_out);
        if (!created) return tl::unexpected(created.error());
        trace = *std::move(created);
        trace->begin(header_of(options));
    }
    // Cluster -> its own memory.
    cluster.emplace(sim::World(options.scenario, options.seed),
                    [this](const sim::Remembered& remembered) {
                        if (!log || log_failed) return;
                        if (auto kept = log->append(remembered); !kept) log_failed = kept.error();
                    });
    const store::RunHeader header = header_of(options);
    auto opened =
        open_record(options.folder, header, options.served, options.resume, options.stages,
                    [&](const OpenedRecord& found) { return remember(header, found); });
    if (!opened) {
        if (trace) (void)real_disk().remove(options.trace_out);  // Nothing is in it yet.
        return tl::unexpected(opened.error());
    }
    recorder = std::move(opened->recorder);
    recorder->on_start = [this](const model::Memory& memory) {
        if (trace) trace->start(memory);
    };
    if (options.record != store::RecordLevel::none) {
        if (!log) {
            if (auto fine = remember(header, *opened); !fine) return fine;
        }
        const ClusterBond bond = bond_of(header, opened->born);
        if (auto begun = log->begin(real_disk(), bond); !begun) return begun;
        recorder->may_keep = [this]() -> Result<void> {
            if (log_failed) return tl::unexpected(*log_failed);
            return log->in_place();
        };
    }
    bool lifted = false;
    if (options.resume && !options.folder.empty()) {
        const bool stopped = opened->recovered.memory.ledger.stopped;
        const auto found = was_lifted_since(real_disk(), options.folder, stopped);
        if (!found) return tl::unexpected(found.error());
        lifted = *found;
    }
    wire(std::move(opened->recovered), lifted);
    if (options.record == store::RecordLevel::none) return {};
    auto file = StateFile::open(real_disk(), options.folder, header_of(options), options.stages);
    if (!file) return tl::unexpected(file.error());
    state.emplace(*std::move(file));
    return options.resume ? state->take_record(options.folder) : Result<void>();
}

/// Restores the cluster to where an earlier process left it. Writes nothing: a log of another run
/// is refused before anything of it is changed.
Result<void> Session::Parts::remember(const store::RunHeader& header, const OpenedRecord& found) {
    auto read = ClusterLog::read(real_disk(), options.folder, bond_of(header, found.born));
    if (!read) return tl::unexpected(read.error());
    if (auto whole = read->reaches(found.owed); !whole) return whole;
    if (auto again = cluster->bring_up_to(read->remembered()); !again) {
        return within(join(options.folder, "cluster.log"), again.error());
    }
    log = *std::move(read);
    return {};
}

void Session::Parts::wire(store::Keyframe recovered, bool lifted) {
    round = recovered.decision.round;
    // Cluster -> observation.
    if (recovered.input.round > 0) {
        observer.emplace(*cluster, observation::limits_of(options.policy),
                         std::move(recovered.input.snapshot));
    } else {
        observer.emplace(*cluster, observation::limits_of(options.policy));
    }
    if (options.twins && pods_in(*options.scenario) <= kTwinPodsMax) {
        twins.emplace(cluster->world());
    }
    // Observation -> decide -> record -> cluster.
    PipelineParts pipes{
        .observe = [this](std::uint64_t n, TimePoint now) { return observer->observe(n, now); },
        .recorder = recorder.get(),
        .stop = options.kill.get(),
        .twins = twins ? &*twins : nullptr,
        .publish =
            [this](std::shared_ptr<const Published> p) {
                if (state) state->take(*p);
                if (trace && !trace_failed) {
                    if (auto kept = trace->add(*p); !kept) trace_failed = kept.error();
                }
                if (options.watch) options.watch(p);
                last = std::move(p);
            }};
    if (options.mode == model::Mode::act) pipes.hands = Hands{&*cluster, &*cluster, &*cluster};
    const RoundSettings settings{.policy = options.policy,
                                 .brains = options.served.brains,
                                 .seed = options.seed,
                                 .mode = options.mode,
                                 .simulated = true,
                                 .run = model::run_id_of(options.seed, encode(*options.scenario))};
    pipeline.emplace(
        std::move(pipes), settings,
        Start{.round = round, .memory = std::move(recovered.memory), .lifted = lifted});
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
    if (done && parts_->log_failed) done = tl::unexpected(not_recorded(*parts_->log_failed));
    if (done) ++parts_->round;
    return done;
}

Result<bool> Session::next() {
    auto done = round();
    if (!done) return tl::unexpected(done.error());
    return true;
}

std::shared_ptr<const Published> Session::last() const { return parts_->last; }
std::uint64_t Session::rounds() const { return parts_->round; }
const model::Memory& Session::memory() const { return parts_->pipeline->memory(); }

Result<void> Session::finish(store::RunStatus status, const std::string& reason) {
    const SessionOptions& options = parts_->options;
    const bool kept = options.record != store::RecordLevel::none;
    auto closed = finish_record(*parts_->recorder, kept ? options.folder : "",
                                {status, reason, parts_->round});
    if (closed && parts_->trace_failed) {
        return within("--trace-out is not whole", *parts_->trace_failed);
    }
    return closed;
}

}  // namespace parley::app
