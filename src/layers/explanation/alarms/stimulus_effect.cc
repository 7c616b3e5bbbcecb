#include "layers/explanation/alarms/stimulus_effect.h"

#include "base/time_text.h"
#include "layers/explanation/alarms/alarms.h"
#include "layers/explanation/wording/wording.h"
#include "model/sources.h"
#include "model/watched.h"

#include <set>

namespace parley::explanation {

using namespace model;

namespace {

/// "batch", "a, b, c and 2 more".
std::string spaces_text(std::vector<std::string> spaces) {
    constexpr std::size_t kNamed = 3;
    const std::size_t more = spaces.size() > kNamed ? spaces.size() - kNamed : 0;
    if (more > 0) {
        spaces.resize(kNamed);
        spaces.push_back(std::to_string(more) + " more");
    }
    return listed(spaces);
}

}  // namespace

std::optional<std::int64_t> amount_of(Quantity quantity, const RoundInput& input,
                                      const Policy& policy) {
    if (quantity == Quantity::queue) {
        const std::int64_t* queue = input.snapshot.queue.fresh(input.now, policy.guard.api_age_max);
        return queue != nullptr ? std::optional(*queue) : std::nullopt;
    }
    if (!delivers(input.snapshot, Source::api, input.now, policy.guard.api_age_max)) {
        return std::nullopt;
    }
    std::int64_t sum = 0;
    input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        sum += quantity == Quantity::cpu_requested ? node.cpu_requested_m : node.memory_requested;
    });
    return sum;
}

Hidden hidden_by_filter(const Stimulus& stimulus, const RoundInput& input, const Policy& policy) {
    Hidden found;
    if (stimulus.moves != Quantity::queue || policy.namespaces.empty()) return found;
    const TimePoint first = stimulus.since - kStimulusTakes;
    const bool impossible_too = policy.profile == Profile::prototype;
    std::set<std::string> spaces;
    input.snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        const bool waits = pod.phase == PodPhase::pending && !pod.terminating;
        if (!waits || pod.created < first) return;
        if (!impossible_too && pod.pending.has(Cause::impossible)) return;
        const WorkloadRow* workload = input.snapshot.workloads.find(pod.workload);
        if (workload == nullptr || watched(policy.namespaces, workload->id.space)) return;
        ++found.pods;
        spaces.insert(workload->id.space.str());
    });
    found.spaces.assign(spaces.begin(), spaces.end());
    return found;
}

std::string moved_nothing_text(const Stimulus& stimulus, const Hidden& hidden, Duration since) {
    const std::string in =
        "the exerciser is in " + stimulus.phase.str() + " since " + print_age(since) + ", ";
    if (hidden.pods > 0) {
        const bool one = hidden.spaces.size() == 1;
        return in + "and " + counted(hidden.pods, "pod waits", "pods wait") +
               (one ? " in namespace " : " in namespaces ") + spaces_text(hidden.spaces) +
               ", but policy.namespaces leaves " + (one ? "it" : "them") +
               " out, so the queue, which it meant to move, does not count " +
               (hidden.pods == 1 ? "it" : "them");
    }
    constexpr const char* kNames[] = {"nothing", "requested CPU", "requested memory", "the queue"};
    return in + "yet " + kNames[static_cast<std::size_t>(stimulus.moves)] +
           ", which it meant to move, did not";
}

}  // namespace parley::explanation
