// Layer 5, execution: counters in, their cost in millionths of a pod-minute out.

#pragma once

#include "model/cost.h"
#include "model/policy.h"

#include <optional>

namespace parley::execution {

/// What everything counted so far has cost. Each line is rounded to the nearest millionth, halves
/// up, before lines are added. The cost of an interval is the difference of two such figures, so
/// that the parts of an interval add up to the whole of it exactly. Lines of `without` are left
/// out.
model::Cost price(const model::WorkCounters& counters, const model::Prices& prices,
                  model::LineSet without = {});
model::Cost price(const model::NodeCounters& counters, const model::Prices& prices,
                  model::LineSet without = {});

/// -(alpha A + beta B + gamma C + ...), in pod-minutes.
double score_of(const model::Cost& cost, const model::Weights& weights);

/// Whether both are of one history and no counter is lower than before. Otherwise they belong to
/// different objects or times, and no difference can be taken.
bool goes_on(const model::WorkCounters& before, const model::WorkCounters& after);
bool goes_on(const model::NodeCounters& before, const model::NodeCounters& after);

/// What the interval between two readings has cost; nothing if the second does not continue the
/// first.
template <class Counters>
std::optional<model::Cost> cost_between(const Counters& before, const Counters& after,
                                        const model::Prices& prices, model::LineSet without = {}) {
    if (!goes_on(before, after)) return std::nullopt;
    return price(after, prices, without) - price(before, prices, without);
}

}  // namespace parley::execution
