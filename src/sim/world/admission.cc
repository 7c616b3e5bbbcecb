#include "sim/world/admission.h"

#include <algorithm>

namespace parley::sim {

bool meant_for(const std::vector<Name>& spaces, std::string_view space) {
    return spaces.empty() ||
           std::ranges::any_of(spaces, [&](Name name) { return name.view() == space; });
}

Admitted admit(const AdmissionOrder& order, const NewJob& job, TimePoint now) {
    using model::AdmissionWish;
    const bool exempt = job.space == "kube-system" || job.priority >= kUrgentPriority ||
                        !meant_for(order.spaces, job.space);
    if (exempt || now >= order.until) return {AdmissionWish::admit, job.priority};
    if (order.mode == AdmissionWish::deprioritize) {
        return {AdmissionWish::deprioritize, std::min(job.priority, kLowPriority)};
    }
    return {order.mode, job.priority};
}

}  // namespace parley::sim
