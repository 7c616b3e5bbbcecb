#include "layers/proposal/balloons.h"

#include "model/balloon.h"

#include <algorithm>
#include <cmath>

namespace parley::proposal {
namespace {

// One step lowers memory requests by at most a quarter and at least a twentieth: less is not worth
// touching pods.
constexpr double kBalloonLeast = 0.75;
constexpr double kBalloonMost = 0.95;

/// Whether a balloon on its node would lower this pod's request; a balloon that already stands is
/// not proposed again.
bool lowers(const View& view, const model::PodRow& pod, double scale) {
    const model::WorkloadRow* row = view.input.snapshot.workloads.find(pod.workload);
    if (model::PodRow::Glance(pod).leaves() || row == nullptr || row->protect) return false;
    const auto request = model::ballooned_request(*row, in_ppm(scale), view.policy, view.input.now);
    return request && pod.memory_request > *request;
}

}  // namespace

std::optional<double> balloon_scale(const View& view, const model::NodeRow& node) {
    const std::int64_t* used =
        node.memory_used.fresh(view.input.now, view.policy.guard.metrics_age_max);
    if (used == nullptr || node.memory_requested <= 0) return std::nullopt;
    const double need = static_cast<double>(*used) * view.policy.efficiency.balloon_margin;
    const double share = need / static_cast<double>(node.memory_requested);
    if (!(share <= kBalloonMost)) return std::nullopt;
    return std::max(kBalloonLeast, std::ceil(share * 100) / 100);
}

bool lowers_any(const View& view, Slot node) {
    const model::Snapshot& snapshot = view.input.snapshot;
    const auto scale = balloon_scale(view, snapshot.nodes.at(node));
    for (Slot slot = 0; scale && slot < snapshot.pods.end_slot(); ++slot) {
        const model::PodRow* pod = snapshot.pods.find(slot);
        if (pod != nullptr && pod->node == node && lowers(view, *pod, *scale)) return true;
    }
    return false;
}

std::vector<char> lowered_nodes(const View& view) {
    const model::Snapshot& snapshot = view.input.snapshot;
    std::vector<char> lowered(snapshot.nodes.end_slot(), 0);
    snapshot.pods.for_each([&](Slot, const model::PodRow& pod) {
        const model::NodeRow* node = snapshot.nodes.find(pod.node);
        if (node == nullptr || lowered[pod.node] != 0) return;
        const auto scale = balloon_scale(view, *node);
        if (scale && lowers(view, pod, *scale)) lowered[pod.node] = 1;
    });
    return lowered;
}

}  // namespace parley::proposal
