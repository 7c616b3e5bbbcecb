#include "sim/admission.h"

#include <algorithm>

namespace parley::sim {

Admitted admit(const AdmissionOrder& order, const NewJob& job, TimePoint now) {
    using model::AdmissionWish;
    const bool exempt = job.space == "kube-system" || job.priority >= kUrgentPriority;
    if (exempt || now >= order.until) return {AdmissionWish::admit, job.priority};
    if (order.mode == AdmissionWish::deprioritize) {
        return {AdmissionWish::deprioritize, std::min(job.priority, kLowPriority)};
    }
    return {order.mode, job.priority};
}

}  // namespace parley::sim
