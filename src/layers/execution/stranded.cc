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

/// Names of pods that we evicted.
std::vector<std::string_view> evicted(const OpenAction& action) {
    std::vector<std::string_view> names;
    for (const PlannedStep& step : action.plan) {
        const auto* evict = std::get_if<EvictPod>(&step.request);
        if (evict != nullptr && step.ours) names.push_back(evict->name);
    }
    return names;
}

/// Holds the workloads that were on the target when the action began; null: no longer known.
const Window* window_of(const OpenAction& action, const Derived& derived) {
    const auto found = std::ranges::find(derived.windows, action.id, &Window::id);
    return found == derived.windows.end() ? nullptr : &*found;
}

bool was_there(const Window* window, const WorkloadId& id) {
    if (window == nullptr) return true;  // Then the names alone must do.
    const auto has = [&](const std::vector<Target>& targets) {
        return std::ranges::count(targets, Target(id)) > 0;
    };
    return has(window->leaves) || has(window->ceded);
}

}  // namespace

std::string stranded(const OpenAction& action, const RoundInput& input, const Policy& policy,
                     const Derived& derived) {
    const std::vector<std::string_view> names = evicted(action);
    if (names.empty() || action.undoing) return {};
    const Window* window = window_of(action, derived);
    std::map<WorkloadId, int> waiting;
    input.snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        if (pod.phase != PodPhase::pending || pod.node != kNoSlot || pod.terminating) return;
        if (pod.created < action.confirmed) return;  // It waited before we did anything.
        if (input.now - pod.created <= policy.guard.pending_abort) return;
        const std::string_view stem = pod.name.stem.view();
        const bool alike = std::ranges::any_of(
            names, [&](std::string_view name) { return name.starts_with(stem); });
        const WorkloadRow* row = input.snapshot.workloads.find(pod.workload);
        if (!alike || row == nullptr || row->batch || !was_there(window, row->id)) return;
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
        std::string because = stranded(open, input, policy, memory.derived);
        if (because.empty()) continue;
        std::erase_if(steps, [&](const Step& step) { return step.action.id == open.id; });
        Step step = give_up(std::move(open), ActionState::failed, std::move(because));
        trim_note(step.action);
        open = step.action;
        steps.push_back(std::move(step));
    }
}

}  // namespace parley::execution
