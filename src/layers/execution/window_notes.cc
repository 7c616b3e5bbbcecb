#include "layers/execution/window_notes.h"

#include "layers/execution/tenants.h"

#include <algorithm>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

void add(Window& window, std::uint64_t round, const Target& leaf, std::string text) {
    const bool target = leaf == window.target;
    const auto kept =
        static_cast<std::size_t>(std::ranges::count_if(window.notes, [&](const WindowNote& note) {
            return (note.leaf == window.target) == target;
        }));
    if (kept >= (target ? kTargetNotesMax : kOtherNotesMax)) return;
    window.notes.push_back({round, leaf, std::move(text)});
}

std::string who(Role role, const Action& action, std::uint64_t round) {
    return std::string(1, letter_of(role)) + " " + text_of(action) + " of round " +
           std::to_string(round);
}

/// A node that is off on purpose has not failed.
bool is_well(const NodeRow& row) { return row.ready == Readiness::yes || row.power != Power::on; }
bool is_well(const WorkloadRow& row) { return row.ready > 0 || row.wanted == 0; }

/// The action whose plan or undo gave a workload this many replicas; null: none of ours.
const OpenAction* scaled_by(const WorkloadId& workload, std::int32_t replicas,
                            const std::vector<OpenAction>& actions) {
    const auto wants = [&](const Request& request) {
        const auto* set = std::get_if<SetReplicas>(&request);
        return set != nullptr && set->workload == workload && set->replicas == replicas;
    };
    for (const OpenAction& action : actions) {
        const bool planned = std::ranges::any_of(
            action.plan, [&](const PlannedStep& step) { return wants(step.request); });
        if (planned || std::ranges::any_of(action.undo, wants)) return &action;
    }
    return nullptr;
}

/// One round's look at all windows.
struct Look {
    const RoundInput& input;
    const Ledger& ledger;
    const std::vector<OpenAction>& ended;

    void take(const NodeRow& row, Window& window, LeafSeen& seen) const {
        const bool well = is_well(row);
        if (seen.well != well) add(window, input.round, seen.leaf, well ? "recovered" : "failed");
        if (seen.pods > seen.kept && row.pods <= seen.kept) {
            add(window, input.round, seen.leaf, "emptied");
        }
        seen.well = well;
        seen.pods = row.pods;
    }

    void take(const WorkloadRow& row, Window& window, LeafSeen& seen) const {
        const bool well = is_well(row);
        if (seen.well != well) {
            add(window, input.round, seen.leaf,
                well ? "has a ready pod again" : "has no ready pod");
        }
        if (row.wanted != seen.pods) note_scaled(row, window, seen);
        seen.well = well;
        seen.pods = row.wanted;
    }

    void note_scaled(const WorkloadRow& row, Window& window, const LeafSeen& seen) const {
        const OpenAction* by = scaled_by(row.id, row.wanted, ledger.open);
        if (by == nullptr) by = scaled_by(row.id, row.wanted, ended);
        if (by != nullptr && by->id == window.id) return;
        add(window, input.round, seen.leaf,
            "scaled from " + std::to_string(seen.pods) + " to " + std::to_string(row.wanted) +
                " by " + (by == nullptr ? "others" : who(by->role, by->action, by->round)));
    }

    template <class Row>
    void take_leaf(const Table<Row>& rows, Window& window, LeafSeen& seen) const {
        const Row* row = rows.find(seen.slot);
        if (row != nullptr && row->uid == seen.uid) return take(*row, window, seen);
        seen.there = false;
        add(window, input.round, seen.leaf, "gone");
    }
};

}  // namespace

std::vector<LeafSeen> look_at(const Window& window, const std::vector<PlannedStep>& plan,
                              const Snapshot& snapshot) {
    const auto evicted =
        static_cast<std::int32_t>(std::ranges::count_if(plan, [](const PlannedStep& step) {
            return std::holds_alternative<EvictPod>(step.request);
        }));
    std::vector<LeafSeen> all;
    const auto watched = [&](const Target& leaf) {
        return leaf == window.target || std::ranges::count(window.leaves, leaf) > 0;
    };
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        if (!watched(row.id)) return;
        LeafSeen seen{.leaf = row.id, .slot = slot, .uid = row.uid};
        seen.well = is_well(row);
        seen.pods = row.pods;
        // A node that the plan does not empty is never noted as emptied.
        seen.kept = evicted > 0 ? row.pods - evicted : -1;
        all.push_back(std::move(seen));
    });
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        if (row.id.kind == WorkloadKind::job || !watched(row.id)) return;
        LeafSeen seen{.leaf = row.id, .slot = slot, .uid = row.uid};
        seen.well = is_well(row);
        seen.pods = row.wanted;
        all.push_back(std::move(seen));
    });
    return all;
}

void note_changes(const RoundInput& input, const Ledger& ledger,
                  const std::vector<OpenAction>& ended, std::vector<Window>& windows) {
    const Look look{input, ledger, ended};
    for (Window& window : windows) {
        for (LeafSeen& seen : window.seen) {
            if (!seen.there) continue;
            if (std::holds_alternative<NodeId>(seen.leaf)) {
                look.take_leaf(input.snapshot.nodes, window, seen);
            } else {
                look.take_leaf(input.snapshot.workloads, window, seen);
            }
        }
    }
}

void note_taken(const Window& by, std::uint64_t round, Window& window) {
    const std::string text =
        "taken over by " + who(by.role, by.action, by.round) + " on " + text_of(by.target);
    // Leaves that it no longer owns are not watched, except its target.
    std::erase_if(window.seen, [&](const LeafSeen& seen) {
        if (std::ranges::count(by.leaves, seen.leaf) == 0) return false;
        add(window, round, seen.leaf, text);
        return seen.leaf != window.target;
    });
}

}  // namespace parley::execution
