// Model: what one round hands to the next. The ledger is authority; the rest can be rebuilt by
// observing.

#pragma once

#include "base/table.h"
#include "model/demand.h"
#include "model/explanation.h"
#include "model/forecast.h"
#include "model/ledger.h"
#include "model/reading.h"
#include "model/score.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

struct RestartSeen {
    TimePoint at;
    Uid pod;
    std::int32_t count = 0;  ///< 0: this place is free.
    Uid workload;            ///< Whose pod it is.
    friend bool operator==(const RestartSeen&, const RestartSeen&) = default;
};
BOOST_DESCRIBE_STRUCT(RestartSeen, (), (at, pod, count, workload))

/// Windows over one node, at the slot it has in the snapshot. Fixed size; a new uid starts anew.
struct NodeFold {
    Uid uid;
    TimePoint first_seen;
    std::array<RestartSeen, 8> restarts{};  ///< Of one workload added up where places run out.
    std::uint8_t restart_next = 0;  ///< Of rules before version 6; now the places say themselves.
    bool was_ready = false;
    std::array<TimePoint, 4> flaps{};  ///< When it last stopped being Ready; zero: never.
    std::uint8_t flap_next = 0;
    std::uint8_t over = 0;    ///< Bit 0: over its own limit in this round, or was and has not yet
                              ///< fallen to its release; bit 1: in the last round; and so on.
    std::int32_t silent = 0;  ///< Rounds without a usable sample from a source that reads ok.
    bool counted = false;     ///< `last` holds a reading.
    NodeCounters last;
    TimePoint over_at;        ///< Of the newest evidence that `over` counted.
    std::uint8_t idle = 0;    ///< As `over`, of being idle enough to be put to sleep.
    TimePoint idle_at;        ///< When the sample was measured that `idle` last counted.
    std::int32_t behind = 0;  ///< Rounds since its counters were last read.
    friend bool operator==(const NodeFold&, const NodeFold&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeFold, (),
                      (uid, first_seen, restarts, restart_next, was_ready, flaps, flap_next, over,
                       silent, counted, last, over_at, idle, idle_at, behind))

/// A mean over the recent past in which a reading counts less the older it is.
struct Smoothed {
    double value = 0;
    TimePoint at;        ///< Of the newest reading in it.
    bool known = false;  ///< There was one.
    friend bool operator==(const Smoothed&, const Smoothed&) = default;
};
BOOST_DESCRIBE_STRUCT(Smoothed, (), (value, at, known))

/// What a trained model sees of a node's past, at the slot it has in the snapshot. Kept only where
/// one is served. Lease ages in seconds, shares from 0 to 1; the suffix is the time constant.
struct NodeTrail {
    Uid uid;
    Smoothed lease_3m;
    Smoothed lease_30m;
    Smoothed lease_peak_15m;  ///< The greatest, which then fades.
    Smoothed cpu_10m;
    Smoothed cpu_60m;
    Smoothed memory_10m;
    Smoothed memory_60m;
    Smoothed disk_10m;
    Smoothed disk_60m;
    Smoothed pressure_15m;
    Smoothed unhealthy_15m;
    double restarts_10m = 0;  ///< How many, each of which fades.
    double restarts_60m = 0;
    double downs_24h = 0;    ///< Times it stopped being Ready, likewise.
    bool was_ready = false;  ///< In the round before.
    TimePoint at;            ///< Of the round they were faded to.
    friend bool operator==(const NodeTrail&, const NodeTrail&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeTrail, (),
                      (uid, lease_3m, lease_30m, lease_peak_15m, cpu_10m, cpu_60m, memory_10m,
                       memory_60m, disk_10m, disk_60m, pressure_15m, unhealthy_15m, restarts_10m,
                       restarts_60m, downs_24h, was_ready, at))

/// How often nodes of this cluster stop being Ready, whichever it is. Kept with the trails.
struct FleetTrail {
    double downs = 0;       ///< How many, each of which fades with 24 hours.
    double node_hours = 0;  ///< Watched, which fade likewise.
    TimePoint at;
    bool known = false;
    friend bool operator==(const FleetTrail&, const FleetTrail&) = default;
};
BOOST_DESCRIBE_STRUCT(FleetTrail, (), (downs, node_hours, at, known))

struct WorkFold {
    Uid uid;
    bool counted = false;
    WorkCounters last;
    std::int32_t behind = 0;  ///< Rounds since its counters were last read.
    TimePoint scaled;         ///< When we last scaled it; zero: never.
    friend bool operator==(const WorkFold&, const WorkFold&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkFold, (), (uid, counted, last, behind, scaled))

struct TwinLeaf {
    Branch branch = Branch::noop;
    LeafCounters last;
    friend bool operator==(const TwinLeaf&, const TwinLeaf&) = default;
};
BOOST_DESCRIBE_STRUCT(TwinLeaf, (), (branch, last))

/// How a leaf of a window last looked, to tell what happens to it.
struct LeafSeen {
    Target leaf;
    Slot slot = kNoSlot;
    Uid uid;
    bool there = true;
    bool well = true;       ///< A node: Ready, or off on purpose. A workload: some pod is ready.
    std::int32_t pods = 0;  ///< On a node; wanted by a workload.
    std::int32_t kept = 0;  ///< On a node: those that no eviction moves.
    friend bool operator==(const LeafSeen&, const LeafSeen&) = default;
};
BOOST_DESCRIBE_STRUCT(LeafSeen, (), (leaf, slot, uid, there, well, pods, kept))

/// What an action owns, and what it has cost so far. See attribution.
struct Window {
    DecisionId id;
    std::uint64_t round = 0;
    Role role = Role::safety;
    Action action;
    Target target;
    std::string loser;           ///< The best overridden proposal, for regret; may be empty.
    std::vector<Target> leaves;  ///< Still owned; a later action takes its leaves away. The whole
                                 ///< cluster stands for the queue: every Job, also later ones.
    std::vector<Target> ceded;   ///< Jobs of the queue that a later action took.
    TimePoint opened;
    TimePoint closes;
    bool confirmed = false;
    bool would = false;  ///< Observe or dry-run.
    bool cut = false;
    Cost observed;
    Cost noop;
    Cost acted;
    Cost lost;                        ///< The loser's twin.
    std::int64_t samples = 0;         ///< (leaf, round) pairs that could be read.
    std::int64_t gaps = 0;            ///< Pairs that could not.
    std::vector<LeafCounters> start;  ///< When it was opened: twins go on from these.
    std::vector<TwinLeaf> twins;
    std::vector<WindowNote> notes;
    std::vector<LeafSeen> seen;
    friend bool operator==(const Window&, const Window&) = default;
};
BOOST_DESCRIBE_STRUCT(Window, (),
                      (id, round, role, action, target, loser, leaves, ceded, opened, closes,
                       confirmed, would, cut, observed, noop, acted, lost, samples, gaps, start,
                       twins, notes, seen))

/// What alarms compare with.
struct LastRound {
    std::string label;         ///< Of the decision.
    std::uint64_t inputs = 0;  ///< A hash of what the decision rested on.
    std::int64_t cost = 0;
    std::int64_t queue = 0;
    friend bool operator==(const LastRound&, const LastRound&) = default;
};
BOOST_DESCRIBE_STRUCT(LastRound, (), (label, inputs, cost, queue))

/// Two sources that measure the same and differ.
struct Contradiction {
    Source first = Source::metrics;
    Source second = Source::prometheus;
    std::int32_t rounds = 0;  ///< For how many rounds in a row.
    TimePoint since;
    double ratio = 1;        ///< Of the second to the first: the median over nodes.
    std::int32_t nodes = 0;  ///< That differ ...
    std::int32_t of = 0;     ///< ... of those that both measure.
    friend bool operator==(const Contradiction&, const Contradiction&) = default;
};
BOOST_DESCRIBE_STRUCT(Contradiction, (), (first, second, rounds, since, ratio, nodes, of))

/// A risk that was served, while it is not known what comes of it.
struct OpenRisk {
    TimePoint at;
    double served = 0;
    double calibrated = 0;  ///< Without any correction.
    double weight = 1;      ///< More than 1: it stands for those that were acted on.
    bool known = false;     ///< What came of it; it is counted when its horizon is over.
    bool failed = false;
    friend bool operator==(const OpenRisk&, const OpenRisk&) = default;
};
BOOST_DESCRIBE_STRUCT(OpenRisk, (), (at, served, calibrated, weight, known, failed))

/// A node of which a model spoke, at the slot it has in the snapshot.
struct RiskWatch {
    Uid uid;
    std::vector<OpenRisk> open;  ///< In order of time.
    TimePoint down_from;         ///< Not Ready since; zero: it is Ready.
    bool failed = false;         ///< Down for long enough to count.
    bool away = false;           ///< Set aside or quarantined when last seen.
    TimePoint load_until;        ///< Until then, that it survives may be owed to us.
    TimePoint withheld_until;    ///< Until then nothing is done about it, to see what comes.
    friend bool operator==(const RiskWatch&, const RiskWatch&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskWatch, (),
                      (uid, open, down_from, failed, away, load_until, withheld_until))

/// How long a slice of time is in which what came of risks is counted.
inline constexpr Duration kTallySlice = hours(6);

/// What came of served risks of one height in one slice of time. A failure counts 1 over all the
/// forecasts that it makes come true.
struct RiskTally {
    std::int64_t slice = 0;   ///< Number of the slice since the epoch.
    std::int32_t height = 0;  ///< Of the calibrated risk, in steps of its log-odds.
    double failed = 0;
    double survived = 0;
    double calibrated = 0;  ///< Failures that the model expects, as calibrated ...
    double served = 0;      ///< ... and as served, with the correction of the time.
    friend bool operator==(const RiskTally&, const RiskTally&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskTally, (), (slice, height, failed, survived, calibrated, served))

/// What a served model of risk turned out to be worth. Kept only where one is served.
struct Hindsight {
    std::string model;  ///< Whose; another model begins anew.
    Table<RiskWatch> nodes;
    std::vector<RiskTally> tallies;  ///< Of the last 28 days, by slice, then height.
    std::optional<RiskCorrection> correction;
    TimePoint looked;  ///< When a correction was last looked for; zero: never.
};
BOOST_DESCRIBE_STRUCT(Hindsight, (), (model, nodes, tallies, correction, looked))

struct Derived {
    std::uint64_t rounds = 0;  ///< Since observation began; disruptive actions wait for a few.
    TimePoint last_now;
    Duration step;        ///< The usual time between rounds; zero until there were two.
    bool jumped = false;  ///< The clock jumped in this round.
    Table<NodeFold> nodes;
    Table<WorkFold> workloads;
    std::vector<std::int64_t> violations;  ///< The last four rounds, newest last.
    std::int32_t bad_nodes = 0;            ///< In the last round, for the breaker.
    std::int32_t nodes_counted = 0;
    std::vector<Window> windows;            ///< By confirmation.
    std::vector<std::int64_t> twin_errors;  ///< The last 200, absolute, totals.
    std::vector<std::int64_t> cost_moves;   ///< The last 50 changes of round cost, absolute.
    std::vector<Alarm> alarms;              ///< Raised and not yet cleared.
    LastRound last;
    Cost account;  ///< Everything so far.
    Cost owned;    ///< The part owned by actions; the rest is unowned.
    Table<NodeTrail> trails;
    FleetTrail fleet;
    Hindsight hindsight;
    DemandMemory demand;
    TimePoint stepped;  ///< When our clock last stepped; zero: it did not.
    std::vector<Contradiction> contradictions;
    std::int64_t leaves = 0;   ///< (leaf, round) pairs that the account could read ...
    std::int64_t missing = 0;  ///< ... and that it could not.
};
BOOST_DESCRIBE_STRUCT(Derived, (),
                      (rounds, last_now, step, jumped, nodes, workloads, violations, bad_nodes,
                       nodes_counted, windows, twin_errors, cost_moves, alarms, last, account,
                       owned, trails, fleet, hindsight, demand, stepped, contradictions, leaves,
                       missing))

struct Memory {
    Ledger ledger;
    Derived derived;
    /// Scaling on its way, at most one for a workload, by id. Not in the ledger: there may be
    /// thousands, and the mark on each workload says as much to whoever comes after us.
    std::vector<OpenAction> scaling;
};
BOOST_DESCRIBE_STRUCT(Memory, (), (ledger, derived, scaling))

}  // namespace parley::model
