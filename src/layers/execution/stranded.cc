#include "layers/execution/stranded.h"

#include "base/time_text.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/ledger_fold.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// Pods that we evicted.
std::vector<const EvictPod*> evicted(const OpenAction& action) {
    std::vector<const EvictPod*> pods;
    for (const PlannedStep& step : action.plan) {
        const auto* evict = std::get_if<EvictPod>(&step.request);
        if (evict != nullptr && step.ours) pods.push_back(evict);
    }
    return pods;
}

/// Whether a pod comes in the place of one of those: its name has the same stem, in the same
/// namespace. Ledgers of before have no namespace in them: then the names alone must do.
bool replaces(const PodRow& pod, Name space, const std::vector<const EvictPod*>& gone) {
    const std::string_view stem = pod.name.stem.view();
    return std::ranges::any_of(gone, [&](const EvictPod* each) {
        const bool there = each->space.view().empty() || each->space == space;
        return there && std::string_view(each->name).starts_with(stem);
    });
}

}  // namespace

std::string stranded(const OpenAction& action, const RoundInput& input, const Policy& policy) {
    const std::vector<const EvictPod*> gone = evicted(action);
    if (gone.empty() || is_ending(action)) return {};
    std::map<WorkloadId, int> waiting;
    input.snapshot.pods.for_each_glance([&](Slot slot, const PodRow::Glance& seen) {
        if (seen.phase != PodPhase::pending || seen.node != kNoSlot || seen.terminating) return;
        const PodRow& pod = input.snapshot.pods.at(slot);
        if (pod.created < action.confirmed) return;  // It waited before we did anything.
        if (input.now - pod.created <= policy.guard.pending_abort) return;
        const WorkloadRow* row = input.snapshot.workloads.find(pod.workload);
        if (row == nullptr || row->batch || !replaces(pod, row->id.space, gone)) return;
        ++waiting[row->id];
    });
    if (waiting.empty()) return {};
    const auto& [id, count] = *waiting.begin();
    const std::string pods = count == 1 ? "1 pod of " : std::to_string(count) + " pods of ";
    const std::string others =
        waiting.size() == 1 ? "" : " and pods of " + std::to_string(waiting.size() - 1) + " more";
    return pods + id.text() + others + " found no node for over " +
           print_age(policy.guard.pending_abort) + " after our eviction";
}

void release_stranded(const RoundInput& input, const Policy& policy, Memory& memory,
                      std::vector<Step>& steps) {
    for (OpenAction& open : memory.ledger.open) {
        std::string because = stranded(open, input, policy);
        if (because.empty()) continue;
        std::erase_if(steps, [&](const Step& step) { return step.action.id == open.id; });
        Step step = give_up(std::move(open), ActionState::failed, std::move(because));
        trim_note(step.action);
        open = step.action;
        steps.push_back(std::move(step));
    }
}

}  // namespace parley::execution
