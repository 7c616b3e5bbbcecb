// Guard: how many nodes are bad, whether that is too many at once (breaker), and how many nodes may
// be disrupted (allowance).

#pragma once

#include "model/round.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::guard {

/// A share in whole millionths. Shares are compared so: in doubles 16/20 - 14/20 exceeds 0.1.
std::int64_t ppm(double share);
std::string percent(double share);  ///< "20%", cut to whole ones.

/// The nodes of one zone or one pool.
struct Group {
    Name name;
    bool zone;  ///< Else a pool.
    int nodes = 0;
    int bad = 0;
    friend bool operator==(const Group&, const Group&) = default;
};

/// What is counted once per round, in one pass over the nodes.
struct Census {
    int nodes = 0;              ///< All of them.
    int ready = 0;              ///< Ready=True.
    int disrupted = 0;          ///< Quarantined or being drained, by us.
    int asleep = 0;             ///< Powered down by us; not among `nodes`.
    int counted = 0;            ///< Neither under maintenance nor powered down by us.
    int sampled = 0;            ///< Of these, with fresh samples of CPU and memory.
    int lease_missing = 0;      ///< Of these, without a lease to read: not bad for that, but named.
    int bad = 0;                ///< Of these, NotReady, lease lost, or over their own risk limit.
    std::vector<Group> groups;  ///< Zones, then pools, by name, over the counted nodes.
    std::vector<Slot> bad_nodes;  ///< By slot.
};

/// Pure, linear in the number of nodes.
Census take_census(const model::RoundInput& input, const model::Forecast& forecast,
                   const model::Memory& memory, const model::Policy& policy);

/// A person or an autoscaler empties it deliberately: not ours to touch, and not bad.
bool under_maintenance(const model::NodeRow& node);
/// Asleep, off or booting by an action of ours: its mark, or an open action on it.
bool powered_by_us(const model::NodeRow& node, const model::Ledger& ledger);
/// It takes part in what is counted: neither under maintenance nor powered down by us.
bool counts(const model::NodeRow& node, const model::Ledger& ledger);
/// Its CPU and memory use were measured no longer than `limit` ago.
bool has_samples(const model::NodeRow& node, TimePoint now, Duration limit);
/// By us: quarantined, powered down, or the target of a disruptive action that still holds.
bool disrupted_by_us(const model::NodeRow& node, const model::Ledger& ledger);
/// Its lease was renewed so long ago that nobody can reach it. A missing lease is not a lost one.
bool lease_lost(const model::NodeRow& node, TimePoint now, const model::Policy& policy);
/// An unknown risk is not over its limit; nor is it under.
bool over_limit(const model::NodeForecast& node);

/// Why the bad nodes are too many, as part of a sentence; empty: they are not. The target of what
/// is asked is left out (kNoSlot: nobody is): a node that fails alone must not protect itself.
std::string too_many_bad(const Census& census, const model::Snapshot& snapshot, Slot target,
                         const model::GuardRules& rules);

/// The breaker after this round. `memory` holds the breaker, the bad and the counted nodes of the
/// last one. It trips when too many nodes are bad whichever of them were the target, so that one
/// failing node alone never does, or when bad nodes rise too fast, whoever they are. It opens again
/// when neither held for `breaker_quiet`. The rule "breaker" asks once more with the real target.
model::Breaker next_breaker(const model::RoundInput& input, const model::Forecast& forecast,
                            const model::Memory& memory, const model::Policy& policy);

/// How many nodes may be disrupted at a time, of `nodes`.
int allowance(int nodes, bool all_others_ready, const model::GuardRules& rules);

}  // namespace parley::guard
