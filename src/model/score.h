// Model: what came of a round and of an action. Exact definitions: docs/layers/execution.md.

#pragma once

#include "model/action.h"
#include "model/cost.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

/// Rewards of profile `prototype`, shown as such and never mixed with the cost account.
struct PrototypeReward {
    double safety = 0;
    double efficiency = 0;
    double admission = 0;
    double total = 0;
    friend bool operator==(const PrototypeReward&, const PrototypeReward&) = default;
};
BOOST_DESCRIBE_STRUCT(PrototypeReward, (), (safety, efficiency, admission, total))

/// (leaf, round) pairs that could be read, as far as they have this line, and those among them in
/// which nobody counted it. A cost is without what nobody counted.
struct LineGap {
    CostLine line = CostLine::lost_requests;
    std::int64_t without = 0;
    std::int64_t of = 0;
    friend bool operator==(const LineGap&, const LineGap&) = default;
};
BOOST_DESCRIBE_STRUCT(LineGap, (), (line, without, of))

/// Adds `more` to `all`, which stays in order of lines.
void add_gaps(std::vector<LineGap>& all, const std::vector<LineGap>& more);

/// Whether some line of this agent was counted somewhere. If not, its figure is missing.
bool any_counted(const std::vector<LineGap>& uncounted, Role role);

struct RoundScore {
    Cost cost;         ///< The cost of this round, over all leaves.
    Cost owned;        ///< The part that open windows own.
    double score = 0;  ///< -(alpha A + beta B + gamma C + ...), in pod-minutes.
    bool ours = true;  ///< False in observe and dry-run: measured, but not brought about by us.
    std::int32_t leaves = 0;   ///< Leaves whose cost since the last round is known.
    std::int32_t missing = 0;  ///< Leaves whose cost is not known.
    std::optional<PrototypeReward> prototype;
    /// (leaf, round) pairs of earlier rounds that could not be read until now; their cost is in
    /// this round's.
    std::int32_t settled = 0;
    std::vector<LineGap> uncounted;  ///< Lines that are not, or not everywhere, in the cost.
    friend bool operator==(const RoundScore&, const RoundScore&) = default;
};
BOOST_DESCRIBE_STRUCT(RoundScore, (),
                      (cost, owned, score, ours, leaves, missing, prototype, settled, uncounted))

/// With a smaller share of readings, a total or score is missing.
inline constexpr std::int64_t kCoveragePercent = 80;

/// If too few of so many (leaf, round) pairs could be read for a total, the reason as a clause;
/// else empty.
std::string too_little_read(std::int64_t read, std::int64_t missing);

/// Which future a twin simulates.
enum class Branch : std::uint8_t { noop, acted, loser };
BOOST_DESCRIBE_ENUM(Branch, noop, acted, loser)

struct LeafCounters {
    Target leaf;
    std::optional<WorkCounters> work;
    std::optional<NodeCounters> node;
    friend bool operator==(const LeafCounters&, const LeafCounters&) = default;
};
BOOST_DESCRIBE_STRUCT(LeafCounters, (), (leaf, work, node))

/// The state of a twin at the time of the round. The first sample of a branch is its start.
struct TwinSample {
    DecisionId action;
    Branch branch = Branch::noop;
    std::vector<LeafCounters> leaves;
    friend bool operator==(const TwinSample&, const TwinSample&) = default;
};
BOOST_DESCRIBE_STRUCT(TwinSample, (), (action, branch, leaves))

enum class ScoreState : std::uint8_t { measured, estimated, missing, open, would, censored };
BOOST_DESCRIBE_ENUM(ScoreState, measured, estimated, missing, open, would, censored)

/// What else happened on the leaves of an action while its window was open.
struct WindowNote {
    std::uint64_t round = 0;
    Target leaf;
    std::string text;  ///< Such as "failed", "scaled from 4 to 2 by others".
    friend bool operator==(const WindowNote&, const WindowNote&) = default;
};
BOOST_DESCRIBE_STRUCT(WindowNote, (), (round, leaf, text))

/// What is known of an action while its window is open.
struct OpenScore {
    DecisionId id;
    std::uint64_t round = 0;  ///< Of the decision.
    Role role = Role::safety;
    Action action;
    Target target;
    bool would = false;  ///< In observe or dry-run: nothing was sent.
    bool cut = false;
    TimePoint opened;
    TimePoint due;  ///< When its score is due; zero: its effect is not confirmed yet.
    Cost observed;  ///< So far.
    Cost noop;      ///< The cost of the twin that did nothing, so far.
    std::int64_t samples = 0;
    std::int64_t gaps = 0;
    std::vector<WindowNote> notes;
    std::vector<LineGap> uncounted;  ///< Lines that are not, or not everywhere, in the costs.
    friend bool operator==(const OpenScore&, const OpenScore&) = default;
};
BOOST_DESCRIBE_STRUCT(OpenScore, (),
                      (id, round, role, action, target, would, cut, opened, due, observed, noop,
                       samples, gaps, notes, uncounted))

/// Where a figure is with a probability of 80 %, by past errors of twins.
struct Likely {
    std::int64_t low = 0;
    std::int64_t high = 0;
    friend bool operator==(const Likely&, const Likely&) = default;
};
BOOST_DESCRIBE_STRUCT(Likely, (), (low, high))

/// With fewer past errors there is no such interval: its ends would be beyond all of them.
inline constexpr std::int32_t kLikelyNeeds = 9;

struct ClosedScore {
    DecisionId id;
    std::uint64_t round = 0;   ///< Of the decision.
    std::uint64_t closed = 0;  ///< The round in which the window closed.
    Role role = Role::safety;
    Action action;
    Target target;
    ScoreState state = ScoreState::measured;
    std::string because;  ///< Why it is missing.
    Cost observed;
    Cost noop;
    Cost advantage;                  ///< noop - observed.
    std::optional<Cost> twin_error;  ///< observed - twin that acted.
    std::optional<Cost> regret;      ///< twin that acted - best loser's twin.
    std::string loser;               ///< Which proposal that was.
    bool cut = false;  ///< A later action took over a leaf before the window was over.
    TimePoint opened;
    TimePoint ended;
    std::vector<WindowNote> notes;   ///< In order of rounds; only the first ones if there are many.
    std::int64_t samples = 0;        ///< (leaf, round) pairs that could be read ...
    std::int64_t gaps = 0;           ///< ... and that could not.
    std::vector<LineGap> uncounted;  ///< Lines that are not, or not everywhere, in the costs.
    LineSet unmodelled;              ///< Lines that its twins do not have: not in the advantage.
    std::optional<Likely> likely;    ///< Of the advantage's total, if it is estimated.
    std::int32_t past_errors = 0;    ///< Errors of twins of this kind of action that were known.
    friend bool operator==(const ClosedScore&, const ClosedScore&) = default;
};
BOOST_DESCRIBE_STRUCT(ClosedScore, (),
                      (id, round, closed, role, action, target, state, because, observed, noop,
                       advantage, twin_error, regret, loser, cut, opened, ended, notes, samples,
                       gaps, uncounted, unmodelled, likely, past_errors))

}  // namespace parley::model
