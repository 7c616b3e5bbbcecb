// Execution, for tests of whole rounds: twelve nodes, with fresh readings in every round.

#pragma once

#include "layers/execution/kit_test.h"

#include <functional>
#include <string>

namespace parley::execution {

/// node-00 to node-11 with three pods of `web` and one of `api` each, everything ready and just
/// read. A test makes its changes in `change`, which is called with every snapshot.
struct Cluster12 {
    Kit kit;
    std::function<void(Kit&, TimePoint)> change;

    Cluster12() {
        const Slot web = kit.add_workload(workload_id("web"), 36);
        const Slot api = kit.add_workload(workload_id("api"), 12);
        for (int i = 0; i < 12; ++i) {
            const std::string number = std::to_string(i);
            const Slot node = kit.add_node("node-" + std::string(2 - number.size(), '0') + number);
            model::NodeRow& row = kit.node(node);
            row.cpu_requested_m = 4000;
            row.memory_requested = std::int64_t{4} << 30;
            row.pods = 4;
            for (int pod = 0; pod < 3; ++pod) kit.add_pod(web, node);
            kit.add_pod(api, node);
        }
        // Long enough that moving everything off a node pays.
        kit.policy.stakes.toleration = minutes(30);
    }

    /// The slot of a node by its number.
    static Slot node(int number) { return static_cast<Slot>(number); }

    /// Pods of a Job that find no CPU.
    void add_queue(std::int32_t pods) {
        const Slot job = kit.add_workload(job_id("report"), pods);
        kit.workload(job).ready = 0;
        kit.workload(job).pending = pods;
        model::PendingGroup group{.workload = job, .count = pods, .oldest = kNow};
        group.causes = group.causes.with(model::Cause::cpu);
        kit.input.snapshot.pending.push_back(group);
        kit.input.snapshot.queue = measured(std::int64_t{pods});
    }

    model::Snapshot snapshot_at(std::uint64_t round, TimePoint now) {
        model::Snapshot& shown = kit.input.snapshot;
        shown.round = round;
        shown.taken = now;
        shown.sources.clear();
        for (const model::Source source : {model::Source::api, model::Source::metrics}) {
            shown.sources.push_back({.source = source,
                                     .condition = model::SourceCondition::ok,
                                     .last_success = now,
                                     .limit = seconds(60),
                                     .covered = 12,
                                     .expected = 12});
        }
        for (Slot slot = 0; slot < 12; ++slot) {
            model::NodeRow& row = kit.node(slot);
            row.lease = measured(now, now);
            row.cpu_used_m = measured(std::int64_t{5000}, now);
            row.memory_used = measured(std::int64_t{8} << 30, now);
        }
        shown.violations = measured(std::int64_t{0}, now);
        if (change) change(kit, now);
        return shown;
    }

    /// The input of the next round, three seconds later.
    model::RoundInput next() {
        ++kit.input.round;
        kit.input.now = kit.input.now + seconds(3);
        snapshot_at(kit.input.round, kit.input.now);
        return kit.input;
    }
};

/// Alive but with signs of failing: its lease is renewed late and it is short of memory.
inline void ails(Kit& kit, Slot node, TimePoint now) {
    kit.node(node).lease = measured(now - seconds(20), now - seconds(20));
    kit.node(node).memory_pressure = true;
}

}  // namespace parley::execution
