// Model: what layer 2 believes: the risk of nodes with the reasons for it, the demand of nodes and
// workloads.

#pragma once

#include "base/table.h"
#include "model/action.h"
#include "model/demand.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

/// Signals of a failing node. Predictors say which of them were seen, and which could not be read.
enum class Signal : std::uint8_t {
    lease_slow,      ///< Lease 10 to 40 s old.
    lease_lost,      ///< Lease over 40 s old.
    not_ready,       ///< Ready=False or Unknown.
    pressure,        ///< A pressure condition.
    restarts,        ///< Restarts that only the node explains: see model/restarts.h.
    flaps,           ///< At least 2 Ready flaps in an hour.
    pods_unhealthy,  ///< `formula`: a pod on it is failed, pending, unknown or unready.
    pods_restarted,  ///< `formula`: a container on it ever restarted.
    cpu,
    memory,
    disk,
    net,
};
BOOST_DESCRIBE_ENUM(Signal, lease_slow, lease_lost, not_ready, pressure, restarts, flaps,
                    pods_unhealthy, pods_restarted, cpu, memory, disk, net)

struct SignalSet {
    std::uint32_t bits = 0;

    constexpr bool has(Signal s) const { return (bits >> static_cast<unsigned>(s)) & 1U; }
    constexpr void add(Signal s) { bits |= 1U << static_cast<unsigned>(s); }
    friend bool operator==(const SignalSet&, const SignalSet&) = default;
};
BOOST_DESCRIBE_STRUCT(SignalSet, (), (bits))

/// One way to answer a risk: act if p x loss x efficacy x timeliness > 1.1 x cost.
struct Remedy {
    ActionKind kind = ActionKind::noop;
    double efficacy = 0;
    double timeliness = 0;
    double cost = 0;   ///< Pod-minutes.
    double limit = 2;  ///< The risk from which it pays; above 1: it never does.
    friend bool operator==(const Remedy&, const Remedy&) = default;
};
BOOST_DESCRIBE_STRUCT(Remedy, (), (kind, efficacy, timeliness, cost, limit))

/// Pod-minutes that a remedy is expected to save, beyond `margin` times its cost.
inline double gain_of(const Remedy& remedy, double risk, double loss, double margin) {
    return risk * loss * remedy.efficacy * remedy.timeliness - margin * remedy.cost;
}

struct NodeForecast {
    Slot node = kNoSlot;
    std::optional<double> risk;  ///< Nothing: unknown, never zero.
    SignalSet spoke;             ///< Signals that raised the risk.
    SignalSet missing;           ///< Signals that could not be read.
    double loss = 0;             ///< Pod-minutes of service lost if it fails and nothing was done.
    std::array<Remedy, 3> remedies{};  ///< Throttle, replicate, migrate.
    /// The risk from which acting on this node pays: the lowest limit of its remedies.
    double limit = 2;
    std::optional<double> demand;  ///< Share of its capacity wanted; nothing: unknown.
    friend bool operator==(const NodeForecast&, const NodeForecast&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeForecast, (), (node, risk, spoke, missing, loss, remedies, limit, demand))

struct WorkloadForecast {
    Slot workload = kNoSlot;
    std::optional<double> demand_m;  ///< Millicores wanted; nothing: unknown.
    friend bool operator==(const WorkloadForecast&, const WorkloadForecast&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkloadForecast, (), (workload, demand_m))

/// What one feature does to the odds of a risk.
struct RiskFactor {
    std::string feature;
    std::optional<double> value;  ///< Nothing: the feature was missing, which also has an effect.
    double factor = 1;            ///< On the odds: 4.2 makes them 4.2 times as high.
    friend bool operator==(const RiskFactor&, const RiskFactor&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskFactor, (), (feature, value, factor))

/// Why a trained model gives a node its risk: base odds x all factors x calibration x correction =
/// odds.
struct RiskReasons {
    Slot node = kNoSlot;
    double base = 0;                  ///< Odds of a node about which nothing is known.
    std::vector<RiskFactor> factors;  ///< The strongest first.
    double others = 1;                ///< The product of the factors that are not listed.
    double calibration = 1;           ///< What calibration does to the odds.
    double correction = 1;  ///< What the correction learned while serving does to the odds.
    friend bool operator==(const RiskReasons&, const RiskReasons&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskReasons, (), (node, base, factors, others, calibration, correction))

/// Learned while serving, on top of a model's calibration: ln odds' = a + b x ln odds.
struct RiskCorrection {
    std::string id;
    double a = 0;
    double b = 1;
    TimePoint since;
    friend bool operator==(const RiskCorrection&, const RiskCorrection&) = default;
};
BOOST_DESCRIBE_STRUCT(RiskCorrection, (), (id, a, b, since))

/// The risks of a predictor that only runs along and decides nothing.
struct Shadow {
    std::string model;
    std::vector<std::optional<double>> risks;  ///< In the order of Forecast::nodes.
    friend bool operator==(const Shadow&, const Shadow&) = default;
};
BOOST_DESCRIBE_STRUCT(Shadow, (), (model, risks))

struct Forecast {
    std::string model;  ///< `formula`, `evidence` or a trained model's id.
    Duration horizon;
    std::vector<NodeForecast> nodes;          ///< By slot.
    std::vector<WorkloadForecast> workloads;  ///< By slot.
    bool danger = false;
    std::string danger_because;  ///< A sentence; empty: no danger.
    std::string calibration;     ///< Its id; empty: the predictor has none.
    std::uint32_t features = 0;  ///< Version of the features that a trained model saw.
    double usual = 0;            ///< The median risk; limits are counted from it. 0: from zero.
    std::string instead;  ///< Why another predictor than the requested one is used; else empty.
    std::vector<RiskReasons> reasons;  ///< For nodes that were acted on or withheld.
    std::vector<Shadow> shadows;
    /// In force; nothing: calibrated risks are used unchanged.
    std::optional<RiskCorrection> correction;
    DemandForecast demand;
    friend bool operator==(const Forecast&, const Forecast&) = default;
};
BOOST_DESCRIBE_STRUCT(Forecast, (),
                      (model, horizon, nodes, workloads, danger, danger_because, calibration,
                       features, usual, instead, reasons, shadows, correction, demand))

}  // namespace parley::model
