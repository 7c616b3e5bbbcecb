#include "layers/execution/tally.h"

#include "model/sources.h"

#include <algorithm>

namespace parley::execution {

using namespace model;

namespace {

/// So many usual rounds may pass between two that are counted: one may be late.
constexpr std::int64_t kRoundsBetween = 3;

template <class Counters>
Counters go_on_from(const Counters& last, std::int64_t history) {
    if (last.history == history) return last;
    Counters begun;
    begun.history = history;
    return begun;
}

std::int64_t found_in(const std::map<Slot, std::int64_t>& counts, Slot slot) {
    const auto found = counts.find(slot);
    return found == counts.end() ? 0 : found->second;
}

/// Its value; null if it is missing or not measured.
const std::int64_t* measured(const Reading<std::int64_t>& reading) {
    return reading.from().origin == Origin::measured ? reading.value() : nullptr;
}

}  // namespace

Tally::Tally(const RoundInput& input, const Policy& policy, Memory& memory)
    : input_(input), ledger_(memory.ledger) {
    Derived& derived = memory.derived;
    const Duration age_max = policy.guard.api_age_max;
    on_ = !input.controls.simulated && delivers(input.snapshot, Source::api, input.now, age_max);
    if (!on_) return;
    const Duration since = input.now - derived.tallied;
    const bool goes_on = derived.tallied != TimePoint{} && !input.controls.started_anew &&
                         since <= std::max(age_max, derived.step * kRoundsBetween);
    if (goes_on) {
        span_ = since;
    } else {
        ++derived.history;
    }
    history_ = derived.history;
    derived.tallied = input.now;
    for (const PendingGroup& group : input.snapshot.pending) {
        const bool counts = group.causes.shortage() || group.causes.has(Cause::our_hold);
        if (counts) waiting_[group.workload] += group.count;
    }
    for (const Disruption& each : input.snapshot.disruptions) ++disrupted_[each.workload];
    for (const Restart& each : input.snapshot.restarts) disrupted_[each.workload] += each.count;
}

template <class Row>
bool Tally::counts(const Row& row) const {
    return on_ && row.counters.from().received == TimePoint{};
}

/// Whether an order of ours may have refused some: nobody tells how many.
bool Tally::refuses(const WorkloadRow& row) const {
    return row.batch && std::ranges::any_of(ledger_.orders, [&](const StandingOrder& order) {
               return order.mode == AdmissionWish::reject &&
                      (order.spaces.empty() || std::ranges::count(order.spaces, row.id.space) > 0);
           });
}

Provenance Tally::now() const {
    return {.received = input_.now,
            .measured = input_.now,
            .source = Source::api,
            .origin = Origin::derived};
}

WorkCounters Tally::begin(const WorkloadRow& row) const {
    WorkCounters nothing;
    if (counts(row)) nothing.history = history_;
    return nothing;
}

Reading<WorkCounters> Tally::of(Slot slot, const WorkloadRow& row, const WorkCounters& last) const {
    if (!counts(row)) return row.counters;
    WorkCounters next = go_on_from(last, history_);
    next.uncounted = {};
    const std::int64_t* const failing = measured(row.failing_milli);
    const std::int64_t lost = failing != nullptr ? accrued(*failing) : 0;
    next.lost += lost;
    if (!row.batch) {  // Nobody waits for the answer of a Job.
        if (failing == nullptr) next.uncounted = next.uncounted.with(CostLine::lost_requests);
        // What is slow depends on what was promised, and nobody tells.
        next.uncounted = next.uncounted.with(CostLine::violating_requests);
    }
    if (const std::int64_t* milli = measured(row.requests_milli)) {
        next.offered += accrued(*milli);
        next.done += std::max<std::int64_t>(0, accrued(*milli) - lost);
    }
    next.disruptions += found_in(disrupted_, slot);
    next.pending_ms += (found_in(waiting_, slot) + row.held) * ms();
    if (refuses(row)) next.uncounted = next.uncounted.with(CostLine::rejections);
    next.completions = std::max(next.completions, row.completions);
    next.reserved_core_ms += row.cpu_reserved_m * ms() / 1000;
    next.reserved_mib_ms += row.memory_reserved / 1024 * ms() / 1024;
    next.service_ms += row.ready * ms();
    return {next, now()};
}

Reading<NodeCounters> Tally::of(const NodeRow& row, const NodeCounters& last) const {
    if (!counts(row)) return row.counters;
    NodeCounters next = go_on_from(last, history_);
    next.uncounted = {};
    const bool runs = row.power == Power::on || row.power == Power::booting;
    if (const std::int64_t* power = measured(row.power_mw)) {
        next.energy_mj += accrued(*power);
    } else if (runs) {
        next.uncounted = next.uncounted.with(CostLine::energy);
    }
    if (runs) next.on_ms += ms();
    return {next, now()};
}

}  // namespace parley::execution
