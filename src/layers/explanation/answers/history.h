// Layer 6, explanation: rounds in, the history of one node or workload out, moment by moment.

#pragma once

#include "layers/explanation/telling/follow.h"
#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/telling/past.h"
#include "store/run_reader.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parley::explanation {

/// A round in the history of a node or workload.
struct WhyMoment {
    std::uint64_t round = 0;
    std::string at;
    std::string text;  ///< "risk 0.86 (acts above 0.25): lease 23s old", "A replicate: accepted".
    friend bool operator==(const WhyMoment&, const WhyMoment&) = default;
};
BOOST_DESCRIBE_STRUCT(WhyMoment, (), (round, at, text))

/// How many moments are kept: the first few and the newest. Among the newest, actions are kept
/// before states, so that a sign that comes and goes does not hide an action.
inline constexpr std::size_t kFirstMoments = 10;
inline constexpr std::size_t kLastMoments = 50;

/// Why nothing is known of a node or workload whose record keeps decisions only: it may well have
/// been there.
std::string not_observed(const std::string& kind, const std::string& name);

/// The history of a node (`node-07`) or workload (`shop/web`). Only changes are kept; bounded in
/// size.
class History {
public:
    enum class About : std::uint8_t { node, workload };

    History(About about, std::string name)
        : about_(about), name_(std::move(name)), interned_(Name::of(name_)) {}

    /// Takes the rounds in order; `past` must have taken the round before.
    void take(const store::RoundRecord& record, const model::Policy& policy, const Past& past);

    /// The record ends here: actions that are still open are censored, unless the run goes on.
    void end(const std::vector<model::OpenScore>& open, const Ending& ending);

    bool seen() const { return names_.contains(name_); }
    /// "node-07: highest risk 0.86 in round 142, over its own limit in 23 of 300 rounds; ...".
    std::string summary() const;
    std::vector<WhyMoment> moments() const;
    std::uint64_t left_out() const { return left_out_; }
    /// The round in which a node's risk was highest; 0: it was never known.
    std::uint64_t highest_round() const { return highest_round_; }
    /// Why the history is empty: nothing of that name ever existed; suggests the nearest name.
    /// Without `observed`, the record keeps decisions only.
    std::string unknown(bool observed = true) const;
    /// The last round in which an action on it was accepted; 0: never.
    std::uint64_t acted() const { return acted_; }

private:
    enum class Tells : std::uint8_t { what_was_done, how_it_stands };
    struct Kept {
        WhyMoment moment;
        Tells tells;
    };

    void add(std::string text, Tells tells = Tells::what_was_done);
    void add_if_new(const std::string& topic, const std::string& key, std::string text,
                    Tells tells = Tells::what_was_done);
    void take_node(const store::RoundRecord& record, const Past& past);
    void take_workload(const store::RoundRecord& record);
    void plan_on_pods(const model::OpenAction& action, const model::Snapshot& snapshot,
                      Slot workload);
    void follow_pods(const store::RoundRecord& record);
    void take_decision(const store::RoundRecord& record, const model::Policy& policy);
    bool concerns(const model::Target& target) const { return text_of(target) == name_; }

    /// An action that plans to evict or resize pods of the workload.
    struct OnPods {
        Follower follower;
        std::vector<std::size_t> steps;  ///< Indexes of those steps in its plan.
    };
    void tell_pods(const OnPods& one, bool over);

    About about_;
    std::string name_;
    Name interned_;
    std::set<std::string> names_;
    std::vector<Name> named_;  ///< By slot: whether it has this name. Nodes rarely change slots.
    std::map<std::string, std::string> told_;  ///< What was last told, by topic.
    std::vector<WhyMoment> first_;
    std::deque<Kept> last_;
    std::uint64_t left_out_ = 0;
    std::uint64_t round_ = 0;
    std::string at_;
    std::uint64_t rounds_ = 0;
    std::uint64_t over_ = 0;
    std::uint64_t actions_ = 0;
    std::uint64_t acted_ = 0;
    std::optional<double> highest_;
    std::uint64_t highest_round_ = 0;
    std::string now_;  ///< How it stands in the newest round.
    std::vector<OnPods> on_pods_;
};

}  // namespace parley::explanation
