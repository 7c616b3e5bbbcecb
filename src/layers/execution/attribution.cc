#include "layers/execution/attribution.h"

#include "layers/execution/account.h"
#include "layers/execution/tenants.h"
#include "layers/execution/windows.h"

#include <algorithm>
#include <set>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// One round's pass over all leaves.
struct Pass {
    const RoundInput& input;
    const Policy& policy;
    Derived& derived;
    Ownership owners;
    RoundScore score;
    std::set<Target> waiting;  ///< Owned leaves without a new reading: their twins wait too.

    Window* owner(const Target& leaf) {
        const int index = owners.owner_of(leaf);
        return index < 0 ? nullptr : &derived.windows[static_cast<std::size_t>(index)];
    }

    void readable(const Target& leaf, bool yes) {
        ++(yes ? score.leaves : score.missing);
        if (Window* window = owner(leaf)) ++(yes ? window->samples : window->gaps);
    }

    void charge(const Target& leaf, const Cost& cost) {
        score.cost = score.cost + cost;
        Window* window = owner(leaf);
        if (window == nullptr) return;
        window->observed = window->observed + cost;
        if (!window->would) score.owned = score.owned + cost;
    }

    void wait(const Target& leaf) {
        if (owner(leaf) != nullptr) waiting.insert(leaf);
    }

    /// Takes a reading in. True: `last` has to be moved on to it.
    template <class Counters>
    bool take(const Target& leaf, const Reading<Counters>& reading, const Counters& last,
              bool counted) {
        const Counters* now = reading.value();
        readable(leaf, now != nullptr);
        const bool fresh =
            now != nullptr && (reading.from().received == input.now || !counted || *now != last);
        if (!fresh) {
            wait(leaf);
            return false;
        }
        if (!counted) return true;  // Where it began is not known: it counts from here.
        if (const auto cost = cost_between(last, *now, policy.cost)) charge(leaf, *cost);
        return !(*now == last);
    }
};

void take_workloads(Pass& pass) {
    Table<WorkFold>& folds = pass.derived.workloads;
    // What appears while we watch begins at zero; what was there before us does not.
    const bool watching = pass.derived.rounds > 1;
    pass.input.snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        const WorkFold* known = folds.find(slot);
        const bool fresh = known == nullptr || known->uid != row.uid;
        const WorkFold fold = fresh ? WorkFold{row.uid, watching, {}} : *known;
        const bool moved = pass.take(row.id, row.counters, fold.last, fold.counted);
        if (moved) {
            folds.put(slot, {row.uid, true, *row.counters.value()});
        } else if (fresh) {
            folds.put(slot, fold);
        }
    });
    std::vector<Slot> gone;
    folds.for_each([&](Slot slot, const WorkFold&) {
        if (!pass.input.snapshot.workloads.has(slot)) gone.push_back(slot);
    });
    for (const Slot slot : gone) folds.erase(slot);
}

void take_nodes(Pass& pass) {
    Table<NodeFold>& folds = pass.derived.nodes;
    pass.input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const NodeFold* fold = folds.find(slot);
        if (fold == nullptr || fold->uid != row.uid) {
            pass.readable(row.id, false);
            return;
        }
        if (!pass.take(row.id, row.counters, fold->last, fold->counted)) return;
        NodeFold& mine = folds.edit(slot);
        mine.counted = true;
        mine.last = *row.counters.value();
    });
}

/// Where a twin of this leaf stood when its window opened; nothing: it is to be counted from here.
LeafCounters start_of(const Window& window, const LeafCounters& seen) {
    const auto start = std::ranges::find(window.start, seen.leaf, &LeafCounters::leaf);
    if (start != window.start.end()) {
        const bool work = !seen.work || (start->work && goes_on(*start->work, *seen.work));
        const bool node = !seen.node || (start->node && goes_on(*start->node, *seen.node));
        return work && node ? *start : seen;
    }
    const bool named = std::ranges::find(window.leaves, seen.leaf) != window.leaves.end();
    if (named || !seen.work) return seen;
    return {seen.leaf, WorkCounters{}, std::nullopt};  // A Job that came after the window opened.
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
    if (pass.owners.owner_of(seen.leaf) == static_cast<int>(index)) {
        Cost& total = total_of(window, branch);
        total = total + cost_of(known->last, seen, pass.policy.cost);
    }
    known->last = seen;
}

/// A twin that once was followed and now is silent is lost: half a comparison is none.
void forget_lost(Pass& pass) {
    for (Window& window : pass.derived.windows) {
        const bool heard = std::ranges::any_of(pass.input.twins, [&](const TwinSample& sample) {
            return sample.action == window.id && sample.branch == Branch::noop;
        });
        if (!heard) window.twins.clear();
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

/// Windows whose actions took effect since the last round open, the earliest first.
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
        const Duration length = window_length(*window, input, policy);
        confirm(static_cast<std::size_t>(window - windows.begin()), action->confirmed,
                action->expires, length, windows);
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
std::string never_happened(const Window& window, const Ledger& ledger,
                           const std::vector<OpenAction>& ended) {
    if (window.confirmed) return {};
    const auto over = std::ranges::find(ended, window.id, &OpenAction::id);
    if (over != ended.end()) return "it never took effect: " + over->note;
    const auto open = std::ranges::find(ledger.open, window.id, &OpenAction::id);
    return open == ledger.open.end() ? "it is no longer in the ledger" : "";
}

std::vector<ClosedScore> close_windows(const RoundInput& input,
                                       const std::vector<OpenAction>& ended, Memory& memory) {
    std::vector<ClosedScore> closed;
    std::erase_if(memory.derived.windows, [&](const Window& window) {
        const std::string because = never_happened(window, memory.ledger, ended);
        const bool due = window.confirmed && (input.now >= window.closes || window.leaves.empty());
        if (because.empty() && !due) return false;
        closed.push_back(close(window, because, input));
        return true;
    });
    for (const ClosedScore& score : closed) {
        if (!score.twin_error) continue;
        const std::int64_t error = score.twin_error->total();
        std::vector<std::int64_t>& errors = memory.derived.twin_errors;
        errors.push_back(error < 0 ? -error : error);
        if (errors.size() > kTwinErrors) errors.erase(errors.begin());
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
    snapshot.pods.for_each([&](Slot, const PodRow& pod) {
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
    // A cap is named by the fullest node, but holds back Jobs.
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
    derived.windows.push_back(std::move(window));
    if (!derived.windows.back().would) return;
    // What would have been done would have taken effect at once.
    const Duration length = window_length(derived.windows.back(), input, policy);
    confirm(derived.windows.size() - 1, input.now, action.expires, length, derived.windows);
}

Attributed attribute(const RoundInput& input, const Policy& policy,
                     const std::vector<OpenAction>& ended, Memory& memory) {
    Derived& derived = memory.derived;
    confirm_windows(input, policy, ended, derived.windows);
    confirm_windows(input, policy, memory.ledger.open, derived.windows);
    shorten_released(ended, input.now, derived.windows);
    Pass pass{input, policy, derived, Ownership(derived.windows, input.round), {}, {}};
    take_nodes(pass);
    take_workloads(pass);
    take_twins(pass);
    forget_lost(pass);
    pass.score.score = score_of(pass.score.cost, policy.weights);
    pass.score.ours = input.controls.mode == Mode::act;
    derived.account = derived.account + pass.score.cost;
    derived.owned = derived.owned + pass.score.owned;
    Attributed result{pass.score, {}};
    result.closed = close_windows(input, ended, memory);
    return result;
}

std::vector<ClosedScore> still_open(const Derived& derived, std::uint64_t round, TimePoint now) {
    RoundInput last;
    last.round = round;
    last.now = now;
    std::vector<ClosedScore> open;
    for (const Window& window : derived.windows) {
        ClosedScore score = close(window, "", last);
        score.state = ScoreState::open;
        score.because = "the run ended before its window did";
        score.advantage = {};
        score.twin_error.reset();
        score.regret.reset();
        open.push_back(std::move(score));
    }
    return open;
}

}  // namespace parley::execution
