// Layer 3, proposal: what every agent offers, and the agents by role.

#pragma once

#include "model/round.h"

#include <boost/preprocessor/cat.hpp>
#include <boost/preprocessor/seq/for_each.hpp>
#include <boost/preprocessor/variadic/to_seq.hpp>

#include <optional>
#include <string>
#include <vector>

namespace parley::proposal {

/// Everything an agent may look at, for one round. Borrowed; read-only by type. A trained model
/// that an agent decides by is a member of its own: a pointer to an interface of src/brain, filled
/// in by `decide` from what the policy names (null: there is none, and the agent goes by its
/// rules).
struct View {
    const model::RoundInput& input;
    const model::Forecast& forecast;
    const model::Memory& memory;
    const model::Policy& policy;
};

/// The same without memory, for rounds that are read from a record. Borrowed.
struct Sight {
    const model::RoundInput& input;
    const model::Forecast& forecast;
    const model::Policy& policy;
};

/// An action that somebody asks about, in the form of a proposal.
struct Question {
    model::Action action;
    model::Target target = model::WholeCluster{};
};

/// The figure that an agent acts on for one action, its bound, and the gap between them (zero or
/// below: by this figure it would act).
struct Distance {
    std::string what;  ///< "risk", "demand", "pods short of room".
    double value = 0;
    std::string bound;  ///< "above", "below", "from".
    double limit = 0;
    double gap = 0;
    double score = 0;      ///< The score that its proposal would have.
    bool count = false;    ///< The value counts things.
    std::string sentence;  ///< "For node-03: 6.3 pod-minutes (risk 0.21 x 30.0) against 14.0."
};
/// Added to the gap if no value can reach the bound: more than any share can be away from it.
inline constexpr double kOutOfReach = 10;

/// A setting that keeps an agent from an action although the default would not.
struct SetAgainst {
    std::string setting;  ///< Without `policy.`: "stakes.margin".
    std::string is;
    std::string usual;
    std::string therefore;  ///< "it must be over its limit in 3 of 3 rounds".
};

/// Wants things and cannot do them. Pure and without state: what must last is in Memory. Every
/// proposal carries its evidence and one sentence; an agent that wants nothing proposes a Noop
/// whose sentence says how far it is from acting, or what it cannot see. Its answers about a single
/// action (`why-not`) come from the same rules, which are in no other place.
class Agent {
public:
    virtual ~Agent() = default;

    virtual model::Role role() const = 0;

    /// Called once a round; the order of agents is not defined. Returns at least one proposal, and
    /// at most one of each kind for a target.
    virtual std::vector<model::Proposal> propose(const View& view) const = 0;

    /// Whether it may propose this at all. If several agents may, the first by role answers the
    /// questions below.
    virtual bool may_want(const model::Action& action) const = 0;
    /// How far it is from proposing it. Nothing: the target does not exist, or the figure is
    /// unknown.
    virtual std::optional<Distance> distance(const Question& asked, const Sight& sight) const = 0;
    /// When it proposes it, in one sentence that begins with the agent.
    virtual std::string rule(const Question& asked, const model::Policy& policy) const = 0;
    /// What else, besides the bound, keeps it from proposing it, one sentence each; for a target
    /// that exists.
    virtual std::vector<std::string> hindrances(const Question& asked,
                                                const Sight& sight) const = 0;
    /// Settings that keep it from proposing it.
    virtual std::vector<SetAgainst> settings(const Question& asked, const Sight& sight) const;

protected:
    std::string name() const;  ///< "Agent A safety".
};

/// The node that is asked about; `row` and `forecast` are null if the round does not know it.
struct AskedNode {
    const model::NodeRow* row = nullptr;
    const model::NodeForecast* forecast = nullptr;
};
AskedNode node_of(const Question& asked, const Sight& sight);

/// The agent's hindrances, and the general ones: the node does not exist, or is set aside.
std::vector<std::string> what_hinders(const Agent& agent, const Question& asked,
                                      const Sight& sight);

/// Declares `safety_agent()` and so on, one for each role; the file of an agent defines its own.
#define PARLEY_AGENT(unused, nothing, role) const Agent& BOOST_PP_CAT(role, _agent)();
BOOST_PP_SEQ_FOR_EACH(PARLEY_AGENT, ~, BOOST_PP_VARIADIC_TO_SEQ(PARLEY_ROLES))
#undef PARLEY_AGENT

}  // namespace parley::proposal
