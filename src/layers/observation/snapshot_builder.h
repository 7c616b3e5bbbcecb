// Layer 1, observation: batches of changes and samples in, one snapshot a round out.

#pragma once

#include "cluster/changes.h"
#include "layers/observation/shapes.h"
#include "layers/observation/watched.h"
#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace parley::observation {

struct ObservationLimits {
    Duration api_late = seconds(15);          ///< Without an answer for this long, the API is late.
    Duration metrics_late = seconds(60);      ///< The same for Metrics Server and Prometheus.
    std::int64_t energy_price_ppm = 100'000;  ///< Assumed if no source gives a price.
    Watched watched;                          ///< Which namespaces count as queue and violations.
    /// As in the prototype: pods that can never run count as queue, too.
    bool queue_impossible = false;
};

/// The limits that a policy sets.
ObservationLimits limits_of(const model::Policy& policy);

/// Keeps the current picture and hands out copies. Sums per node, counts per workload and groups of
/// pending pods are updated with each change, so that a round costs only what changed. Uses no
/// clock: the round's time is passed in. Not thread-safe.
class SnapshotBuilder {
public:
    explicit SnapshotBuilder(ObservationLimits limits);

    /// Continues from an earlier snapshot and keeps its slots. The next batch should be complete,
    /// so that what has gone since is noticed.
    SnapshotBuilder(ObservationLimits limits, model::Snapshot from);

    /// Takes in what was reported at `now`.
    void take(const cluster::Batch& batch, TimePoint now);

    /// Nothing could be read at all: the picture stays as it is and ages.
    void take_failure(const std::string& reason, TimePoint now);

    /// The current picture as the snapshot of this round. Readings past their age limit become
    /// gaps; each restart and each disruption is handed out once.
    model::Snapshot finish(std::uint64_t round, TimePoint now);

private:
    struct Group {
        std::int32_t count = 0;
        std::map<TimePoint, std::int32_t> created;
        std::string says;  ///< What the scheduler or kubelet said last.
    };
    struct UidHash {
        std::size_t operator()(const model::Uid& uid) const {
            return static_cast<std::size_t>(uid.high * 0x9e3779b97f4a7c15ULL ^ uid.low);
        }
    };
    using Slots = std::unordered_map<model::Uid, Slot, UidHash>;

    void apply(const cluster::NodeChange& change);
    void apply(const cluster::NodeGone& gone);
    void apply(const cluster::WorkloadChange& change);
    void apply(const cluster::WorkloadGone& gone);
    void apply(const cluster::PodChange& change);
    void apply(const cluster::PodGone& gone);
    void apply(const cluster::PodRestarted& restart);
    void apply(const cluster::PodDisrupted& disrupted);

    void apply(const cluster::PlacesChange& change, const std::vector<Slot>& slots);
    void take_places(const cluster::Batch& batch);

    void drop_unnamed(const cluster::Batch& batch);
    /// Moves the times in all rows that others wrote.
    void move_times(Duration by);
    void remove_pod(Slot slot);
    /// Adds (+1) or takes away (-1) what a pod contributes to its node, workload and group.
    void count(const model::PodRow& pod, std::int32_t sign);
    void count_pending(const model::PodRow& pod, std::int32_t sign);
    /// `rejected`: why the whole sample cannot be used; nothing: each figure is judged.
    void take_sample(const cluster::NodeSample& sample, std::optional<model::Gap> rejected,
                     TimePoint now);
    void take_samples(const std::vector<cluster::NodeSample>& samples, TimePoint now);
    void take_sample(const cluster::WorkloadSample& sample, TimePoint now);
    void take_sample(const cluster::PodSample& sample, TimePoint now);
    /// The containers of a pod besides its first are those now; what they use is kept of those that
    /// were there before.
    void put_containers(Slot pod, std::vector<model::ContainerRow> rows);
    /// To write what a container uses.
    model::ContainerState& state_of(Slot pod, std::uint16_t at);
    model::SourceState& source(model::Source which);
    /// What a source says about itself, and which of its figures cannot be used.
    std::string reason_of(const model::SourceState& state, TimePoint now) const;
    void heard_from(model::Source which, TimePoint measured);
    /// Notes that a source measured something usable of a node at that time, if that is newer.
    void note_sample(model::Source which, Slot node, TimePoint at);
    /// Notes that the newest sample of a node from this source cannot be used.
    void forget_sample(model::Source which, Slot node);
    /// How many powered nodes a source has measured recently.
    std::int32_t covered_by(model::Source which, TimePoint now) const;
    void age_sources(TimePoint now);
    void age_readings(TimePoint now);

    ObservationLimits limits_;
    model::Snapshot snapshot_;
    /// When each source last measured something usable of each node, by slot.
    std::map<model::Source, std::vector<std::optional<TimePoint>>> sampled_;
    std::map<model::Source, std::string> reasons_;  ///< As they were reported.
    Slots nodes_;                                   // Lookup only.
    Slots workloads_;                               // Lookup only.
    Slots pods_;                                    // Lookup only.
    std::map<std::pair<Slot, model::CauseSet>, Group> groups_;
    Shapes shapes_;
    std::map<Slot, std::vector<Slot>> others_;  ///< By pod: its rows in `Snapshot::containers`.
    std::int64_t queue_ = 0;
    std::int64_t violations_ = 0;
    std::int64_t completed_gone_ = 0;  ///< Completions of Jobs that no longer exist.
    TimePoint api_seen_;
    bool api_failed_ = true;  ///< Until something was read.
};

}  // namespace parley::observation
