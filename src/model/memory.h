// Model: what one round hands to the next. The ledger must not be lost; the rest can be rebuilt by
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

/// Windows over one node, stored at its slot of the snapshot. Fixed size; a new uid starts from
/// scratch.
struct NodeFold {
    Uid uid;
    TimePoint first_seen;
    /// If places run out, restarts of the same workload share one.
    std::array<RestartSeen, 8> restarts{};
    std::uint8_t restart_next = 0;  ///< Used by rules before version 6 only.
    bool was_ready = false;
    std::array<TimePoint, 4> flaps{};  ///< When it last stopped being Ready; zero: never.
    std::uint8_t flap_next = 0;
    /// Bit 0 for this round, bit 1 for the last one, and so on. Set: over its own limit, or was
    /// over it and has not yet fallen to the release.
    std::uint8_t over = 0;
    std::int32_t silent = 0;  ///< Rounds without a usable sample from a source that reads ok.
    bool counted = false;     ///< `last` holds a reading.
    NodeCounters last;
    TimePoint over_at;        ///< Time of the newest evidence that `over` has counted.
    std::uint8_t idle = 0;    ///< Like `over`, for being idle enough to be put to sleep.
    TimePoint idle_at;        ///< When the last sample that `idle` has counted was measured.
    std::int32_t behind = 0;  ///< Rounds since its counters were last read.
    friend bool operator==(const NodeFold&, const NodeFold&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeFold, (),
                      (uid, first_seen, restarts, restart_next, was_ready, flaps, flap_next, over,
                       silent, counted, last, over_at, idle, idle_at, behind))

/// A mean over the recent past in which a reading counts less the older it is.
struct Smoothed {
    double value = 0;
    TimePoint at;        ///< When the newest reading in it was made.
    bool known = false;  ///< Whether there was any reading.
    friend bool operator==(const Smoothed&, const Smoothed&) = default;
};
BOOST_DESCRIBE_STRUCT(Smoothed, (), (value, at, known))

/// What a trained model sees of a node's past, stored at its slot of the snapshot. Kept only where
/// a model is served. Lease ages are in seconds, shares from 0 to 1; the suffix is the time
/// constant.
struct NodeTrail {
    Uid uid;
    Smoothed lease_3m;
    Smoothed lease_30m;
    Smoothed lease_peak_15m;  ///< The greatest age, which then decays.
    Smoothed cpu_10m;
    Smoothed cpu_60m;
    Smoothed memory_10m;
    Smoothed memory_60m;
    Smoothed disk_10m;
    Smoothed disk_60m;
    Smoothed pressure_15m;
    Smoothed unhealthy_15m;
    double restarts_10m = 0;  ///< The number of restarts; each decays.
    double restarts_60m = 0;
    double downs_24h = 0;    ///< How often it stopped being Ready; each decays.
    bool was_ready = false;  ///< Whether it was Ready in the round before.
    TimePoint at;            ///< Time of the round up to which these have decayed.
    friend bool operator==(const NodeTrail&, const NodeTrail&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeTrail, (),
                      (uid, lease_3m, lease_30m, lease_peak_15m, cpu_10m, cpu_60m, memory_10m,
                       memory_60m, disk_10m, disk_60m, pressure_15m, unhealthy_15m, restarts_10m,
                       restarts_60m, downs_24h, was_ready, at))

/// How often nodes of this cluster stop being Ready, over all nodes. Kept with the trails.
struct FleetTrail {
    double downs = 0;       ///< The number of times; each decays with 24 hours.
    double node_hours = 0;  ///< Node-hours watched, which decay likewise.
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

/// How a leaf of a window looked in the last round, to tell what has happened to it.
struct LeafSeen {
    Target leaf;
    Slot slot = kNoSlot;
    Uid uid;
    bool there = true;
    bool well = true;       ///< A node: Ready, or off on purpose. A workload: some pod is ready.
    std::int32_t pods = 0;  ///< Pods on a node, or pods that a workload wants.
    std::int32_t kept = 0;  ///< Pods on a node that no eviction moves.
    friend bool operator==(const LeafSeen&, const LeafSeen&) = default;
};
BOOST_DESCRIBE_STRUCT(LeafSeen, (), (leaf, slot, uid, there, well, pods, kept))

/// The leaves that an action owns, and what they have cost so far. See attribution.
struct Window {
    DecisionId id;
    std::uint64_t round = 0;
    Role role = Role::safety;
    Action action;
    Target target;
    std::string loser;  ///< The best overridden proposal, for regret; may be empty.
    /// Still owned: a later action takes over its leaves. WholeCluster is the queue: every Job,
    /// later ones included.
    std::vector<Target> leaves;
    std::vector<Target> ceded;  ///< Jobs of the queue that a later action took over.
    TimePoint opened;
    TimePoint closes;
    bool confirmed = false;
    bool would = false;  ///< In observe or dry-run: nothing was sent.
    bool cut = false;
    Cost observed;
    Cost noop;
    Cost acted;
    Cost lost;                 ///< The cost of the loser's twin.
    std::int64_t samples = 0;  ///< (leaf, round) pairs that could be read.
    std::int64_t gaps = 0;     ///< Pairs that could not.
    /// Counters when the window opened, from which twins continue.
    std::vector<LeafCounters> start;
    std::vector<TwinLeaf> twins;
    std::vector<WindowNote> notes;
    std::vector<LeafSeen> seen;
    std::vector<LineGap> uncounted;  ///< Every line of its leaves, where counters may lack some.
    LineSet unmodelled;              ///< Lines that its twins do not have ...
    Cost unmatched;                  ///< ... and what of `observed` is in them.
    friend bool operator==(const Window&, const Window&) = default;
};
BOOST_DESCRIBE_STRUCT(Window, (),
                      (id, round, role, action, target, loser, leaves, ceded, opened, closes,
                       confirmed, would, cut, observed, noop, acted, lost, samples, gaps, start,
                       twins, notes, seen, uncounted, unmodelled, unmatched))

/// By how much a twin was wrong: the observed cost less that of the twin that acted.
struct TwinMiss {
    ActionKind kind = ActionKind::noop;
    std::int64_t by = 0;
    friend bool operator==(const TwinMiss&, const TwinMiss&) = default;
};
BOOST_DESCRIBE_STRUCT(TwinMiss, (), (kind, by))

/// The last round as far as alarms compare with it.
struct LastRound {
    std::string label;         ///< The label of the decision.
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
    std::int32_t rounds = 0;  ///< In which they differed.
    TimePoint since;
    double ratio = 1;  ///< Median over nodes of the second source's figure divided by the first's.
    std::int32_t nodes = 0;  ///< Nodes that differ ...
    std::int32_t of = 0;     ///< ... of those that both measure.
    bool loose = false;      ///< Measured at times so far apart that it must last before it counts.
    TimePoint told;          ///< When the two could last be compared.
    TimePoint agreed;        ///< Since when they agree again; zero: they do not.
    friend bool operator==(const Contradiction&, const Contradiction&) = default;
};
BOOST_DESCRIBE_STRUCT(Contradiction, (),
                      (first, second, rounds, since, ratio, nodes, of, loose, told, agreed))

/// A served risk whose outcome is not known yet.
struct OpenRisk {
    TimePoint at;
    double served = 0;
    double calibrated = 0;  ///< The risk before any correction.
    double weight = 1;      ///< Above 1: it also stands for nodes that were acted on.
    bool known = false;     ///< The outcome is known; it is counted when the horizon is over.
    bool failed = false;
    friend bool operator==(const OpenRisk&, const OpenRisk&) = default;
};
BOOST_DESCRIBE_STRUCT(OpenRisk, (), (at, served, calibrated, weight, known, failed))

/// A node for which a model gave risks, stored at its slot of the snapshot.
struct RiskWatch {
    Uid uid;
    std::vector<OpenRisk> open;  ///< In order of time.
    TimePoint down_from;         ///< Since when it is not Ready; zero: it is Ready.
    bool failed = false;         ///< Down for long enough to count.
    bool away = false;           ///< Set aside or quarantined when last seen.
    TimePoint load_until;        ///< Until then its survival may be owed to our action.
    TimePoint withheld_until;    ///< Until then nothing is done about it, to see what happens.
    friend bool operator==(const RiskWatch&, const RiskWatch&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskWatch, (),
                      (uid, open, down_from, failed, away, load_until, withheld_until))

/// Outcomes of risks are counted in slices of time of this length.
inline constexpr Duration kTallySlice = hours(6);

/// Outcomes of served risks of similar height in one slice of time. A failure counts 1 in all,
/// divided among the forecasts that it makes come true.
struct RiskTally {
    std::int64_t slice = 0;   ///< Number of the slice since the epoch.
    std::int32_t height = 0;  ///< Of the calibrated risk, in steps of its log-odds.
    double failed = 0;
    double survived = 0;
    double calibrated = 0;  ///< Failures that the model expects, as calibrated ...
    double served = 0;      ///< ... and as served, with the correction of that time.
    friend bool operator==(const RiskTally&, const RiskTally&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskTally, (), (slice, height, failed, survived, calibrated, served))

/// How good the risks of a served model turned out to be. Kept only where one is served.
struct Hindsight {
    std::string model;  ///< The model it is about; another model starts from scratch.
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
    std::vector<Window> windows;            ///< Ordered by when their effect was confirmed.
    std::vector<std::int64_t> twin_errors;  ///< The last 200 absolute errors of totals.
    std::vector<std::int64_t> cost_moves;   ///< The last 50 absolute changes of a round's cost.
    std::vector<Alarm> alarms;              ///< Raised and not yet cleared.
    LastRound last;
    Cost account;  ///< The cost of all rounds so far.
    Cost owned;    ///< The part owned by actions; the rest is unowned.
    Table<NodeTrail> trails;
    FleetTrail fleet;
    Hindsight hindsight;
    DemandMemory demand;
    TimePoint stepped;  ///< When our clock last stepped; zero: it did not.
    std::vector<Contradiction> contradictions;
    std::int64_t leaves = 0;       ///< (leaf, round) pairs whose cost could be read ...
    std::int64_t missing = 0;      ///< ... and pairs whose cost could not.
    TimePoint tallied;             ///< Until when we have counted ourselves; zero: never.
    std::int64_t history = 0;      ///< Of our own counters: one more after every gap.
    std::vector<TwinMiss> misses;  ///< The last 200 of each kind of action, oldest first.
};
BOOST_DESCRIBE_STRUCT(Derived, (),
                      (rounds, last_now, step, jumped, nodes, workloads, violations, bad_nodes,
                       nodes_counted, windows, twin_errors, cost_moves, alarms, last, account,
                       owned, trails, fleet, hindsight, demand, stepped, contradictions, leaves,
                       missing, tallied, history, misses))

struct Memory {
    Ledger ledger;
    Derived derived;
    /// Scaling on its way, at most one for a workload, by id. Not in the ledger: there may be
    /// thousands, and the mark on each workload says as much to whoever comes after us.
    std::vector<OpenAction> scaling;
};
BOOST_DESCRIBE_STRUCT(Memory, (), (ledger, derived, scaling))

}  // namespace parley::model
