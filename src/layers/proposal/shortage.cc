#include "layers/proposal/shortage.h"

#include "model/watched.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace parley::proposal {
namespace {

using model::Cause;

void add(Shortage& to, const model::PendingGroup& group, bool batch) {
    to.oldest = to.pods == 0 ? group.oldest : std::min(to.oldest, group.oldest);
    to.pods += group.count;
    if (group.causes.has(Cause::cpu)) to.cpu += group.count;
    if (group.causes.has(Cause::memory)) to.memory += group.count;
    if (group.causes.has(Cause::pods)) to.places += group.count;
    if (batch) to.batch += group.count;
}

}  // namespace

std::vector<SpaceShortage> shortages_of(const model::Snapshot& snapshot,
                                        const model::Policy& policy) {
    std::map<std::string, SpaceShortage, std::less<>> found;
    for (const model::PendingGroup& group : snapshot.pending) {
        const model::WorkloadRow* workload = snapshot.workloads.find(group.workload);
        if (workload == nullptr || group.count <= 0 || workload->deliberate) continue;
        if (!group.causes.room_would_help()) continue;
        if (!model::watched(policy.namespaces, workload->id.space)) continue;
        SpaceShortage& there = found[workload->id.space.str()];
        there.space = workload->id.space;
        there.has_jobs = there.has_jobs || workload->batch;
        add(there.shortage, group, workload->batch);
    }
    if (found.empty()) return {};
    snapshot.workloads.for_each([&](Slot, const model::WorkloadRow& workload) {
        if (!workload.batch || (workload.ready <= 0 && workload.pending <= 0)) return;
        const auto there = found.find(workload.id.space.view());
        if (there != found.end()) there->second.has_jobs = true;
    });
    std::vector<SpaceShortage> out;
    for (auto& [name, there] : found) out.push_back(std::move(there));
    return out;
}

Shortage sum_of(const std::vector<SpaceShortage>& shortages) {
    Shortage sum;
    for (const SpaceShortage& each : shortages) {
        const Shortage& more = each.shortage;
        sum.oldest = sum.pods == 0 ? more.oldest : std::min(sum.oldest, more.oldest);
        sum.pods += more.pods;
        sum.cpu += more.cpu;
        sum.memory += more.memory;
        sum.places += more.places;
        sum.batch += more.batch;
    }
    return sum;
}

Shortage shortage_of(const model::Snapshot& snapshot, const model::Policy& policy) {
    return sum_of(shortages_of(snapshot, policy));
}

std::vector<std::string> short_pods(const model::Snapshot& snapshot,
                                    const std::vector<Name>& spaces, std::size_t most) {
    std::vector<std::pair<TimePoint, std::string>> found;
    snapshot.pods.for_each_glance([&](Slot slot, const model::PodRow::Glance& seen) {
        const bool waits = seen.phase == model::PodPhase::pending && !seen.terminating;
        if (!waits || !seen.pending.room_would_help()) return;
        const model::PodRow& pod = snapshot.pods.at(slot);
        const model::WorkloadRow* workload = snapshot.workloads.find(pod.workload);
        if (workload == nullptr || workload->deliberate) return;
        if (std::ranges::count(spaces, workload->id.space) == 0) return;
        found.emplace_back(pod.created, workload->id.space.str() + "/" + pod.name.text());
    });
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
    std::ranges::partial_sort(found, end);
    std::vector<std::string> names;
    for (auto it = found.begin(); it != end; ++it) names.push_back(std::move(it->second));
    return names;
}

model::ShortOf short_of(const Shortage& shortage) {
    return {.cpu = shortage.cpu > 0, .memory = shortage.memory > 0, .places = shortage.places > 0};
}

}  // namespace parley::proposal
