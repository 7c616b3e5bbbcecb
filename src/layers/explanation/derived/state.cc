#include "layers/explanation/derived/state.h"

#include "layers/explanation/telling/outcome.h"
#include "layers/explanation/telling/stages.h"
#include "layers/explanation/wording/lines.h"
#include "layers/explanation/wording/wording.h"
#include "model/sources.h"
#include "model/utilisation.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::size_t kNodesShown = 10;

double units(std::int64_t cost) { return -static_cast<double>(cost) / kCostUnit; }

Reward reward_of(const Decision& decision) {
    const RoundScore& score = decision.score;
    Reward reward{.round = decision.round,
                  .leaves = score.leaves,
                  .missing = score.missing,
                  .text = round_score_line(score)};
    if (score.prototype) reward.prototype = score.prototype->total;
    if (!too_little_read(score.leaves, score.missing).empty()) return reward;
    reward.total = score.score;
    for (const Role role : kRoles) {
        if (any_counted(score.uncounted, role)) reward.by[role] = units(score.cost[role]);
    }
    return reward;
}

std::optional<std::int64_t> known(const Reading<std::int64_t>& reading) {
    const std::int64_t* value = reading.value();
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

void add_power(const Told& told, ClusterWord& word) {
    std::int64_t mw = 0;
    bool estimated = false;
    bool any = false;
    told.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        const std::int64_t* power = node.power_mw.value();
        if (power == nullptr) return;
        any = true;
        mw += *power;
        estimated = estimated || node.power_mw.from().origin != Origin::measured;
    });
    word.power_kind = !any ? "unknown" : (estimated ? "estimated" : "measured");
    if (any) word.watts = static_cast<double>(mw) / 1000;
    if (estimated) word.power_source = told.policy.power.source;
}

void add_use(const Told& told, ClusterWord& word) {
    double cpu = 0;
    double memory = 0;
    std::int64_t counted_nodes = 0;
    told.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        ++word.nodes;
        if (node.ready == Readiness::yes) ++word.nodes_ready;
        const Utilisation use =
            utilisation_of(node, told.input.now, told.policy.guard.metrics_age_max);
        // What pods requested is no use: where nobody measured, nothing is known.
        if (!use.cpu || !use.memory || !use.cpu_measured || !use.memory_measured) return;
        cpu += *use.cpu;
        memory += *use.memory;
        ++counted_nodes;
    });
    if (counted_nodes == 0) return;
    word.mean_cpu = cpu / static_cast<double>(counted_nodes);
    word.mean_memory = memory / static_cast<double>(counted_nodes);
}

void add_beliefs(const Told& told, ClusterWord& word) {
    for (const NodeForecast& node : told.decision.forecast.nodes) {
        if (node.risk && (!word.max_risk || *node.risk > *word.max_risk)) {
            word.max_risk = node.risk;
            word.max_risk_node = node_name(told.input.snapshot, node.node);
        }
        const NodeRow* row = told.input.snapshot.nodes.find(node.node);
        if (row == nullptr || row->ready != Readiness::yes || row->power != Power::on) continue;
        // The prototype's formula takes what pods requested for what they use.
        const Duration age_max = told.policy.guard.metrics_age_max;
        const bool measured = row->cpu_used_m.fresh(told.input.now, age_max) != nullptr ||
                              told.policy.profile == Profile::prototype;
        if (!measured) continue;
        if (node.demand && (!word.min_demand || *node.demand < *word.min_demand)) {
            word.min_demand = node.demand;
            word.min_demand_node = node_name(told.input.snapshot, node.node);
        }
    }
}

ClusterWord cluster_of(const Told& told) {
    const Snapshot& snapshot = told.input.snapshot;
    ClusterWord word{.tasks = static_cast<std::int64_t>(snapshot.pods.size()),
                     .queue = known(snapshot.queue),
                     .sla_violations = known(snapshot.violations),
                     .completed = known(snapshot.completed),
                     .pending = pending_line(snapshot),
                     .sources = source_words(told.input),
                     .worth_a_look = nodes_worth_a_look(told, kNodesShown)};
    add_use(told, word);
    add_power(told, word);
    add_beliefs(told, word);
    const SourceState* prometheus = state_of(snapshot, Source::prometheus);
    if (prometheus != nullptr && prometheus->condition != SourceCondition::ok) {
        word.prometheus_error = prometheus->reason;
    }
    return word;
}

DecisionWord decision_of(const Decision& decision) {
    DecisionWord word{.round = decision.round,
                      .id = decision.id.text(),
                      .headline = headline(decision),
                      .reason = reason(decision),
                      .rule = decision.verdict.rule,
                      .rationale = rationale_of(decision),
                      .contest = std::string(enum_name(decision.verdict.contest))};
    if (const Proposal* winner = chosen(decision.verdict)) {
        word.label = label_of(winner->role, winner->action);
    }
    return word;
}

OutcomeWord outcome_of(const ClosedScore& score) {
    return {score.round, wish_text(score.action, score.target), score.state, score_line(score),
            notes_text(score.notes, score.target)};
}

OutcomeWord outcome_of(const OpenScore& open, bool simulated) {
    return {open.round, wish_text(open.action, open.target), ScoreState::open,
            open_line(open, simulated), notes_text(open.notes, open.target)};
}

StageWord word_for(const store::StageNote& stage) {
    const bool over = stage.status == store::StageStatus::complete;
    return {stage.name, std::string(enum_name(stage.status)), stage.detail, over ? 1.0 : 0.0};
}

}  // namespace

StateKeeper::StateKeeper(const store::RunHeader& header) : header_(header) {
    state_.mode = mode_text(header.mode, header.simulated);
    state_.profile = enum_name(header.policy.profile);
    state_.scenario = header.scenario;
    state_.seed = header.seed;
    state_.program = header.program;
    state_.active_stage = "live_kubernetes_loop";
    state_.data_source = header.simulated ? "simulated cluster, scenario " + header.scenario
                                          : std::string("Kubernetes");
    state_.artifacts = {"journal/", "run.db", "events.jsonl", "state.json"};
}

void StateKeeper::take(const Told& told, const std::vector<Event>& events) {
    const bool simulated = told.input.controls.simulated;
    const Reward reward = reward_of(told.decision);
    if (state_.rounds++ == 0) state_.began = when(told.input.now, simulated);
    state_.newest = when(told.input.now, simulated);
    state_.stopped = told.input.controls.stop;
    state_.rows += told.input.snapshot.nodes.size();
    account_.take(told.decision.score);
    rewards_.push_back(reward);
    if (rewards_.size() > kRewardsKept) rewards_.pop_front();

    const std::uint64_t repeats = state_.decision.repeat_count;
    state_.decision = decision_of(told.decision);
    std::string line = decision_line(told.decision);
    state_.decision.repeat_count = line == repeated_ ? repeats + 1 : 1;
    repeated_ = std::move(line);
    state_.proposals = agent_rows(told);
    if (!told.decision.verdict.accepted.empty()) {
        state_.rewards.last_action = state_.decision.label;
    }
    for (const ClosedScore& score : told.decision.closed) {
        state_.rewards.last_score = score_line(score);
        known_.push_back(outcome_of(score));
        if (known_.size() > kOutcomesKept) known_.pop_front();
    }
    open_.clear();
    for (const OpenScore& open : told.decision.open_scores) {
        open_.push_back(outcome_of(open, simulated));
    }
    state_.cluster = cluster_of(told);
    state_.disagreements = told.decision.disagreements;
    state_.alarms = told.decision.alarms;
    state_.missing = missing_readings(told);
    state_.assumed = assumed(told);
    keep_events(events, simulated);
}

void StateKeeper::keep_events(const std::vector<Event>& events, bool simulated) {
    for (const Event& event : events) {
        events_.push_back({when(event.time, simulated), event.round, event.kind, event.message});
        if (events_.size() > kEventsKept) events_.pop_front();
    }
}

void StateKeeper::end(const std::vector<ClosedScore>& scores, const std::vector<Event>& events) {
    open_.clear();
    for (const ClosedScore& score : scores) open_.push_back(outcome_of(score));
    keep_events(events, header_.simulated);
}

DashboardState StateKeeper::state(const store::RunFacts& facts,
                                  std::vector<std::string> errors) const {
    DashboardState state = state_;
    state.status = enum_name(facts.status);
    state.reason = facts.reason;
    state.errors = std::move(errors);
    state.rewards.count = state.rounds;
    state.rewards.coverage = account_.coverage();
    state.rewards.not_known_because = account_.not_known_because();
    state.rewards.cost_pod_minutes = account_.cost();
    state.rewards.left_out = reasons_without(account_.uncounted());
    if (!rewards_.empty()) state.rewards.last = rewards_.back();
    if (const auto score = account_.score(); score && state.rounds > 0) {
        state.rewards.average_total = *score / static_cast<double>(state.rounds);
    }
    state.last_rewards.assign(rewards_.begin(), rewards_.end());
    state.events.assign(events_.begin(), events_.end());
    state.outcomes.assign(known_.begin(), known_.end());
    state.outcomes.insert(state.outcomes.end(), open_.begin(), open_.end());
    std::ranges::sort(state.outcomes, {},
                      [](const OutcomeWord& each) { return std::tie(each.round, each.action); });
    const bool over = facts.status != store::RunStatus::running;
    const auto stages = stages_of(header_, facts.stages);
    for (const store::StageNote& stage : stages) state.stages.push_back(word_for(stage));
    state.ray = word_for(stage_called(stages, kRay));
    state.optuna = word_for(stage_called(stages, kOptuna));
    state.stages.push_back({"live_kubernetes_loop", over ? "complete" : "running",
                            counted(static_cast<std::int64_t>(state.rounds), "round"),
                            over ? 1.0 : 0.0});
    if (facts.status == store::RunStatus::failed) state.stages.back().status = "failed";
    return state;
}

}  // namespace parley::explanation
