// Simulation, faults in a scenario: how often and how nodes fail, or at which moment, and what
// people do to the cluster meanwhile.

#pragma once

#include "base/describe.h"
#include "base/time.h"

#include <cstdint>
#include <string>

namespace parley::sim {

/// Faults as a random process. Rates are per hour; all are 0 unless said otherwise.
struct FaultRules {
    double failures = 0.0;        ///< Failures per node and hour, sudden and announced together.
    double sudden_share = 0.5;    ///< Share of them that come without any sign.
    double episode_fails = 0.3;   ///< Chance that a node which degrades then fails; else it heals.
    Duration lead = minutes(20);  ///< Median time from the first sign to the failure.
    double lead_spread = 0.8;     ///< Its spread, in logarithms.
    double load_slope = 0.0;      ///< How steeply failures rise with utilisation over 0.9.
    Duration repair = minutes(20);  ///< Median time until a failed node is back.
    double repair_spread = 0.5;     ///< Its spread, in logarithms.
    double never_back = 0.0;        ///< Share of failed nodes that are removed instead.
    double gray = 0.0;         ///< Slow spells per node and hour: 0.3-0.7 of its speed, 5-60 min.
    double rack_shocks = 0.0;  ///< Per rack and hour: all of its nodes fail at once.
    double nuisances = 0.0;    ///< Per node and hour: the same signs, but harmless.
    double crash_loops = 0.0;  ///< Per workload and hour: a release that keeps restarting.
    friend bool operator==(const FaultRules&, const FaultRules&) = default;
};
BOOST_DESCRIBE_STRUCT(FaultRules, (),
                      (failures, sudden_share, episode_fails, lead, lead_spread, load_slope, repair,
                       repair_spread, never_back, gray, rack_shocks, nuisances, crash_loops))

enum class ScriptedKind : std::uint8_t {
    degrade_fail,  ///< Signs rise for `lead`, then it fails.
    degrade_heal,  ///< Signs rise for `lead`, then they are gone.
    fail,          ///< It fails without a sign.
    gray,          ///< It runs at `speed` for `lasts`.
    flap,          ///< It goes NotReady and comes back, again and again, for `lasts`.
    rack,          ///< All nodes of its rack fail.
    lease_lag,     ///< Harmless: its lease is renewed late for `lasts`.
    pressure,      ///< Harmless: a pressure condition for `lasts`.
    crash_loop,    ///< Harmless: a workload's pods restart for `lasts`.
    scale,         ///< A person sets the replicas of a workload.
    unmark,        ///< A person removes our mark from a node.
};
BOOST_DESCRIBE_ENUM(ScriptedKind, degrade_fail, degrade_heal, fail, gray, flap, rack, lease_lag,
                    pressure, crash_loop, scale, unmark)

/// Whether it concerns a workload; all others concern a node.
inline bool about_workload(ScriptedKind kind) {
    return kind == ScriptedKind::crash_loop || kind == ScriptedKind::scale;
}

/// One fault, or one action of a person, at a fixed moment.
struct ScriptedFault {
    ScriptedKind kind = ScriptedKind::degrade_fail;
    Duration at;         ///< When it begins.
    Duration jitter;     ///< The seed moves the beginning by up to this.
    std::string target;  ///< A node, drawn by the seed if empty; a workload as `space/name`.
    Duration lead = minutes(10);    ///< From the first sign to the end of a degrading episode.
    double gamma = 1.0;             ///< Signs grow with (age / lead) to this power.
    Duration lasts = minutes(20);   ///< For gray, flap and the harmless kinds.
    double speed = 0.5;             ///< For gray.
    Duration repair = minutes(20);  ///< Until a failed node is back; 0: it is removed.
    std::int32_t replicas = 1;      ///< For scale.
    friend bool operator==(const ScriptedFault&, const ScriptedFault&) = default;
};
BOOST_DESCRIBE_STRUCT(ScriptedFault, (),
                      (kind, at, jitter, target, lead, gamma, lasts, speed, repair, replicas))

}  // namespace parley::sim
