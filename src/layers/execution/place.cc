#include "layers/execution/place.h"

#include <type_traits>

namespace parley::execution {

using namespace model;

namespace {

struct SamePlace {
    const Request& other;

    template <class R>
    bool operator()(const R& a) const {
        const R& b = *std::get_if<R>(&other);
        if constexpr (std::is_same_v<R, PutMark>) {
            return a.target == b.target;
        } else if constexpr (std::is_same_v<R, SetReplicas>) {
            return a.workload == b.workload;
        } else if constexpr (std::is_same_v<R, EvictPod> || std::is_same_v<R, SetDeletionCost> ||
                             std::is_same_v<R, ResizePod> || std::is_same_v<R, MarkPod>) {
            return a.pod == b.pod;
        } else if constexpr (std::is_same_v<R, SetCpuLimit> ||
                             std::is_same_v<R, SetMemoryRequest>) {
            return a.workload == b.workload && a.node == b.node;
        } else if constexpr (std::is_same_v<R, ResumeJob>) {
            return a.job == b.job;
        } else if constexpr (std::is_same_v<R, SetAdmission> || std::is_same_v<R, SetBatchCap>) {
            return true;  // There is one for the whole cluster.
        } else {
            return a.node == b.node;
        }
    }
};

}  // namespace

bool same_place(const Request& a, const Request& b) {
    return a.index() == b.index() && std::visit(SamePlace{b}, a);
}

bool on_target(const Request& request, const Target& target) {
    if (const auto* mark = std::get_if<PutMark>(&request)) return mark->target == target;
    if (const auto* replicas = std::get_if<SetReplicas>(&request)) {
        return Target(replicas->workload) == target;
    }
    if (const auto* taint = std::get_if<SetTaint>(&request)) return Target(taint->node) == target;
    if (const auto* power = std::get_if<SetPower>(&request)) return Target(power->node) == target;
    if (const auto* clock = std::get_if<SetClock>(&request)) return Target(clock->node) == target;
    return false;
}

}  // namespace parley::execution
