#include "layers/execution/rehearsals.h"

#include <utility>

namespace parley::execution {

using namespace model;

std::vector<ToRehearse> Rehearsals::of(const Decision& decision, TimePoint now) {
    std::erase_if(tried_,
                  [&](const auto& each) { return each.second + kRehearsedAgainAfter <= now; });
    std::vector<ToRehearse> out;
    for (const Step& step : decision.first_steps) {
        const OpenAction& action = step.action;
        if (action.state != ActionState::would_send || action.round != decision.round) continue;
        if (out.size() >= kRehearsedPerRoundMax) break;
        std::string what =
            std::string(enum_name(kind_of(action.action))) + " " + text_of(action.target);
        if (!tried_.emplace(std::move(what), now).second) continue;
        for (std::uint32_t i = 0; i < action.plan.size() && out.size() < kRehearsedPerRoundMax;
             ++i) {
            out.push_back({action.id, i, action.plan[i].request});
        }
    }
    return out;
}

}  // namespace parley::execution
