#include "layers/execution/account.h"

#include "base/describe.h"

#include <cmath>

namespace parley::execution {

using namespace model;

namespace {

constexpr double kMsPerMinute = 60e3;
constexpr double kMsPerHour = 3600e3;
constexpr double kMillijoulesPerKwh = 3.6e9;
constexpr double kMibPerGib = 1024;
constexpr double kPerThousand = 1e-3;  // Requests are counted in thousandths.

/// One line: `count` units at `each` pod-minutes. Monotone in the count, so that no interval of a
/// counter that only grows has a negative cost.
std::int64_t line(std::int64_t count, double each) {
    return static_cast<std::int64_t>(
        std::floor(static_cast<double>(count) * (each * kCostUnit) + 0.5));
}

template <class Counters>
bool none_falls(const Counters& before, const Counters& after) {
    bool grows = true;
    for_each_pair(before, after, [&]<class T>(auto, const T& a, const T& b) {
        if constexpr (Integer<T>) grows = grows && a <= b;
    });
    return grows && before.history == after.history;
}

/// Adds the price of lines up, but for those that are left out.
class Bill {
public:
    explicit Bill(LineSet without) : without_(without) {}
    void add(CostLine which, std::int64_t count, double each) {
        if (!without_.has(which)) cost[role_of(which)] += line(count, each);
    }
    Cost cost;

private:
    LineSet without_;
};

}  // namespace

Cost price(const WorkCounters& c, const Prices& p, LineSet without) {
    Bill bill(without);
    bill.add(CostLine::lost_requests, c.lost, p.lost_request * kPerThousand);
    bill.add(CostLine::disruptions, c.disruptions, p.disruption);
    bill.add(CostLine::pending, c.pending_ms, p.pending_minute / kMsPerMinute);
    bill.add(CostLine::rejections, c.rejections, p.rejection);
    bill.add(CostLine::violating_requests, c.violating, p.violating_request * kPerThousand);
    bill.add(CostLine::core_hours, c.reserved_core_ms, p.core_hour / kMsPerHour);
    bill.add(CostLine::gib_hours, c.reserved_mib_ms, p.gib_hour / kMibPerGib / kMsPerHour);
    return bill.cost;
}

Cost price(const NodeCounters& c, const Prices& p, LineSet without) {
    Bill bill(without);
    bill.add(CostLine::energy, c.energy_mj, p.energy_kwh / kMillijoulesPerKwh);
    bill.add(CostLine::node_hours, c.on_ms, p.node_hour / kMsPerHour);
    return bill.cost;
}

double score_of(const Cost& cost, const Weights& weights) {
    double weighted = 0;
    for (const Role role : kRoles) weighted += weights[role] * static_cast<double>(cost[role]);
    return weighted == 0 ? 0 : -weighted / kCostUnit;
}

bool goes_on(const WorkCounters& before, const WorkCounters& after) {
    return none_falls(before, after);
}
bool goes_on(const NodeCounters& before, const NodeCounters& after) {
    return none_falls(before, after);
}

}  // namespace parley::execution
