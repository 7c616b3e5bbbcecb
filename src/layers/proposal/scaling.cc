#include "layers/proposal/agent.h"

namespace parley::proposal {
namespace {

/// Takes the place of agent D, which is not in this build. Says so in every round, so that its
/// silence is not taken for an opinion.
class Scaling final : public Agent {
public:
    model::Role role() const override { return model::Role::scaling; }

    std::vector<model::Proposal> propose(const View&) const override {
        return {{.role = role(), .action = model::Noop{}, .because = "skipped: not in this build"}};
    }
    bool may_want(const model::Action& action) const override {
        return std::holds_alternative<model::Scale>(action);
    }
    std::optional<Distance> distance(const Question&, const Sight&) const override { return {}; }
    std::string rule(const Question&, const model::Policy&) const override {
        return name() + " is not in this build.";
    }
    std::vector<std::string> hindrances(const Question&, const Sight&) const override { return {}; }
};

}  // namespace

const Agent& scaling_agent() {
    static const Scaling agent;
    return agent;
}

}  // namespace parley::proposal
