// Layer 5, execution: what a cluster that counts nothing itself shows in, the counters of its
// leaves out. docs/decisions/0037-live-scores.md says why it is done here and not in observation.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <map>

namespace parley::execution {

/// The counters of one round. What a round shows is taken to have held since the round before. Time
/// in which the API was silent, and time before the first round of a process, is never counted: the
/// counters then begin a new history, and what they would have been stays missing. Figures that no
/// source gives are named as uncounted. Leaves whose source counts by itself are handed on as they
/// are; so is everything in the simulator, where a silent source is meant to be one.
class Tally {
public:
    /// Notes in the memory until when was counted.
    Tally(const model::RoundInput& input, const model::Policy& policy, model::Memory& memory);

    /// What a workload that appears while we watch begins with.
    model::WorkCounters begin(const model::WorkloadRow& row) const;

    /// The counters of a leaf now; `last` are those of the round before.
    model::Reading<model::WorkCounters> of(Slot slot, const model::WorkloadRow& row,
                                           const model::WorkCounters& last) const;
    model::Reading<model::NodeCounters> of(const model::NodeRow& row,
                                           const model::NodeCounters& last) const;

private:
    template <class Row>
    bool counts(const Row& row) const;
    bool refuses(const model::WorkloadRow& row) const;
    std::int64_t ms() const { return span_.us / 1000; }
    /// Thousandths a second, over the time since the last round.
    std::int64_t accrued(std::int64_t milli) const { return milli * ms() / 1000; }
    model::Provenance now() const;

    const model::RoundInput& input_;
    const model::Ledger& ledger_;
    bool on_ = false;  ///< This round is counted.
    Duration span_;    ///< Since the last one that was, if nothing lies between.
    std::int64_t history_ = 0;
    std::map<Slot, std::int64_t> waiting_;    ///< Pods that wait for room or for our gate.
    std::map<Slot, std::int64_t> disrupted_;  ///< Since the last round, restarts included.
};

}  // namespace parley::execution
