#include "tests/golden/world_run.h"

#include "base/check.h"
#include "fake/disk.h"
#include "guard/guard.h"
#include "layers/decide.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/attribution.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/plan.h"
#include "layers/observation/snapshot_builder.h"
#include "sim/builtin_scenarios.h"
#include "sim/twin.h"
#include "sim/world.h"
#include "store/run_reader.h"
#include "store/run_writer.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace parley::golden {

using namespace model;

namespace {

const std::string kFolder = "run";
constexpr Duration kInterval = seconds(3);  // The default of `simulate`.
constexpr int kStepsPerRoundMax = 128;      // As in the pipeline.

/// As `simulate` has it without a file: everything is allowed everywhere.
Policy open_policy() {
    OptIn everything{.space = "*", .kinds = {}};
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<ActionKind>>([&](auto kind) {
        if (kind.value != ActionKind::noop) everything.kinds.push_back(kind.value);
    });
    Policy policy;
    policy.allow = {everything};
    return policy;
}

observation::ObservationLimits limits_of(const Policy& policy) {
    return {.api_late = policy.guard.api_age_max,
            .metrics_late = policy.guard.metrics_age_max,
            .watched = observation::Watched(policy.namespaces)};
}

/// As in the pipeline: the queue's leaf stands for every Job there is.
std::vector<Target> named_leaves(const Window& window, const Snapshot& snapshot) {
    std::vector<Target> leaves = window.leaves;
    if (std::ranges::count(leaves, Target(WholeCluster{})) == 0) return leaves;
    std::vector<WorkloadId> jobs;
    snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (row.id.kind == WorkloadKind::job) jobs.push_back(row.id);
    });
    std::ranges::sort(jobs);
    for (const WorkloadId& job : jobs) {
        if (std::ranges::count(leaves, Target(job)) == 0) leaves.push_back(job);
    }
    return leaves;
}

/// What session, pipeline, observer and sender do, in their order, on a world that answers at once.
/// The golden run holds it to them: both must record the same.
class WorldRun {
public:
    WorldRun(std::shared_ptr<const sim::Scenario> scenario, std::uint64_t seed,
             store::RunWriter& writer)
        : policy_(open_policy()),
          world_(std::move(scenario), seed),
          twins_(world_),
          builder_(limits_of(policy_)),
          writer_(writer) {}

    Result<void> round() {
        if (round_ == 0) {
            if (auto kept = writer_.keep_start(memory_); !kept) return kept;
        }
        ++round_;
        const RoundInput input = observe(TimePoint{} + kInterval * static_cast<int>(round_));
        Outcome outcome = decide(input, memory_, policy_);
        if (auto kept = writer_.keep_round(input, outcome.decision, outcome.next); !kept) {
            return kept;
        }
        memory_ = std::move(outcome.next);
        ledger_ = memory_.ledger;
        follow(input, outcome.decision);
        return send(input, outcome.decision);
    }

private:
    RoundInput observe(TimePoint now) {
        world_.advance(now);
        cluster::Batch batch;
        world_.collect(batch);
        batch.complete = round_ == 1;
        builder_.take(batch, now);
        RoundInput input{.round = round_,
                         .now = now,
                         .seed = world_.seed(),
                         .snapshot = builder_.finish(round_, now),
                         .events = std::exchange(events_, {}),
                         .twins = std::exchange(samples_, {})};
        std::ranges::move(twins_.sample(now), std::back_inserter(input.twins));
        input.controls = {.mode = Mode::act,
                          .simulated = true,
                          .ledger_version = memory_.ledger.version,
                          .started_anew = round_ == 1};
        return input;
    }

    bool opened_now(const DecisionId& id) const {
        const auto& windows = memory_.derived.windows;
        const auto window = std::ranges::find(windows, id, &Window::id);
        return window != windows.end() && window->round == round_;
    }

    void follow(const RoundInput& input, const Decision& decision) {
        for (const ClosedScore& closed : decision.closed) twins_.drop(closed.id);
        const auto loser = execution::best_loser(decision.verdict);
        std::vector<PlannedStep> plan;
        if (loser) plan = execution::plan(*loser, input, policy_, decision.id).plan;
        bool forked = false;
        for (const Step& step : decision.first_steps) {
            if (!opened_now(step.action.id)) continue;
            const auto& windows = memory_.derived.windows;
            const auto window = std::ranges::find(windows, step.action.id, &Window::id);
            twins_.fork(step.action, named_leaves(*window, input.snapshot), plan);
            forked = true;
        }
        if (!forked) return;
        samples_ = twins_.sample(input.now);
        std::erase_if(samples_, [&](const TwinSample& each) { return !opened_now(each.action); });
    }

    void swap_ledger() {
        ledger_.version = stored_.version;
        if (ledger_ == stored_) return;
        stored_ = ledger_;
        ++stored_.version;
        memory_.ledger.version = stored_.version;
    }

    Result<void> send(const RoundInput& input, const Decision& decision) {
        const Memory decided = memory_;
        swap_ledger();
        const guard::Facts facts(input, decision.forecast, decided, policy_);
        for (const Step& first : decision.first_steps) {
            if (auto kept = carry_out(first, facts); !kept) return kept;
        }
        return {};
    }

    Result<void> carry_out(Step step, const guard::Facts& facts) {
        const auto rests = [](const Step& s) {
            return std::holds_alternative<Wait>(s.next) || std::holds_alternative<Done>(s.next);
        };
        for (int i = 0; i < kStepsPerRoundMax && !rests(step); ++i) {
            if (std::holds_alternative<Send>(step.next)) swap_ledger();
            const ActionEvent event = meet(step, facts);
            if (auto kept = writer_.keep_event(event); !kept) return kept;
            events_.push_back(event);
            step = execution::advance(std::move(step.action), event);
            execution::trim_note(step.action);
            const auto open = std::ranges::find(ledger_.open, step.action.id, &OpenAction::id);
            if (open != ledger_.open.end()) *open = step.action;
        }
        return {};
    }

    /// As the sender: one request, or a live read with the guard's word on it.
    ActionEvent meet(const Step& step, const guard::Facts& facts) {
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

    Policy policy_;
    sim::World world_;
    sim::Twins twins_;
    observation::SnapshotBuilder builder_;
    store::RunWriter& writer_;
    std::uint64_t round_ = 0;
    Memory memory_;
    Ledger ledger_;
    Ledger stored_;
    std::vector<ActionEvent> events_;
    std::vector<TwinSample> samples_;
};

Result<std::string> digest_on(Disk& disk) {
    auto reader = store::RunReader::open(disk, kFolder);
    if (!reader) return tl::unexpected(reader.error());
    while (true) {
        const auto round = reader->next();
        if (!round) return tl::unexpected(round.error());
        if (!*round) return reader->digest();
    }
}

}  // namespace

Result<std::string> digest_of_run(const std::string& scenario, std::uint64_t seed,
                                  std::uint64_t rounds) {
    auto found = sim::builtin_scenario(scenario, seed);
    if (!found) return fail(ErrorCode::denied, "no scenario is called '" + scenario + "'");
    fake::Disk disk;
    auto writer = store::RunWriter::create(disk, kFolder, store::RunHeader{}, store::ProcessNote{});
    if (!writer) return tl::unexpected(writer.error());
    WorldRun run(std::make_shared<const sim::Scenario>(*std::move(found)), seed, **writer);
    for (std::uint64_t i = 0; i < rounds; ++i) {
        if (const auto done = run.round(); !done) return tl::unexpected(done.error());
    }
    if (const auto ended = (*writer)->finish({}); !ended) return tl::unexpected(ended.error());
    return digest_on(disk);
}

}  // namespace parley::golden
