#include "sim/world/faults.h"

#include "base/math.h"
#include "sim/world/fault_script.h"
#include "sim/world/world_load.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_pods.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr double kHourMs = 3'600'000.0;
constexpr Ms kMinute = 60'000;
constexpr double kSymptomEvery = 30'000.0;  // Mean time between chances of a restart.
constexpr double kCrashEvery = 90'000.0;    // Mean time between restarts of a bad release.

// Uses of draws within an epoch of a node; append, never reorder.
enum class Use4 : std::uint8_t {
    sudden,
    episode,
    lead,
    gamma,
    fails,
    healed,
    pressure,
    repair,
    kind,
    back
};

std::uint64_t lot(std::uint64_t seed, std::uint64_t entity, std::uint32_t epoch, Use4 use) {
    return draw(seed, Stream::fault, entity,
                (std::uint64_t{epoch} << 8) | static_cast<std::uint64_t>(use));
}

// Draws for a moment rather than for an epoch.
std::uint64_t lot_at(const State& s, const NodeState& node, std::uint64_t use) {
    return draw(s.seed, Stream::fault, node.entity,
                (std::uint64_t{1} << 55) | (static_cast<std::uint64_t>(s.now) << 4) | use);
}

Ms wait_of(double per_hour, std::uint64_t bits) {
    if (per_hour <= 0.0) return kNever;
    return static_cast<Ms>(std::min(1e15, random::exponential(bits, kHourMs / per_hour)));
}

void plan_after(State& s, Index n, NodeClock clock, EventKind kind, Ms wait) {
    if (wait != kNever) wind(s, n, clock, kind, s.now + wait);
}

const NodeGroup& group_of(const State& s, const NodeState& node) {
    return s.scenario->nodes[node.group];
}

void draw_thresholds(State& s, Index n) {
    NodeState& node = s.nodes[n];
    node.sudden_left = random::exponential(lot(s.seed, node.entity, node.epoch, Use4::sudden));
    node.episode_left = random::exponential(lot(s.seed, node.entity, node.epoch, Use4::episode));
}

Ms repair_of(const State& s, const NodeState& node) {
    const FaultRules& rules = s.scenario->faults;
    if (random::bernoulli(lot(s.seed, node.entity, node.epoch, Use4::back), rules.never_back)) {
        return 0;
    }
    const double ms =
        random::lognormal(lot(s.seed, node.entity, node.epoch, Use4::repair),
                          static_cast<double>(ms_of(rules.repair)), rules.repair_spread);
    return std::max<Ms>(kMinute, static_cast<Ms>(ms));
}

void update_pressure(State& s, Index n) {
    const NodeState& node = s.nodes[n];
    const bool sick =
        node.episode.active && severity_at(node.episode, s.now) >= node.episode.pressure_from;
    const bool on = node.runs() && (sick || node.nuisance.pressure);
    // Which of the two depends on the node, so that it does not alternate.
    const bool disk = (node.entity & 1U) != 0;
    set_pressure(s, n, on && !disk, on && disk);
}

/// Sets the next shock of a rack in each of its nodes.
void plan_shock(State& s, Index rack, std::uint64_t bits) {
    const Ms wait = wait_of(s.scenario->faults.rack_shocks, bits);
    const Ms at = wait == kNever ? kNever : s.now + wait;
    for (NodeState& node : s.nodes)
        if (node.rack_index == rack) node.rack_fails_at = at;
    if (at != kNever) s.queue.push(at, EventKind::rack_shock, rack);
}

void show_truth(State& s, Index n, double sudden_per_ms, double episodes_per_ms) {
    const NodeState& node = s.nodes[n];
    NodeTruth& truth = s.truth.nodes[n];
    truth.severity = node.episode.active ? severity_at(node.episode, s.now) : 0.0;
    truth.hazard_per_hour = sudden_per_ms * kHourMs;
    truth.would_fail_at.reset();
    Ms at = std::min(node.rack_fails_at, node.script_fails_at);
    if (sudden_per_ms > 0.0 && !node.down) {
        at =
            std::min(at, s.now + static_cast<Ms>(std::min(1e15, node.sudden_left / sudden_per_ms)));
    }
    if (node.episode.active) {
        if (node.episode.fails) at = std::min(at, node.episode.end);
        const double left_hours =
            static_cast<double>(std::max(kMinute, node.episode.end - s.now)) / kHourMs;
        truth.hazard_per_hour += s.scenario->faults.episode_fails / left_hours;
    } else {
        truth.hazard_per_hour += episodes_per_ms * kHourMs * s.scenario->faults.episode_fails;
    }
    if (at != kNever) truth.would_fail_at = time_of(at);
}

}  // namespace

EpisodePlan draw_episode(const FaultRules& rules, std::uint64_t seed, std::uint64_t entity,
                         std::uint32_t epoch) {
    const auto bits = [&](Use4 use) { return lot(seed, entity, epoch, use); };
    const double lead = random::lognormal(bits(Use4::lead), static_cast<double>(ms_of(rules.lead)),
                                          rules.lead_spread);
    return {.lead = std::max<Ms>(kMinute, static_cast<Ms>(std::min(lead, 1e12))),
            .gamma = random::uniform(bits(Use4::gamma), 0.5, 2.0),
            .fails = random::bernoulli(bits(Use4::fails), rules.episode_fails),
            .healed_at = random::uniform(bits(Use4::healed), 0.4, 1.0),
            .pressure_from = random::uniform(bits(Use4::pressure), 0.3, 1.3)};
}

void begin_episode(State& s, Index n, const EpisodePlan& plan, FaultCause cause) {
    NodeState& node = s.nodes[n];
    if (!node.runs() || node.episode.active) return;
    const double share = plan.fails ? 1.0 : plan.healed_at;
    node.episode = {.active = true,
                    .fails = plan.fails,
                    .begin = s.now,
                    .lead = std::max<Ms>(1, plan.lead),
                    .end = s.now + static_cast<Ms>(static_cast<double>(plan.lead) * share),
                    .gamma = plan.gamma,
                    .pressure_from = plan.pressure_from,
                    .repair = plan.repair,
                    .cause = cause};
    wind(s, n, NodeClock::episode, EventKind::node_episode, node.episode.end);
    wind(s, n, NodeClock::symptom, EventKind::node_symptom, s.now + 1000);
    lease_late(s, n);
    s.truth.nodes[n].cause = cause;
    s.truth.nodes[n].harmless = !plan.fails;
}

double severity_at(const Episode& episode, Ms now) {
    const double age = static_cast<double>(now - episode.begin) / static_cast<double>(episode.lead);
    if (age <= 0.0) return 0.0;
    return age >= 1.0 ? 1.0 : math::pow(age, episode.gamma);
}

void plan_faults(State& s) {
    const FaultRules& rules = s.scenario->faults;
    for (Index n = 0; n < s.nodes.size(); ++n) {
        NodeState& node = s.nodes[n];
        draw_thresholds(s, n);
        const double scale = group_of(s, node).hazard_scale;
        plan_after(s, n, NodeClock::gray, EventKind::node_gray,
                   wait_of(rules.gray * scale, lot_at(s, node, 0)));
        plan_after(s, n, NodeClock::nuisance, EventKind::node_nuisance,
                   wait_of(rules.nuisances * scale, lot_at(s, node, 1)));
    }
    for (Index r = 0; r < s.racks.size(); ++r) {
        plan_shock(s, r, draw(s.seed, Stream::fault, entity_of(s.racks[r].view()), 0));
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        const WorkState& work = s.works[w];
        if (work.batch || work.every_node) continue;
        const Ms wait = wait_of(rules.crash_loops, draw(s.seed, Stream::fault, work.entity, 0));
        if (wait != kNever) s.queue.push(s.now + wait, EventKind::crash_loop, w, work.crash_epoch);
    }
    for (Index i = 0; i < s.scenario->script.size(); ++i)
        s.queue.push(scripted_at(s, i), EventKind::script, i);
    announce_script(s);
}

void step_hazards(State& s) {
    const FaultRules& rules = s.scenario->faults;
    const auto span = static_cast<double>(ms_of(s.scenario->step));
    for (Index n = 0; n < s.nodes.size(); ++n) {
        NodeState& node = s.nodes[n];
        if (!node.exists || !node.runs()) continue;
        double base = rules.failures * group_of(s, node).hazard_scale / kHourMs;
        if (base > 0.0 && rules.load_slope > 0.0 && node.utilisation() > 0.9) {
            base *= math::exp(rules.load_slope * (node.utilisation() - 0.9));
        }
        const double sudden = base * rules.sudden_share;
        const double episodes = rules.episode_fails > 0.0
                                    ? base * (1.0 - rules.sudden_share) / rules.episode_fails
                                    : 0.0;
        const bool announced = node.rack_fails_at != kNever || node.script_fails_at != kNever;
        const bool at_risk = node.episode.active || base > 0.0;
        if (at_risk || announced) show_truth(s, n, sudden, episodes);
        if (at_risk) update_pressure(s, n);
        if (base <= 0.0) continue;
        // A threshold inside this step is crossed at its own moment.
        const double by_sudden = sudden > 0.0 ? node.sudden_left / sudden : span;
        const bool may_degrade = !node.episode.active && episodes > 0.0;
        const double by_episode = may_degrade ? node.episode_left / episodes : span;
        node.sudden_left -= sudden * span;
        if (may_degrade) node.episode_left -= episodes * span;
        const double first = std::min(by_sudden, by_episode);
        if (first < span) {
            wind(s, n, NodeClock::fault, EventKind::node_fault,
                 s.now + std::max<Ms>(0, static_cast<Ms>(first)));
        }
    }
}

void fault_event(State& s, Index n) {
    NodeState& node = s.nodes[n];
    const bool sudden = node.sudden_left <= 0.0;
    const bool loaded = s.scenario->faults.load_slope > 0.0 && node.utilisation() > 0.9;
    const FaultCause cause = loaded   ? FaultCause::load
                             : sudden ? FaultCause::sudden
                                      : FaultCause::degrading;
    if (!node.runs()) {
        // It has failed for another reason meanwhile.
    } else if (sudden) {
        const Ms repair = repair_of(s, node);
        fail_node(s, n, cause, repair);
    } else {
        EpisodePlan plan = draw_episode(s.scenario->faults, s.seed, node.entity, node.epoch);
        plan.repair = repair_of(s, node);
        begin_episode(s, n, plan, cause);
    }
    ++node.epoch;
    draw_thresholds(s, n);
}

void end_episode(State& s, Index n) {
    NodeState& node = s.nodes[n];
    node.episode.active = false;
    unwind(s, n, NodeClock::episode);
    unwind(s, n, NodeClock::symptom);
    NodeTruth& truth = s.truth.nodes[n];
    truth.severity = 0.0;
    truth.harmless = node.nuisance.lag || node.nuisance.pressure;
    truth.would_fail_at.reset();
    if (!node.down) truth.cause = FaultCause::none;
    if (!node.nuisance.lag) lease_regular(s, n);
    update_pressure(s, n);
}

void episode_event(State& s, Index n) {
    const Episode episode = s.nodes[n].episode;
    end_episode(s, n);
    if (episode.fails) fail_node(s, n, episode.cause, episode.repair);
}

void symptom_event(State& s, Index n) {
    const NodeState& node = s.nodes[n];
    if (!node.episode.active || !node.runs()) return;
    update_pressure(s, n);
    const double severity = severity_at(node.episode, s.now);
    s.truth.nodes[n].severity = severity;
    if (node.active > 0 && random::bernoulli(lot_at(s, node, 2), severity)) {
        const auto i = random::below(lot_at(s, node, 3), node.active);
        kill_container(s, node.pods[i]);
    }
    const double wait = random::exponential(lot_at(s, node, 4), kSymptomEvery);
    wind(s, n, NodeClock::symptom, EventKind::node_symptom, s.now + 1 + static_cast<Ms>(wait));
}

Ms lease_delay(const State& s, Index n) {
    const NodeState& node = s.nodes[n];
    double severity = node.episode.active ? severity_at(node.episode, s.now) : 0.0;
    if (node.nuisance.lag) severity = std::max(severity, 0.6);
    // Never so late that the node controller would give it up: only a failure does that.
    const double delay = severity * random::exponential(lot_at(s, node, 5), 14'000.0);
    return static_cast<Ms>(std::min(delay, 26'000.0));
}

void gray_event(State& s, Index n) {
    NodeState& node = s.nodes[n];
    const bool begins = node.gray == 1.0;
    Ms wait = 0;
    if (begins) {
        node.gray = random::uniform(lot_at(s, node, 6), 0.3, 0.7);
        wait = random::between(lot_at(s, node, 7), 5 * kMinute, 60 * kMinute);
    } else {
        node.gray = 1.0;
        wait =
            wait_of(s.scenario->faults.gray * group_of(s, node).hazard_scale, lot_at(s, node, 8));
    }
    speed_changed(s, n);
    plan_after(s, n, NodeClock::gray, EventKind::node_gray, wait);
}

void nuisance_event(State& s, Index n) {
    NodeState& node = s.nodes[n];
    Ms wait = 0;
    if (node.nuisance.end == 0) {
        const auto kind = random::below(lot_at(s, node, 9), 3);
        node.nuisance.lag = kind == 0;
        node.nuisance.pressure = kind == 1;
        node.nuisance.io = kind == 2 ? random::uniform(lot_at(s, node, 10), 0.3, 0.8) : 0.0;
        wait = std::max<Ms>(
            kMinute, static_cast<Ms>(random::lognormal(lot_at(s, node, 11), 12.0 * kMinute, 0.7)));
        node.nuisance.end = s.now + wait;
        if (node.nuisance.lag) lease_late(s, n);
    } else {
        node.nuisance = {};
        if (!node.episode.active) lease_regular(s, n);
        wait = wait_of(s.scenario->faults.nuisances * group_of(s, node).hazard_scale,
                       lot_at(s, node, 12));
    }
    s.truth.nodes[n].harmless = node.nuisance.end != 0;
    update_pressure(s, n);
    plan_after(s, n, NodeClock::nuisance, EventKind::node_nuisance, wait);
}

void flap_event(State& s, Index n) {
    NodeState& node = s.nodes[n];
    if (!node.runs()) return;
    if (node.cut_off) {
        reconnect_node(s, n);
        if (s.now >= node.flaps_until) return;
        wind(s, n, NodeClock::flap, EventKind::node_flap,
             s.now + random::between(lot_at(s, node, 13), 90'000, 180'000));
    } else {
        cut_off_node(s, n);
        wind(s, n, NodeClock::flap, EventKind::node_flap,
             s.now + random::between(lot_at(s, node, 14), 60'000, 90'000));
    }
}

void rack_event(State& s, Index rack) {
    for (Index n = 0; n < s.nodes.size(); ++n) {
        NodeState& node = s.nodes[n];
        if (node.rack_index != rack) continue;
        const Ms repair = repair_of(s, node);
        fail_node(s, n, FaultCause::rack, repair);
    }
    plan_shock(s, rack,
               draw(s.seed, Stream::fault, entity_of(s.racks[rack].view()),
                    static_cast<std::uint64_t>(s.now)));
}

void roll_out(State& s, Index w) {
    s.works[w].rolled_out = s.now;
    work_changed(s, w);
}

void crash_event(State& s, Index w) {
    WorkState& work = s.works[w];
    const auto bits = [&](std::uint64_t use) {
        return draw(s.seed, Stream::fault, work.entity,
                    (std::uint64_t{1} << 55) | (static_cast<std::uint64_t>(s.now) << 4) | use);
    };
    if (work.crashes_until == 0) {
        roll_out(s, w);
        work.crashes_until = s.now + random::between(bits(0), 5 * kMinute, 30 * kMinute);
    } else if (s.now >= work.crashes_until) {
        work.crashes_until = 0;
        const Ms wait = wait_of(s.scenario->faults.crash_loops, bits(1));
        if (wait != kNever) s.queue.push(s.now + wait, EventKind::crash_loop, w, work.crash_epoch);
        return;
    } else if (!work.pods.empty()) {
        kill_container(s, work.pods[random::below(bits(2), work.pods.size())]);
    }
    const Ms wait = 1 + static_cast<Ms>(random::exponential(bits(3), kCrashEvery));
    s.queue.push(std::min(work.crashes_until, s.now + wait), EventKind::crash_loop, w,
                 work.crash_epoch);
}

}  // namespace parley::sim
