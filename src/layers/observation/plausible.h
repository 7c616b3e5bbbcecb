// Layer 1, observation: raw figures from a source in, readings out. An impossible figure becomes a
// gap.

#pragma once

#include "cluster/changes.h"
#include "model/snapshot.h"

#include <cstdint>
#include <optional>

namespace parley::observation {

/// How far a figure may exceed what is possible before it is rejected: kubelets round, and usage
/// includes the system's own processes.
inline constexpr double kSlack = 1.25;
/// A source's clock may be this far ahead of ours.
inline constexpr Duration kAhead = seconds(30);

/// A finite figure within [0, most], rounded to a whole number; otherwise a gap marked implausible.
/// Nothing if there is no figure.
std::optional<model::Reading<std::int64_t>> whole(std::optional<double> figure, double most,
                                                  const model::Provenance& from);

/// The same for a share in [0, 1], in millionths.
std::optional<model::Reading<std::int64_t>> share_ppm(std::optional<double> figure,
                                                      const model::Provenance& from);

/// Why a sample's own time cannot be right; nothing: it can.
std::optional<model::Gap> wrong_time(TimePoint measured, TimePoint now);

/// Zero CPU and zero memory at once: even an idle node runs a kernel.
bool empty_sample(const cluster::NodeSample& sample);

/// Whether a usage summary is possible: ordered and not negative.
bool plausible(const model::Usage& usage);

/// Whether no counter has fallen, which none may while the object is the same.
bool never_falls(const model::WorkCounters& before, const model::WorkCounters& after);
bool never_falls(const model::NodeCounters& before, const model::NodeCounters& after);

/// Whether `candidate` should replace `current`: it is newer, or as new and not a gap. A rejected
/// figure replaces only what the same source said; another source's good figure stays.
template <class T>
bool replaces(const model::Reading<T>& candidate, const model::Reading<T>& current) {
    if (current.value() == nullptr) return true;
    if (candidate.value() == nullptr) return candidate.from().source == current.from().source;
    return candidate.from().measured >= current.from().measured;
}

}  // namespace parley::observation
