#include "layers/execution/waves.h"

#include "base/check.h"

namespace parley::execution {

using namespace model;

namespace {

bool awaits(const PlannedStep& step) { return step.then.ready_at_least > 0; }

/// The last step up to `step` that evicts a pod of this workload, as far as the plan tells: what
/// comes next is awaited before it. 0: one of the first wave, before which nothing is awaited.
std::size_t evicted_at(std::span<const PlannedStep> plan, const WorkloadId& workload,
                       std::size_t step) {
    for (std::size_t i = step; i > 0; --i) {
        const PlannedStep& before = plan[i - 1];
        if (awaits(before) && before.then.workload == workload) return i;
    }
    return 0;
}

}  // namespace

bool wave_ends_at(std::span<const PlannedStep> plan, std::size_t step) {
    PARLEY_CHECK(step < plan.size() && awaits(plan[step]));
    bool waited = false;
    bool ends = false;
    std::size_t last = 0;  // The last step after which the plan waited.
    for (std::size_t i = 0; i <= step; ++i) {
        if (!awaits(plan[i])) continue;
        ends = !waited || last < evicted_at(plan, plan[i].then.workload, i);
        if (!ends) continue;
        waited = true;
        last = i;
    }
    return ends;
}

}  // namespace parley::execution
