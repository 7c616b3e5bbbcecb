#include "layers/execution/attribution.h"

#include "layers/execution/account.h"
#include "layers/execution/tally.h"
#include "layers/execution/tenants.h"
#include "layers/execution/window_notes.h"
#include "layers/execution/windows.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// The parts of a leaf's fold that a pass needs.
template <class Counters>
struct Counted {
    bool counted;
    std::int32_t behind;
    Counters last;
};

/// One round's pass over all leaves.
struct Pass {
    const RoundInput& input;
    const Policy& policy;
    Derived& derived;
    Ownership owners;
    RoundScore score;
    std::vector<LineGap> lines;   ///< Every line of leaves whose counters may lack some.
    std::set<Target> waiting;     ///< Owned leaves without a new reading; their twins wait, too.
    std::set<Target> begun_anew;  ///< Owned leaves whose interval is lost for good, for twins too.

    Window* owner(const Target& leaf) {
        const int index = owners.owner_of(leaf);
        return index < 0 ? nullptr : &derived.windows[static_cast<std::size_t>(index)];
    }

    void missed(const Target& leaf) {
        ++score.missing;
        if (Window* window = owner(leaf)) ++window->gaps;
    }

    /// This round's cost of a leaf is known, and with it the cost of the rounds it was behind.
    void read(const Target& leaf, std::int32_t behind) {
        ++score.leaves;
        score.settled += behind;
        Window* window = owner(leaf);
        if (window == nullptr) return;
        // It owns nothing before the round after its decision.
        const auto owned = static_cast<std::int64_t>(input.round - window->round) - 1;
        const std::int64_t late = std::min({std::int64_t{behind}, owned, window->gaps});
        window->samples += 1 + late;
        window->gaps -= late;
    }

    template <class Counters>
    void charge(const Target& leaf, const Counters& before, const Counters& after,
                const Cost& cost) {
        score.cost = score.cost + cost;
        Window* window = owner(leaf);
        if (window == nullptr) return;
        window->observed = window->observed + cost;
        const auto matched = cost_between(before, after, policy.cost, window->unmodelled);
        if (matched) window->unmatched = window->unmatched + (cost - *matched);
        if (!window->would) score.owned = score.owned + cost;
    }

    /// Which lines of a leaf that was read were not counted. A source that counts by itself counts
    /// all of them.
    template <class Counters, std::size_t N>
    void note_lines(const Target& leaf, const Counters& now, const std::array<CostLine, N>& has) {
        if (now.history == 0) return;
        std::vector<LineGap> gaps;
        for (const CostLine line : has) gaps.push_back({line, now.uncounted.has(line) ? 1 : 0, 1});
        add_gaps(lines, gaps);
        if (Window* window = owner(leaf)) add_gaps(window->uncounted, gaps);
    }
    void note_lines(const Target& leaf, const WorkCounters& now) {
        note_lines(leaf, now, kWorkLines);
    }
    void note_lines(const Target& leaf, const NodeCounters& now) {
        note_lines(leaf, now, kNodeLines);
    }

    void wait(const Target& leaf) {
        if (owner(leaf) != nullptr) waiting.insert(leaf);
    }

    /// Takes in a reading. Counters only grow: what accrued while one could not be read is charged
    /// when it is read again. If its start is not known, because it is new or was reset, it counts
    /// from here and the rounds before stay missing. Returns whether `fold` changed.
    template <class Fold, class Counters>
    bool take(const Target& leaf, const Reading<Counters>& reading, Fold& fold) {
        const Counters* now = reading.value();
        const bool fresh = now != nullptr && (reading.from().received == input.now ||
                                              !fold.counted || *now != fold.last);
        if (!fresh) {
            missed(leaf);
            wait(leaf);
            ++fold.behind;
            return true;
        }
        std::optional<Cost> cost;
        if (fold.counted) cost = cost_between(fold.last, *now, policy.cost);
        const bool first = !fold.counted && fold.behind == 0;  // There is nothing before it.
        if (cost) charge(leaf, fold.last, *now, *cost);
        if (cost || first) {
            read(leaf, fold.behind);
            note_lines(leaf, *now);
        } else {
            missed(leaf);
            if (owner(leaf) != nullptr) begun_anew.insert(leaf);
        }
        const bool moved = !fold.counted || fold.behind > 0 || !(*now == fold.last);
        fold.counted = true;
        fold.behind = 0;
        fold.last = *now;
        return moved;
    }
};

void take_workloads(Pass& pass, const Tally& tally) {
    Table<WorkFold>& folds = pass.derived.workloads;
    // A leaf that appears while we watch begins at zero; one that was there before does not.
    const bool watching = pass.derived.rounds > 1;
    pass.input.snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        const WorkFold* known = folds.find(slot);
        const bool fresh = known == nullptr || known->uid != row.uid;
        WorkFold fold = fresh ? WorkFold{row.uid, watching, tally.begin(row), 0} : *known;
        const auto reading = tally.of(slot, row, fold.last);
        if (pass.take(row.id, reading, fold) || fresh) folds.put(slot, fold);
    });
    std::vector<Slot> gone;
    folds.for_each([&](Slot slot, const WorkFold&) {
        if (!pass.input.snapshot.workloads.has(slot)) gone.push_back(slot);
    });
    for (const Slot slot : gone) folds.erase(slot);
}

void take_nodes(Pass& pass, const Tally& tally) {
    Table<NodeFold>& folds = pass.derived.nodes;
    pass.input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const NodeFold* fold = folds.find(slot);
        if (fold == nullptr || fold->uid != row.uid) {
            pass.missed(row.id);
            return;
        }
        Counted<NodeCounters> mine{fold->counted, fold->behind, fold->last};
        if (!pass.take(row.id, tally.of(row, mine.last), mine)) return;
        NodeFold& kept = folds.edit(slot);
        kept.counted = mine.counted;
        kept.behind = mine.behind;
        kept.last = mine.last;
    });
}

/// The counters of a twin of this leaf when its window opened; empty: count from here.
LeafCounters start_of(const Window& window, const LeafCounters& seen) {
    const auto start = std::ranges::find(window.start, seen.leaf, &LeafCounters::leaf);
    if (start != window.start.end()) {
        const bool work = !seen.work || (start->work && goes_on(*start->work, *seen.work));
        const bool node = !seen.node || (start->node && goes_on(*start->node, *seen.node));
        return work && node ? *start : seen;
    }
    const bool named = std::ranges::find(window.leaves, seen.leaf) != window.leaves.end();
    if (named || !seen.work) return seen;
    // A Job that came after the window opened.
    WorkCounters nothing;
    nothing.history = seen.work->history;
    return {seen.leaf, nothing, std::nullopt};
}

Cost cost_of(const LeafCounters& before, const LeafCounters& after, const Prices& prices) {
    Cost cost;
    if (before.work && after.work) {
        if (const auto part = cost_between(*before.work, *after.work, prices)) cost = cost + *part;
    }
    if (before.node && after.node) {
        if (const auto part = cost_between(*before.node, *after.node, prices)) cost = cost + *part;
    }
    return cost;
}

Cost& total_of(Window& window, Branch branch) {
    switch (branch) {
        case Branch::noop:
            return window.noop;
        case Branch::acted:
            return window.acted;
        case Branch::loser:
            break;
    }
    return window.lost;
}

void take_twin(Pass& pass, std::size_t index, Branch branch, const LeafCounters& seen) {
    if (pass.waiting.contains(seen.leaf)) return;
    Window& window = pass.derived.windows[index];
    auto known = std::ranges::find_if(window.twins, [&](const TwinLeaf& leaf) {
        return leaf.branch == branch && leaf.last.leaf == seen.leaf;
    });
    if (known == window.twins.end()) {
        known = window.twins.insert(known, {branch, start_of(window, seen)});
    }
    const bool lost = pass.begun_anew.contains(seen.leaf);
    if (!lost && pass.owners.owner_of(seen.leaf) == static_cast<int>(index)) {
        Cost& total = total_of(window, branch);
        total = total + cost_of(known->last, seen, pass.policy.cost);
    }
    known->last = seen;
}

/// A twin that was followed and is now silent is lost: half a comparison is useless.
void forget_lost(Pass& pass) {
    for (Window& window : pass.derived.windows) {
        const bool heard = std::ranges::any_of(pass.input.twins, [&](const TwinSample& sample) {
            return sample.action == window.id && sample.branch == Branch::noop;
        });
        if (!heard) window.twins.clear();
    }
}

/// What a twin does not have cannot be compared with it.
void note_unmodelled(const std::vector<TwinSample>& twins, std::vector<Window>& windows) {
    for (const TwinSample& sample : twins) {
        const auto window = std::ranges::find(windows, sample.action, &Window::id);
        if (window == windows.end()) continue;
        for (const LeafCounters& seen : sample.leaves) {
            if (seen.work) window->unmodelled = window->unmodelled | seen.work->uncounted;
            if (seen.node) window->unmodelled = window->unmodelled | seen.node->uncounted;
        }
    }
}

void take_twins(Pass& pass) {
    std::vector<Window>& windows = pass.derived.windows;
    for (const TwinSample& sample : pass.input.twins) {
        const auto window = std::ranges::find(windows, sample.action, &Window::id);
        if (window == windows.end() || window->round == pass.input.round) continue;
        const auto index = static_cast<std::size_t>(window - windows.begin());
        for (const LeafCounters& seen : sample.leaves) {
            take_twin(pass, index, sample.branch, seen);
        }
    }
}

/// Opens a window when its action takes effect; windows that lose leaves to it note it.
void take_effect(const OpenAction& action, TimePoint at, const RoundInput& input,
                 const Policy& policy, std::size_t index, std::vector<Window>& windows) {
    const auto owned = [](const Window& window) {
        return std::pair(window.leaves.size(), window.ceded.size());
    };
    std::vector<std::pair<std::size_t, std::size_t>> before;
    for (const Window& window : windows) before.push_back(owned(window));
    const Duration length = window_length(windows[index], input, policy);
    confirm(index, at, action.expires, length, windows);
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (owned(windows[i]) != before[i]) note_taken(windows[index], input.round, windows[i]);
    }
}

/// Opens the windows of actions that took effect since the last round, earliest first.
void confirm_windows(const RoundInput& input, const Policy& policy,
                     const std::vector<OpenAction>& actions, std::vector<Window>& windows) {
    std::vector<const OpenAction*> confirmed;
    for (const OpenAction& action : actions) {
        if (action.confirmed != TimePoint{}) confirmed.push_back(&action);
    }
    std::ranges::sort(confirmed, {}, [](const OpenAction* action) {
        return std::tuple(action->confirmed, action->round, action->id);
    });
    for (const OpenAction* action : confirmed) {
        const auto window = std::ranges::find(windows, action->id, &Window::id);
        if (window == windows.end() || window->confirmed) continue;
        take_effect(*action, action->confirmed, input, policy,
                    static_cast<std::size_t>(window - windows.begin()), windows);
    }
}

/// An admission order that was lifted early is scored for ten minutes more, not until its end.
void shorten_released(const std::vector<OpenAction>& ended, TimePoint now,
                      std::vector<Window>& windows) {
    for (const OpenAction& action : ended) {
        const ActionKind kind = kind_of(action.action);
        const auto window = std::ranges::find(windows, action.id, &Window::id);
        const bool order = kind == ActionKind::admission || kind == ActionKind::resource_cap;
        if (order && window != windows.end() && window->confirmed) {
            window->closes = std::min(window->closes, now + minutes(10));
        }
    }
}

/// Why the window of an action that never took effect is over; empty: it is not.
std::string never_happened(const Window& window, const Memory& memory,
                           const std::vector<OpenAction>& ended) {
    if (window.confirmed) return {};
    const auto over = std::ranges::find(ended, window.id, &OpenAction::id);
    if (over != ended.end()) return "it never took effect: " + over->note;
    for (const auto* actions : {&memory.ledger.open, &memory.scaling}) {
        if (std::ranges::find(*actions, window.id, &OpenAction::id) != actions->end()) return {};
    }
    return "it is no longer in the ledger";
}

std::vector<ClosedScore> close_windows(const RoundInput& input,
                                       const std::vector<OpenAction>& ended, Memory& memory) {
    std::vector<ClosedScore> closed;
    std::erase_if(memory.derived.windows, [&](const Window& window) {
        const std::string because = never_happened(window, memory, ended);
        const bool due = window.confirmed && (input.now >= window.closes || window.leaves.empty());
        if (because.empty() && !due) return false;
        closed.push_back(close(window, because, input));
        return true;
    });
    // Those that close together do not know each other's errors.
    for (ClosedScore& score : closed) add_likely(memory.derived.misses, score);
    for (const ClosedScore& score : closed) {
        if (!score.twin_error) continue;
        const std::int64_t error = score.twin_error->total();
        std::vector<std::int64_t>& errors = memory.derived.twin_errors;
        errors.push_back(error < 0 ? -error : error);
        if (errors.size() > kTwinErrors) errors.erase(errors.begin());
        if (!input.controls.simulated) {
            keep_miss(memory.derived.misses, {kind_of(score.action), error});
        }
    }
    return closed;
}

std::vector<LeafCounters> counters_of(const Window& window, const Snapshot& snapshot,
                                      const Derived& derived) {
    const bool queue = std::ranges::count(window.leaves, Target(WholeCluster{})) > 0;
    std::vector<LeafCounters> start;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const NodeFold* fold = derived.nodes.find(slot);
        if (fold == nullptr || fold->uid != row.uid || !fold->counted) return;
        if (std::ranges::count(window.leaves, Target(row.id)) == 0) return;
        start.push_back({row.id, std::nullopt, fold->last});
    });
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        const WorkFold* fold = derived.workloads.find(slot);
        if (fold == nullptr || fold->uid != row.uid || !fold->counted) return;
        const bool mine = (queue && row.id.kind == WorkloadKind::job) ||
                          std::ranges::count(window.leaves, Target(row.id)) > 0;
        if (mine) start.push_back({row.id, fold->last, std::nullopt});
    });
    return start;
}

}  // namespace

std::vector<Target> named_leaves(const Window& window, const Snapshot& snapshot) {
    std::vector<Target> leaves = window.leaves;
    if (std::ranges::count(leaves, Target(WholeCluster{})) == 0) return leaves;
    std::vector<WorkloadId> jobs;
    snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (row.id.kind == WorkloadKind::job) jobs.push_back(row.id);
    });
    std::ranges::sort(jobs);
    for (const WorkloadId& job : jobs) {
        if (std::ranges::count(leaves, Target(job)) == 0) leaves.push_back(job);
    }
    return leaves;
}

std::vector<Target> leaves_of(const Target& target, const Snapshot& snapshot) {
    const auto* node = std::get_if<NodeId>(&target);
    if (node == nullptr) {
        if (std::holds_alternative<WorkloadId>(target)) return {target};
        return {WholeCluster{}};
    }
    const Slot slot = slot_of(snapshot, *node);
    std::set<WorkloadId> workloads;
    snapshot.pods.for_each_glance([&](Slot, const PodRow::Glance& pod) {
        if (pod.node != slot || slot == kNoSlot) return;
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        if (row != nullptr) workloads.insert(row->id);
    });
    std::vector<Target> leaves{target};
    leaves.insert(leaves.end(), workloads.begin(), workloads.end());
    return leaves;
}

void open_window(const OpenAction& action, const std::string& loser, const RoundInput& input,
                 const Policy& policy, Derived& derived) {
    // A cap names the fullest node as its target, but holds back Jobs.
    const bool order = std::holds_alternative<ResourceCap>(action.action);
    const Target about = order ? Target(WholeCluster{}) : action.target;
    Window window{.id = action.id,
                  .round = input.round,
                  .role = action.role,
                  .action = action.action,
                  .target = action.target,
                  .loser = loser,
                  .leaves = leaves_of(about, input.snapshot),
                  .opened = input.now,
                  .would = input.controls.mode != Mode::act};
    window.start = counters_of(window, input.snapshot, derived);
    window.seen = look_at(window, action.plan, input.snapshot);
    derived.windows.push_back(std::move(window));
    if (!derived.windows.back().would) return;
    // An action that is only shown counts as effective at once.
    take_effect(action, input.now, input, policy, derived.windows.size() - 1, derived.windows);
}

Attributed attribute(const RoundInput& input, const Policy& policy,
                     const std::vector<OpenAction>& ended, Memory& memory) {
    Derived& derived = memory.derived;
    confirm_windows(input, policy, ended, derived.windows);
    confirm_windows(input, policy, memory.ledger.open, derived.windows);
    confirm_windows(input, policy, memory.scaling, derived.windows);
    shorten_released(ended, input.now, derived.windows);
    note_changes(input, memory.ledger, ended, derived.windows);
    const Tally tally(input, policy, memory);
    note_unmodelled(input.twins, derived.windows);
    Pass pass{input, policy, derived, Ownership(derived.windows, input.round), {}, {}, {}, {}};
    take_nodes(pass, tally);
    take_workloads(pass, tally);
    take_twins(pass);
    forget_lost(pass);
    pass.score.score = score_of(pass.score.cost, policy.weights);
    pass.score.ours = input.controls.mode == Mode::act;
    pass.score.uncounted = gaps_of(pass.lines);
    derived.account = derived.account + pass.score.cost;
    derived.owned = derived.owned + pass.score.owned;
    derived.leaves += pass.score.leaves + pass.score.settled;
    derived.missing += pass.score.missing - pass.score.settled;
    Attributed result{pass.score, {}};
    result.closed = close_windows(input, ended, memory);
    return result;
}

std::vector<OpenScore> open_scores(const Derived& derived) {
    std::vector<OpenScore> open;
    for (const Window& window : derived.windows) {
        open.push_back({.id = window.id,
                        .round = window.round,
                        .role = window.role,
                        .action = window.action,
                        .target = window.target,
                        .would = window.would,
                        .cut = window.cut,
                        .opened = window.opened,
                        .due = window.confirmed ? window.closes : TimePoint{},
                        .observed = window.observed,
                        .noop = window.noop,
                        .samples = window.samples,
                        .gaps = window.gaps,
                        .notes = window.notes,
                        .uncounted = gaps_of(window.uncounted)});
    }
    return open;
}

}  // namespace parley::execution
