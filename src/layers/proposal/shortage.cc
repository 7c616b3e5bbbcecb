#include "layers/proposal/shortage.h"

#include "model/watched.h"

#include <algorithm>

namespace parley::proposal {
namespace {

using model::Cause;

/// What no amount of room would end.
constexpr Cause kBeyondRoom[] = {Cause::selector, Cause::volume, Cause::our_hold, Cause::other_gate,
                                 Cause::other_scheduler};

bool room_would_help(model::CauseSet causes) {
    const auto keeps = [&](Cause cause) { return causes.has(cause); };
    return causes.shortage() && std::ranges::none_of(kBeyondRoom, keeps);
}

void add(std::string& text, const char* what) {
    if (!text.empty()) text += " and ";
    text += what;
}

}  // namespace

Shortage shortage_of(const model::Snapshot& snapshot, const model::Policy& policy) {
    Shortage found;
    for (const model::PendingGroup& group : snapshot.pending) {
        const model::WorkloadRow* workload = snapshot.workloads.find(group.workload);
        if (workload == nullptr || group.count <= 0 || workload->deliberate) continue;
        if (!room_would_help(group.causes)) continue;
        if (!model::watched(policy.namespaces, workload->id.space)) continue;
        found.oldest = found.pods == 0 ? group.oldest : std::min(found.oldest, group.oldest);
        found.pods += group.count;
        if (group.causes.has(Cause::cpu)) found.cpu += group.count;
        if (group.causes.has(Cause::memory)) found.memory += group.count;
        if (group.causes.has(Cause::pods)) found.places += group.count;
        if (workload->batch) found.batch += group.count;
    }
    return found;
}

std::string what_is_short(const Shortage& shortage) {
    std::string text;
    if (shortage.cpu > 0) add(text, "CPU");
    if (shortage.memory > 0) add(text, "memory");
    if (shortage.places > 0) add(text, "places on nodes");
    return text.empty() ? "room" : text;
}

bool has_batch(const model::Snapshot& snapshot) {
    bool found = false;
    snapshot.workloads.for_each([&](Slot, const model::WorkloadRow& workload) {
        found = found || (workload.batch && (workload.ready > 0 || workload.pending > 0));
    });
    return found;
}

}  // namespace parley::proposal
