// Model: what agents want, and what became of it.

#pragma once

#include "model/action.h"
#include "model/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::model {

/// What kind of figure a piece of evidence is: how it is written, and on which scale it is drawn.
enum class Measure : std::uint8_t {
    untold,  ///< There is no figure, or the record is from before it was said.
    risk,    ///< A probability, on a scale of odds.
    demand,  ///< A share of what a node can give.
    count,   ///< A number of things, such as pods.
    share,   ///< Another share, 0 to 1.
};
BOOST_DESCRIBE_ENUM(Measure, untold, risk, demand, count, share)

/// The figure an agent acts on, beside the bound from which it acts: for people, and for `why-not`.
struct Evidence {
    std::string what;  ///< Such as `risk`, `demand`, `pods short of CPU`.
    double value = 0;
    std::string bound;  ///< Such as `above`, `below`, `from`; empty: there is no bound.
    double limit = 0;
    Measure measure = Measure::untold;

    friend bool operator==(const Evidence&, const Evidence&) = default;
};
BOOST_DESCRIBE_STRUCT(Evidence, (), (what, value, bound, limit, measure))

struct Proposal {
    Role role = Role::safety;
    Action action;
    Target target = WholeCluster{};
    double score = 0;  ///< Compared only within a rank.
    Evidence evidence;
    std::string because;                ///< One sentence for a person.
    std::vector<std::string> rests_on;  ///< Pods it is about, `space/name`; the first of many.

    friend bool operator==(const Proposal&, const Proposal&) = default;
};
BOOST_DESCRIBE_STRUCT(Proposal, (), (role, action, target, score, evidence, because, rests_on))

struct Accepted {
    friend bool operator==(const Accepted&, const Accepted&) = default;
};
BOOST_DESCRIBE_STRUCT(Accepted, (), ())
struct Overridden {
    std::string rule;
    Role by = Role::safety;
    std::string because;
    friend bool operator==(const Overridden&, const Overridden&) = default;
};
BOOST_DESCRIBE_STRUCT(Overridden, (), (rule, by, because))
struct Refused {
    std::string rule;
    std::string because;
    friend bool operator==(const Refused&, const Refused&) = default;
};
BOOST_DESCRIBE_STRUCT(Refused, (), (rule, because))
/// The rule that withholds a safety action to which nothing else objected: see docs/brains.md.
inline constexpr const char* kHoldoutRule = "hold-out";
struct Idle {
    std::string because;
    friend bool operator==(const Idle&, const Idle&) = default;
};
BOOST_DESCRIBE_STRUCT(Idle, (), (because))

using Fate = std::variant<Accepted, Overridden, Refused, Idle>;

/// "accepted", "overridden", "refused" or "idle".
inline std::string_view fate_name(const Fate& fate) {
    constexpr std::array<std::string_view, 4> kNames = {"accepted", "overridden", "refused",
                                                        "idle"};
    static_assert(kNames.size() == std::variant_size_v<Fate>);
    return kNames[fate.index()];
}

/// How close the guard was to refusing: the rule with the least room left.
struct GuardReport {
    std::int32_t passed = 0;
    std::int32_t asked = 0;
    std::string closest;  ///< Such as "nodes disrupted: 1 of 1 allowed".
    /// Only in profile `prototype`, which ranks proposals before asking the guard: what the guard
    /// objects to. If the proposal wins, it is held. Elsewhere a refusal is the proposal's fate.
    std::optional<Refused> held;
    friend bool operator==(const GuardReport&, const GuardReport&) = default;
};
BOOST_DESCRIBE_STRUCT(GuardReport, (), (passed, asked, closest, held))

struct Judged {
    Proposal proposal;
    Fate fate;
    GuardReport guard;
    double probability = 1;  ///< With which it was chosen; 1 when nothing is random.
    friend bool operator==(const Judged&, const Judged&) = default;
};
BOOST_DESCRIBE_STRUCT(Judged, (), (proposal, fate, guard, probability))

enum class Contest : std::uint8_t { idle, uncontested, contested };
BOOST_DESCRIBE_ENUM(Contest, idle, uncontested, contested)

struct Verdict {
    std::uint64_t round = 0;
    std::vector<Proposal> accepted;  ///< In the order in which to carry them out.
    std::vector<Judged> judged;      ///< Every proposal exactly once.
    std::string rule;                ///< Which rule chose, such as `safety-first`.
    std::string rationale;           ///< One sentence.
    Contest contest = Contest::idle;
    std::int32_t rivals = 0;  ///< How many others wanted something else.
    friend bool operator==(const Verdict&, const Verdict&) = default;
};
BOOST_DESCRIBE_STRUCT(Verdict, (), (round, accepted, judged, rule, rationale, contest, rivals))

/// The proposal that a verdict is named after: the first accepted one. In profile `prototype` that
/// may be a noop or a plain admit, which is not in `accepted` as there is nothing to carry out.
/// Null: there is none.
inline const Proposal* chosen(const Verdict& verdict) {
    for (const Judged& judged : verdict.judged) {
        if (std::holds_alternative<Accepted>(judged.fate)) return &judged.proposal;
    }
    return nullptr;
}

}  // namespace parley::model
