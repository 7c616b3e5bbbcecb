#include "layers/proposal/consent.h"

#include "model/opt_in.h"

#include <boost/mp11/algorithm.hpp>

namespace parley::proposal {
namespace {

constexpr std::uint32_t bit_of(model::ActionKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
}

}  // namespace

/// The kinds that its namespace does not allow. As in the guard: daemons stay where they are, and
/// what is protected is never touched.
Consent::Kinds Consent::of_workload(const model::WorkloadRow& row) const {
    if (row.protect || row.id.kind == model::WorkloadKind::daemon_set) return 0;
    Kinds refused = 0;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<model::ActionKind>>(
        [&](auto kind) {
            if (!opted_in(view_.policy, kind.value, row.id.space.view())) {
                refused |= bit_of(kind.value);
            }
        });
    return refused;
}

void Consent::read_pods() {
    const model::Snapshot& snapshot = view_.input.snapshot;
    std::vector<Kinds> by_workload(snapshot.workloads.end_slot(), ~Kinds{});
    snapshot.workloads.for_each(
        [&](Slot slot, const model::WorkloadRow& row) { by_workload[slot] = of_workload(row); });
    std::vector<Kinds>& refused = refused_.emplace(snapshot.nodes.end_slot(), 0);
    snapshot.pods.for_each_glance([&](Slot, const model::PodRow::Glance& pod) {
        if (pod.node >= refused.size() || pod.leaves()) return;
        refused[pod.node] |=
            pod.workload < by_workload.size() ? by_workload[pod.workload] : ~Kinds{};
    });
}

bool Consent::to(model::ActionKind kind, Slot node) {
    const bool given = asked(kind, node);
    refused_any_ = refused_any_ || !given;
    return given;
}

bool Consent::asked(model::ActionKind kind, Slot node) {
    const model::NodeRow* row = view_.input.snapshot.nodes.find(node);
    if (row != nullptr && row->left_alone) return false;
    if (view_.input.controls.mode == model::Mode::observe) return true;
    if (opted_in_everywhere(view_.policy, kind)) return true;
    if (!opted_in_somewhere(view_.policy, kind)) return false;
    if (!refused_) read_pods();
    return node >= refused_->size() || ((*refused_)[node] & bit_of(kind)) == 0;
}

}  // namespace parley::proposal
