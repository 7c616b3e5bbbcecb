// Model: what must survive a change of leader. At most 256 KiB encoded.

#pragma once

#include "model/open_action.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::model {

/// Open actions that a ledger may hold. Scaling is not among them: Memory::scaling.
inline constexpr std::size_t kOpenMax = 64;

struct CoolDown {
    Target target;
    ActionKind kind = ActionKind::noop;
    TimePoint until;
    friend bool operator==(const CoolDown&, const CoolDown&) = default;
};
BOOST_DESCRIBE_STRUCT(CoolDown, (), (target, kind, until))

/// A disruptive action that was begun. Kept for a day, to count how many there were.
struct Spend {
    TimePoint at;
    ActionKind kind = ActionKind::noop;
    Target target;
    friend bool operator==(const Spend&, const Spend&) = default;
};
BOOST_DESCRIBE_STRUCT(Spend, (), (at, kind, target))

/// An admission decision that holds for Jobs which arrive later, until it expires.
struct StandingOrder {
    DecisionId id;
    std::uint64_t round = 0;
    AdmissionWish mode = AdmissionWish::admit;
    TimePoint until;
    std::string because;
    std::vector<Name> spaces;  ///< Namespaces whose Jobs it holds for; empty: all.
    friend bool operator==(const StandingOrder&, const StandingOrder&) = default;
};
BOOST_DESCRIBE_STRUCT(StandingOrder, (), (id, round, mode, until, because, spaces))

struct Breaker {
    bool tripped = false;
    TimePoint since;   ///< When it tripped.
    TimePoint quiet;   ///< Since when its conditions no longer hold; undefined before that.
    bool calm = true;  ///< Its conditions do not hold now.
    std::string because;
    friend bool operator==(const Breaker&, const Breaker&) = default;
};
BOOST_DESCRIBE_STRUCT(Breaker, (), (tripped, since, quiet, calm, because))

/// Replicas that scaling down took away in one round, of all workloads together.
struct ScaledDown {
    TimePoint at;
    std::int64_t replicas = 0;
    friend bool operator==(const ScaledDown&, const ScaledDown&) = default;
};
BOOST_DESCRIBE_STRUCT(ScaledDown, (), (at, replicas))

struct Ledger {
    std::uint64_t version = 0;
    std::uint64_t epoch = 0;
    bool stopped = false;  ///< The kill switch; only a person clears it.
    Breaker breaker;
    std::vector<CoolDown> cool_downs;
    std::vector<Spend> spent;
    std::vector<OpenAction> open;
    std::vector<StandingOrder> orders;
    std::vector<ScaledDown> scaled_down;  ///< Within policy.guard.scale_down_window, by time.
    friend bool operator==(const Ledger&, const Ledger&) = default;
};
BOOST_DESCRIBE_STRUCT(Ledger, (),
                      (version, epoch, stopped, breaker, cool_downs, spent, open, orders,
                       scaled_down))

}  // namespace parley::model
