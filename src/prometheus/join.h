// Prometheus, join: answers and their ages in; samples of the seam, and what was left out, out.
// Pure.

#pragma once

#include "prometheus/directory.h"
#include "prometheus/joined.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace parley::prometheus {

/// One round of questions. Borrows the directory.
class Join {
public:
    /// Figures older than `stale` count only if there is nothing newer.
    Join(const Directory& directory, Duration stale);

    /// Whether node_uname_info could identify a target in it that nothing else does.
    bool needs_names(const Query& query, const Answer& values) const;
    void learn_names(const Answer& names) { lookup_.learn(names); }

    /// `asked` is by our clock. The first answer of a round tells how far theirs is off, so that a
    /// wrong clock does no harm. Both answers must be of the same moment.
    void add(const Query& query, const Answer& values, const Answer& ages, TimePoint asked);

    /// Every target has this query's figure, and a recent one: others for it need not be asked.
    bool covered(const Query& query) const;

    Joined finish();

private:
    struct Cell {
        enum class State : std::uint8_t { none, doubtful, good } state = State::none;
        bool fresh = false;
        double value = 0;
        TimePoint measured;
    };
    using Cells = std::vector<Cell>;

    Cells& cells(Figure figure, Target target);
    std::size_t targets(Target target) const;
    void settle(const Query& query, std::size_t place, const Cell& cell);
    std::string called(const Query& query, std::size_t place) const;
    std::string called_workload(const model::Uid& uid) const;
    void finish_nodes();
    void finish_workloads(Figure figure);
    void finish_pods(Figure figure);
    cluster::WorkloadSample& sample_of(const model::Uid& workload, TimePoint measured);

    const Directory& directory_;
    Duration stale_;
    Lookup lookup_;
    std::optional<Duration> ahead_;                     ///< How far our clock is ahead of theirs.
    std::array<std::array<Cells, 3>, kFigures> cells_;  ///< Empty: not asked for.
    Joined out_;
    /// Workloads that have the figure themselves.
    std::array<std::set<model::Uid>, kFigures> told_;
    std::map<std::pair<model::Uid, TimePoint>, cluster::WorkloadSample> workloads_;
};

}  // namespace parley::prometheus
