#include "layers/execution/windows.h"

#include "base/check.h"
#include "layers/execution/attribution.h"
#include "layers/execution/tenants.h"

#include <algorithm>

namespace parley::execution {

using namespace model;

namespace {

constexpr Duration kLead = minutes(2);      // The time a move takes.
constexpr Duration kHorizon = minutes(30);  // Within which the risk was expected to strike.

Duration length_by_kind(ActionKind kind) {
    switch (kind) {
        case ActionKind::replicate:
        case ActionKind::migrate:
            return kLead + kHorizon;
        case ActionKind::power_state:
            return hours(1);
        case ActionKind::memory_balloon:
        case ActionKind::admission:
        case ActionKind::resource_cap:
            return minutes(30);
        case ActionKind::throttle:
        case ActionKind::dvfs:
        case ActionKind::scale:
        case ActionKind::noop:
            break;
    }
    return minutes(10);
}

bool is_job(const Target& leaf) {
    const auto* workload = std::get_if<WorkloadId>(&leaf);
    return workload != nullptr && workload->kind == WorkloadKind::job;
}

bool holds(const std::vector<Target>& list, const Target& leaf) {
    return std::ranges::find(list, leaf) != list.end();
}

bool has_queue(const Window& window) { return holds(window.leaves, WholeCluster{}); }

/// Removes from `other` the leaves that `mine` owns; the score of `other` is cut if it loses any.
void cede(const Window& mine, Window& other) {
    const std::size_t before = other.leaves.size() + other.ceded.size();
    const std::size_t ceded = other.ceded.size();
    std::erase_if(other.leaves, [&](const Target& leaf) {
        return holds(mine.leaves, leaf) || (has_queue(mine) && is_job(leaf));
    });
    const bool lost = other.leaves.size() + ceded < before;
    if (has_queue(other)) {
        for (const Target& leaf : mine.leaves) {
            if (is_job(leaf) && !holds(other.ceded, leaf)) other.ceded.push_back(leaf);
        }
    }
    other.cut = other.cut || lost || other.ceded.size() > ceded;
}

bool has_branch(const Window& window, Branch branch) {
    return std::ranges::find(window.twins, branch, &TwinLeaf::branch) != window.twins.end();
}

std::string missing_because(const Window& window, const std::string& because) {
    if (!because.empty()) return because;
    if (std::string few = too_little_read(window.samples, window.gaps); !few.empty()) return few;
    if (!has_branch(window, Branch::noop)) return "no twin followed it";
    const bool unacted = window.would && !has_branch(window, Branch::acted);
    return unacted ? "no twin followed what would have been done" : "";
}

ScoreState state_of(const Window& window, bool simulated) {
    if (window.would) return ScoreState::would;
    return simulated ? ScoreState::measured : ScoreState::estimated;
}

}  // namespace

Duration window_length(const Window& window, const RoundInput& input, const Policy& policy) {
    Duration startup = policy.stakes.startup_assumed;
    Duration lag{};
    bool seen = false;
    input.snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (!holds(window.leaves, row.id)) return;
        if (const Duration* p95 = row.startup_p95.value()) startup = std::max(startup, *p95);
        if (row.counters.value() == nullptr) return;
        lag = std::max(lag, row.counters.age(input.now));
        seen = true;
    });
    if (!seen) lag = policy.guard.metrics_age_max;
    return std::max(length_by_kind(kind_of(window.action)), startup * 3 + lag);
}

void confirm(std::size_t index, TimePoint at, TimePoint released, Duration length,
             std::vector<Window>& windows) {
    Window& mine = windows[index];
    mine.confirmed = true;
    mine.opened = at;
    mine.closes = at + length;
    const ActionKind kind = kind_of(mine.action);
    if (kind == ActionKind::admission || kind == ActionKind::resource_cap) {
        mine.closes = std::min(mine.closes, released + minutes(10));
    }
    for (Window& other : windows) {
        if (&other != &mine && other.confirmed && other.would == mine.would) cede(mine, other);
    }
}

std::vector<LineGap> gaps_of(const std::vector<LineGap>& lines) {
    std::vector<LineGap> gaps;
    std::ranges::copy_if(lines, std::back_inserter(gaps),
                         [](const LineGap& line) { return line.without > 0; });
    return gaps;
}

void keep_miss(std::vector<TwinMiss>& misses, TwinMiss miss) {
    const auto same = [&](const TwinMiss& each) { return each.kind == miss.kind; };
    if (std::ranges::count_if(misses, same) >= static_cast<std::ptrdiff_t>(kTwinErrors)) {
        misses.erase(std::ranges::find_if(misses, same));
    }
    misses.push_back(miss);
}

void add_likely(const std::vector<TwinMiss>& misses, ClosedScore& score) {
    std::vector<std::int64_t> past;
    for (const TwinMiss& each : misses) {
        if (each.kind == kind_of(score.action)) past.push_back(each.by);
    }
    score.past_errors = static_cast<std::int32_t>(past.size());
    if (score.state != ScoreState::estimated || score.past_errors < kLikelyNeeds) return;
    std::ranges::sort(past);
    // The next error is below the k-th of n with probability k / (n + 1): a tenth on either side.
    const std::size_t k = (past.size() + 1) / 10;
    const std::int64_t total = score.advantage.total();
    // The twin that did nothing was as wrong as those that acted before it.
    score.likely = Likely{total + past[k - 1], total + past[past.size() - k]};
}

Ownership::Ownership(const std::vector<Window>& windows, std::uint64_t round) : windows_(windows) {
    // Leaves of confirmed windows are disjoint, since each took its own from those before it. A
    // window that is not confirmed yet owns what no confirmed one does; the last one begun wins.
    for (const bool confirmed : {true, false}) {
        for (std::size_t i = windows.size(); i-- > 0;) {
            const Window& window = windows[i];
            if (window.confirmed != confirmed || window.round == round) continue;
            for (const Target& leaf : window.leaves) {
                owners_.try_emplace(leaf, static_cast<int>(i));
            }
        }
    }
    const auto queue = owners_.find(Target(WholeCluster{}));
    if (queue != owners_.end()) queue_ = queue->second;
}

int Ownership::owner_of(const Target& leaf) const {
    if (owners_.empty()) return -1;
    const auto found = owners_.find(leaf);
    if (found != owners_.end()) return found->second;
    if (queue_ < 0 || !is_job(leaf)) return -1;
    return holds(windows_[static_cast<std::size_t>(queue_)].ceded, leaf) ? -1 : queue_;
}

ClosedScore close(const Window& window, const std::string& because, const RoundInput& input) {
    ClosedScore score{.id = window.id,
                      .round = window.round,
                      .closed = input.round,
                      .role = window.role,
                      .action = window.action,
                      .target = window.target,
                      .state = state_of(window, input.controls.simulated),
                      .because = missing_because(window, because),
                      .observed = window.observed,
                      .noop = window.noop,
                      .loser = window.loser,
                      .cut = window.cut,
                      .opened = window.opened,
                      .ended = input.now,
                      .notes = window.notes,
                      .samples = window.samples,
                      .gaps = window.gaps,
                      .uncounted = gaps_of(window.uncounted),
                      .unmodelled = window.unmodelled};
    if (!score.because.empty()) {
        score.state = ScoreState::missing;
        return score;
    }
    const bool acted = has_branch(window, Branch::acted);
    // An action that was only shown was not done: only twins can be compared with each other.
    const Cost compared = window.observed - window.unmatched;
    score.advantage = window.noop - (window.would ? window.acted : compared);
    if (acted && !window.would) score.twin_error = compared - window.acted;
    if (acted && has_branch(window, Branch::loser)) score.regret = window.acted - window.lost;
    return score;
}

}  // namespace parley::execution
