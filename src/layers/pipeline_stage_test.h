// Tests of the pipeline: one on fakes, before a cluster of twelve nodes.

#pragma once

#include "base/run.h"
#include "fake/cluster.h"
#include "layers/execution/round_kit_test.h"
#include "layers/pipeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley {

using namespace model;
using execution::Cluster12;

/// Remembers what it is given, and fails from a given call on.
class MemoryRecorder final : public Recorder {
public:
    struct Kept {
        RoundInput input;
        Decision decision;
        Memory next;
    };
    std::vector<Memory> starts;
    std::vector<Kept> rounds;
    std::vector<ActionEvent> events;
    int calls = 0;
    int fails_from = std::numeric_limits<int>::max();

    Result<void> keep_start(const Memory& memory) override {
        if (auto failed = call()) return *failed;
        starts.push_back(memory);
        return {};
    }
    Result<void> keep_round(const RoundInput& input, const Decision& decision,
                            const Memory& next) override {
        if (auto failed = call()) return *failed;
        rounds.push_back({input, decision, next});
        return {};
    }
    Result<void> keep_event(const ActionEvent& event) override {
        if (auto failed = call()) return *failed;
        events.push_back(event);
        return {};
    }

private:
    std::optional<tl::unexpected<Error>> call() {
        if (++calls < fails_from) return std::nullopt;
        return fail(ErrorCode::unavailable, "no space left on device");
    }
};

/// A pipeline on fakes. The cluster outlives the process: `restart` makes a new pipeline on it.
struct Stage {
    Cluster12 seen;
    MemoryRecorder recorder;
    fake::Writer writer;
    fake::Reader reader{writer};
    fake::LedgerStore ledger;
    fake::Twins twins;
    fake::Rehearsal rehearsal;
    bool rehearses = false;
    std::atomic<bool> stop = false;
    std::atomic<bool> leaving = false;
    std::vector<std::shared_ptr<const Published>> published;
    std::unique_ptr<Pipeline> pipeline;
    TimePoint now = execution::kNow;
    Mode mode = Mode::act;
    bool elected = false;                    ///< Whether it is asked who leads ...
    std::optional<std::uint64_t> epoch = 1;  ///< ... and the answer.
    std::optional<Duration> boot;            ///< The time since boot, if that counts.

    Stage() {
        for (Slot slot = 0; slot < 12; ++slot) {
            const NodeRow& row = seen.kit.node(slot);
            reader.uids[row.id.text()] = row.uid;
        }
        seen.kit.input.snapshot.workloads.for_each(
            [&](Slot, const WorkloadRow& row) { reader.uids[row.id.text()] = row.uid; });
    }

    boost::asio::awaitable<Snapshot> observe(std::uint64_t round, TimePoint at) {
        co_return seen.snapshot_at(round, at);
    }

    void start(Start from = {}) {
        PipelineParts parts;
        parts.observe = [this](std::uint64_t round, TimePoint at) { return observe(round, at); };
        parts.recorder = &recorder;
        parts.stop = &stop;
        parts.leaving = &leaving;
        if (mode == Mode::act) parts.hands = Hands{&reader, &writer, &ledger};
        if (elected) parts.leads = [this] { return epoch; };
        if (boot) parts.since_boot = [this] { return *boot; };
        parts.twins = &twins;
        if (rehearses) parts.rehearsal = &rehearsal;
        parts.publish = [this](std::shared_ptr<const Published> round) {
            published.push_back(std::move(round));
        };
        RoundSettings settings{
            .policy = seen.kit.policy, .seed = 7, .mode = mode, .simulated = true};
        pipeline =
            std::make_unique<Pipeline>(std::move(parts), std::move(settings), std::move(from));
    }

    /// As after a crash: only what was recorded and what the ledger holds is left.
    void restart() {
        Start from;
        if (!recorder.rounds.empty()) {
            from.round = recorder.rounds.back().input.round;
            from.memory.derived = recorder.rounds.back().next.derived;
        }
        start(std::move(from));
    }

    Result<void> round() {
        now = now + seconds(3);
        return run(pipeline->round(now));
    }
    void rounds(int n) {
        for (int i = 0; i < n; ++i) ASSERT_TRUE(round());
    }

    void make_node_ail() {
        seen.change = [](execution::Kit& kit, TimePoint at) {
            execution::ails(kit, Cluster12::node(3), at);
        };
    }

    const Decision& last() const { return published.back()->decision; }
};

/// Six calm rounds, then one in which a node is over its limit for the first time.
inline void warm_up(Stage& stage) {
    stage.start();
    stage.rounds(6);
    stage.make_node_ail();
    stage.rounds(1);
    ASSERT_TRUE(stage.writer.asked.empty());
}

/// Rounds after which all of its plan is done: one pod of each workload is evicted in one round,
/// and web has three.
inline constexpr int kRoundsOfPlan = 4;

/// Every request is in the list at most once.
inline void expect_no_doubles(const std::vector<Request>& requests) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
        for (std::size_t j = i + 1; j < requests.size(); ++j) {
            EXPECT_FALSE(requests[i] == requests[j]) << text_of(requests[i]);
        }
    }
}

}  // namespace parley
