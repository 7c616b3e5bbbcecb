#include "apps/parley/trace_out.h"

#include "base/json.h"

#include <optional>
#include <utility>
#include <vector>

namespace parley::app {
namespace {

std::vector<model::Cause> causes_of(model::CauseSet set) {
    std::vector<model::Cause> out;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<model::Cause>>([&](auto cause) {
        if (set.has(cause.value)) out.push_back(cause.value);
    });
    return out;
}

/// Rows as they stand in the snapshot, with names where it has slots.
TracePod pod_of(const model::Snapshot& snapshot, const model::PodRow& row) {
    TracePod pod{.uid = row.uid, .name = row.name.text()};
    if (const auto* work = snapshot.workloads.find(row.workload)) {
        pod.space = work->id.space.str();
        pod.workload = work->id.text();
    }
    if (const auto* node = snapshot.nodes.find(row.node)) pod.node = node->id.text();
    pod.phase = row.phase;
    pod.ready = row.ready;
    pod.terminating = row.terminating;
    pod.evictable = row.evictable;
    pod.waits_for = causes_of(row.pending);
    pod.restarts = row.restarts;
    pod.created = row.created;
    pod.cpu_request_m = row.cpu_request_m;
    pod.memory_request = row.memory_request;
    return pod;
}

}  // namespace

TraceRound trace_of(const model::Snapshot& snapshot) {
    TraceRound out{.round = snapshot.round, .taken = snapshot.taken, .sources = snapshot.sources};
    snapshot.nodes.for_each([&](Slot, const auto& row) { out.nodes.push_back(row); });
    snapshot.workloads.for_each([&](Slot, const auto& row) { out.workloads.push_back(row); });
    snapshot.pods.for_each(
        [&](Slot, const model::PodRow& row) { out.pods.push_back(pod_of(snapshot, row)); });
    out.queue = snapshot.queue;
    out.violations = snapshot.violations;
    out.completed = snapshot.completed;
    out.stimulus = snapshot.stimulus;
    return out;
}

Result<TraceOut> TraceOut::create(Disk& disk, const std::string& path) {
    auto file = disk.open(path, OpenMode::create_new);
    if (!file) return within("--trace-out", file.error());
    return TraceOut(*std::move(file));
}

Result<void> TraceOut::add(const model::Snapshot& snapshot) {
    return append(*file_, to_json(trace_of(snapshot)) + "\n");
}

}  // namespace parley::app
