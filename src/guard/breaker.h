// Guard: how many nodes are bad, whether that is too many at once (the breaker), and how many nodes
// may be disrupted (the allowance).

#pragma once

#include "model/round.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::guard {

/// A share in whole millionths, for exact comparison: in doubles 16/20 - 14/20 exceeds 0.1.
std::int64_t ppm(double share);
std::string percent(double share);  ///< "20%", rounded down.

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
    int nodes = 0;      ///< All of them.
    int ready = 0;      ///< Ready=True.
    int disrupted = 0;  ///< Quarantined or being drained, by us.
    int asleep = 0;     ///< Powered down by us; not among `nodes`.
    int counted = 0;    ///< Neither under maintenance nor powered down by us.
    int sampled = 0;    ///< Counted nodes with fresh samples of CPU and memory.
    /// Counted nodes without a lease to read: not bad for that, but reported.
    int lease_missing = 0;
    /// Counted nodes that are NotReady, have lost their lease, or are over their own risk limit.
    int bad = 0;
    std::vector<Group> groups;    ///< Zones, then pools, sorted by name; counted nodes only.
    std::vector<Slot> bad_nodes;  ///< Sorted by slot.
};

/// Pure; takes time linear in the number of nodes.
Census take_census(const model::RoundInput& input, const model::Forecast& forecast,
                   const model::Memory& memory, const model::Policy& policy);

/// A person or an autoscaler empties it deliberately, so it is neither ours to touch nor bad.
bool under_maintenance(const model::NodeRow& node);
/// Asleep, off or booting because of us: it carries our mark, or there is an open action on it.
bool powered_by_us(const model::NodeRow& node, const model::Ledger& ledger);
/// Whether it is counted: neither under maintenance nor powered down by us.
bool counts(const model::NodeRow& node, const model::Ledger& ledger);
/// Its CPU and memory use were measured no longer than `limit` ago.
bool has_samples(const model::NodeRow& node, TimePoint now, Duration limit);
/// Quarantined or powered down by us, or the target of a disruptive action that still holds.
bool disrupted_by_us(const model::NodeRow& node, const model::Ledger& ledger);
/// Its lease was not renewed for so long that the node must be unreachable. A missing lease does
/// not count as lost.
bool lease_lost(const model::NodeRow& node, TimePoint now, const model::Policy& policy);
/// False also if the risk is unknown; that does not mean that it is under the limit.
bool over_limit(const model::NodeForecast& node);

/// Why there are too many bad nodes, as part of a sentence; empty: there are not. The target
/// (kNoSlot: none) is left out: a single failing node must not prevent action on itself.
std::string too_many_bad(const Census& census, const model::Snapshot& snapshot, Slot target,
                         const model::GuardRules& rules);

/// The breaker after this round. `memory` holds the breaker and the counts of the last round. It
/// trips when too many nodes are bad whichever of them is left out as the target, so that one
/// failing node never trips it, or when the number of bad nodes rises too fast. It opens again when
/// neither has held for `breaker_quiet`. The rule "breaker" asks again with the real target.
model::Breaker next_breaker(const model::RoundInput& input, const model::Forecast& forecast,
                            const model::Memory& memory, const model::Policy& policy);

/// How many of `nodes` may be disrupted at a time.
int allowance(int nodes, bool all_others_ready, const model::GuardRules& rules);

}  // namespace parley::guard
