// Web: one node or workload in detail, from a round and those before it. Pure.

#pragma once

#include "layers/explanation/answers/history.h"
#include "layers/explanation/telling/past.h"
#include "web/views/node_view.h"
#include "web/views/seen_round.h"
#include "web/views/views_things.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::web {

/// How many rounds before the chosen one are looked at, and how many pods are listed.
inline constexpr std::uint64_t kHistoryRounds = 300;
inline constexpr std::size_t kPodsListed = 200;

/// Takes the rounds up to the chosen one, in order; then describes a node or workload in the last
/// of them.
class ThingStory {
public:
    using About = explanation::History::About;
    ThingStory(About about, std::string name, const model::Policy& policy);

    void take(const SeenRoundPtr& round);

    /// Nothing: the last round has none of that name. `from` is the first round that was taken.
    std::optional<NodeDetail> node() const;
    std::optional<WorkloadDetail> workload() const;
    /// Names of that kind in the last round, for an error message.
    std::vector<std::string> names() const;

private:
    Slot slot_in(const model::Snapshot& snapshot) const;
    NodeForecastView forecast_of(Slot slot) const;

    About about_;
    std::string name_;
    const model::Policy& policy_;
    explanation::Past past_;
    explanation::History history_;
    std::vector<SeenRoundPtr> rounds_;
};

WorkloadLine workload_line(const SeenRound& round, const model::WorkloadRow& row,
                           const model::Policy& policy);
/// Sorted by name; `find` is a part of the name.
WorkloadsView workloads_view(const SeenRound& round, const model::Policy& policy,
                             std::size_t offset, std::size_t limit, std::string_view find);

/// Nodes, workloads and words of the ask box that begin with `prefix`; at most 20.
std::vector<std::string> names_with(const SeenRound& round, std::string_view prefix);

}  // namespace parley::web
