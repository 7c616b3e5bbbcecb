// Web, views: one node, one workload, and lists of them; brains and studies.

#pragma once

#include "web/views/views_round.h"

#include <map>

namespace parley::web {

struct NodesView {
    std::uint64_t round = 0;
    std::uint64_t total = 0;
    std::vector<NodeLine> rows;  ///< Sorted by zone, then name.
};
BOOST_DESCRIBE_STRUCT(NodesView, (), (round, total, rows))

struct NamedReading {
    std::string name;
    ReadingView reading;
    std::string unit;
};
BOOST_DESCRIBE_STRUCT(NamedReading, (), (name, reading, unit))

struct LabelView {
    std::string name;
    std::string value;
};
BOOST_DESCRIBE_STRUCT(LabelView, (), (name, value))

struct FactorView {
    std::string feature;
    std::string value;
    double factor = 1;
    bool missing = false;
};
BOOST_DESCRIBE_STRUCT(FactorView, (), (feature, value, factor, missing))

struct RemedyView {
    model::ActionKind kind = model::ActionKind::noop;
    std::optional<double> limit;  ///< Nothing: it never pays.
    double cost = 0;
    bool pays = false;
};
BOOST_DESCRIBE_STRUCT(RemedyView, (), (kind, limit, cost, pays))

struct NodeForecastView {
    std::optional<double> risk;
    std::optional<double> limit;
    double horizon_s = 0;
    std::string model;
    std::optional<double> odds_base;  ///< If a trained model gave reasons.
    std::vector<FactorView> factors;
    std::vector<RemedyView> remedies;
    std::vector<std::string> signals;  ///< What raised it.
    std::vector<std::string> missing;
    std::vector<std::string> text;
};
BOOST_DESCRIBE_STRUCT(NodeForecastView, (),
                      (risk, limit, horizon_s, model, odds_base, factors, remedies, signals,
                       missing, text))

struct NodeHistory {
    std::vector<std::uint64_t> rounds;  ///< Up to the chosen round.
    std::vector<std::optional<double>> risk;
    std::vector<std::optional<double>> limit;
    std::vector<std::optional<double>> cpu;
    std::vector<std::optional<double>> memory;
};
BOOST_DESCRIBE_STRUCT(NodeHistory, (), (rounds, risk, limit, cpu, memory))

struct MomentView {
    std::uint64_t round = 0;
    std::string at;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(MomentView, (), (round, at, text))

struct PodLine {
    std::string name;
    std::string workload;
    std::string phase;
    bool ready = false;
    std::int32_t restarts = 0;
    std::string cpu;  ///< Requested, as Kubernetes writes it.
    std::string memory;
    std::string waits_for;  ///< Causes; empty if it does not wait.
};
BOOST_DESCRIBE_STRUCT(PodLine, (), (name, workload, phase, ready, restarts, cpu, memory, waits_for))

struct NodeDetail {
    std::uint64_t round = 0;
    NodeLine line;
    std::vector<NamedReading> readings;
    std::vector<LabelView> labels;
    NodeForecastView forecast;
    NodeHistory history;
    std::vector<MomentView> moments;
    std::string moments_from;  ///< "from round 201 on"; empty: from the first round on.
    std::vector<PodLine> pods;
    std::uint64_t pods_total = 0;
};
BOOST_DESCRIBE_STRUCT(NodeDetail, (),
                      (round, line, readings, labels, forecast, history, moments, moments_from,
                       pods, pods_total))

struct WorkloadLine {
    std::string name;
    std::string kind;
    std::int32_t wanted = 0;
    std::int32_t ready = 0;
    std::int32_t pending = 0;
    ReadingView cpu;         ///< Millicores, all pods.
    ReadingView memory;      ///< Bytes, all pods.
    ReadingView rate;        ///< Requests a second.
    ReadingView latency_ms;  ///< 95th percentile.
    std::string scale_owner;
    std::string budget;
    std::int32_t priority = 0;
    std::vector<std::string> flags;
    std::string ours;
};
BOOST_DESCRIBE_STRUCT(WorkloadLine, (),
                      (name, kind, wanted, ready, pending, cpu, memory, rate, latency_ms,
                       scale_owner, budget, priority, flags, ours))

struct WorkloadsView {
    std::uint64_t round = 0;
    std::uint64_t total = 0;
    std::vector<WorkloadLine> rows;
};
BOOST_DESCRIBE_STRUCT(WorkloadsView, (), (round, total, rows))

struct WorkloadHistory {
    std::vector<std::uint64_t> rounds;
    std::vector<std::optional<double>> wanted;
    std::vector<std::optional<double>> ready;
    std::vector<std::optional<double>> cpu;
    std::vector<std::optional<double>> rate;
};
BOOST_DESCRIBE_STRUCT(WorkloadHistory, (), (rounds, wanted, ready, cpu, rate))

struct WorkloadDetail {
    std::uint64_t round = 0;
    WorkloadLine line;
    std::vector<NamedReading> readings;
    std::optional<double> demand_m;  ///< Millicores that it is forecast to need.
    WorkloadHistory history;
    std::vector<MomentView> moments;
    std::string moments_from;
    std::vector<PodLine> pods;
    std::uint64_t pods_total = 0;
};
BOOST_DESCRIBE_STRUCT(WorkloadDetail, (),
                      (round, line, readings, demand_m, history, moments, moments_from, pods,
                       pods_total))

struct ReliabilityPoint {
    double p = 0;
    double seen = 0;
    double n = 0;
};
BOOST_DESCRIBE_STRUCT(ReliabilityPoint, (), (p, seen, n))

struct BrainView {
    std::string id;
    std::string kind;
    std::string provenance;
    std::string trained_at;
    std::optional<double> auc;
    std::optional<double> ece;
    std::vector<ReliabilityPoint> reliability;
    bool served = false;
    bool shadow = false;
    std::string refused;  ///< Why it cannot be opened; else empty.
};
BOOST_DESCRIBE_STRUCT(BrainView, (),
                      (id, kind, provenance, trained_at, auc, ece, reliability, served, shadow,
                       refused))

struct TrialView {
    std::int64_t number = 0;
    std::string state;
    std::optional<double> value;
    std::map<std::string, std::string> params;
};
BOOST_DESCRIBE_STRUCT(TrialView, (), (number, state, value, params))

struct ShareView {
    std::string name;
    double share = 0;
};
BOOST_DESCRIBE_STRUCT(ShareView, (), (name, share))

struct OptunaView {
    StageState state = StageState::off;
    std::string study;
    bool maximizes = false;  ///< More is better; otherwise less is, as for a cost.
    std::vector<TrialView> trials;
    std::optional<TrialView> best;
    std::vector<ShareView> importance;
    std::string detail;
};
BOOST_DESCRIBE_STRUCT(OptunaView, (), (state, study, maximizes, trials, best, importance, detail))

struct RayView {
    StageState state = StageState::skipped;
    std::string detail;
    std::uint64_t iterations = 0;
    std::optional<double> reward_mean;
    std::string checkpoint;
};
BOOST_DESCRIBE_STRUCT(RayView, (), (state, detail, iterations, reward_mean, checkpoint))

struct LearningView {
    std::vector<StageView> stages;
    std::vector<BrainView> brains;
    OptunaView optuna;
    RayView ray;
    std::vector<std::string> artifacts;
};
BOOST_DESCRIBE_STRUCT(LearningView, (), (stages, brains, optuna, ray, artifacts))

}  // namespace parley::web
