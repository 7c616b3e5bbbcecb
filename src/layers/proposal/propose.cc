#include "layers/proposal/propose.h"

#include "layers/proposal/prototype.h"

#include <algorithm>
#include <array>

namespace parley::proposal {

std::span<const Agent* const> agents() {
#define PARLEY_AGENT(unused, nothing, role) &BOOST_PP_CAT(role, _agent)(),
    static const std::array<const Agent*, model::kRoles.size()> kAgents = {
        BOOST_PP_SEQ_FOR_EACH(PARLEY_AGENT, ~, BOOST_PP_VARIADIC_TO_SEQ(PARLEY_ROLES))};
#undef PARLEY_AGENT
    return kAgents;
}

const Agent& agent_of(model::Role role) { return *agents()[static_cast<std::size_t>(role)]; }

const Agent* agent_for(const model::Action& action) {
    const auto all = agents();
    const auto found =
        std::ranges::find_if(all, [&](const Agent* each) { return each->may_want(action); });
    return found == all.end() ? nullptr : *found;
}

std::vector<model::Proposal> propose(const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Memory& memory,
                                     const model::Policy& policy) {
    const View view{input, forecast, memory, policy};
    if (policy.profile == model::Profile::prototype) {
        return {prototype_safety(view), prototype_efficiency(view), prototype_admission(view)};
    }
    std::vector<model::Proposal> all;
    for (const Agent* agent : agents()) {
        for (model::Proposal& proposal : agent->propose(view)) all.push_back(std::move(proposal));
    }
    return all;
}

}  // namespace parley::proposal
