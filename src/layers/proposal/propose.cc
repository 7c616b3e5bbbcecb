#include "layers/proposal/propose.h"

#include "layers/proposal/admission.h"
#include "layers/proposal/efficiency.h"
#include "layers/proposal/prototype.h"
#include "layers/proposal/safety.h"
#include "layers/proposal/scaling.h"

namespace parley::proposal {

std::vector<model::Proposal> propose(const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Memory& memory,
                                     const model::Policy& policy) {
    const View view{input, forecast, memory, policy};
    if (policy.profile == model::Profile::prototype) {
        return {prototype_safety(view), prototype_efficiency(view), prototype_admission(view)};
    }
    const Safety safety;
    const Efficiency efficiency;
    const Admission admission;
    const Scaling scaling;
    std::vector<model::Proposal> all;
    for (const Agent* agent :
         {static_cast<const Agent*>(&safety), static_cast<const Agent*>(&efficiency),
          static_cast<const Agent*>(&admission), static_cast<const Agent*>(&scaling)}) {
        for (model::Proposal& proposal : agent->propose(view)) all.push_back(std::move(proposal));
    }
    return all;
}

}  // namespace parley::proposal
