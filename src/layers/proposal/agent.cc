#include "layers/proposal/agent.h"

#include <utility>
#include <variant>

namespace parley::proposal {

std::vector<SetAgainst> Agent::settings(const Question&, const Sight&) const { return {}; }

std::string Agent::name() const { return "Agent " + std::string(model::title_of(role())); }

AskedNode node_of(const Question& asked, const Sight& sight) {
    const auto* id = std::get_if<model::NodeId>(&asked.target);
    if (id == nullptr) return {};
    for (const model::NodeForecast& each : sight.forecast.nodes) {
        const model::NodeRow* row = sight.input.snapshot.nodes.find(each.node);
        if (row != nullptr && row->id == *id) return {row, &each};
    }
    return {};
}

std::vector<std::string> what_hinders(const Agent& agent, const Question& asked,
                                      const Sight& sight) {
    std::vector<std::string> out;
    if (std::holds_alternative<model::NodeId>(asked.target)) {
        const model::NodeRow* row = node_of(asked, sight).row;
        if (row == nullptr) return {text_of(asked.target) + " was not in the cluster then."};
        if (model::set_aside(*row)) out.push_back(row->id.text() + " was set aside on purpose.");
    }
    for (std::string& each : agent.hindrances(asked, sight)) out.push_back(std::move(each));
    return out;
}

}  // namespace parley::proposal
