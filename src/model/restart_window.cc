#include "model/restart_window.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace parley::model {
namespace {

// In one window; beyond that, more restarts change nothing.
constexpr std::size_t kRestartsMax = 100'000;

}  // namespace

void RestartWindow::meet(const Table<NodeFold>& folds) {
    seen_.clear();
    for (const RestartAt& each : restarts_in(folds)) {
        seen_.push_back({folds.at(each.node).uid, each});
    }
    std::ranges::sort(seen_, {}, [](const One& one) {
        return std::tuple(one.at.seen.at.us, one.at.node, one.at.seen.pod);
    });
}

void RestartWindow::take(const RoundInput& input) {
    for (const Restart& restart : input.snapshot.restarts) {
        const NodeRow* node = input.snapshot.nodes.find(restart.node);
        if (node == nullptr || restart.count <= 0) continue;
        seen_.push_back({node->uid, restart_at(input.snapshot, restart)});
    }
    while (!seen_.empty() &&
           (seen_.size() > kRestartsMax || input.now - seen_.front().at.seen.at > window_)) {
        seen_.pop_front();
    }
}

std::vector<RestartAt> RestartWindow::on_nodes_of(const Snapshot& snapshot) const {
    std::vector<RestartAt> out;
    std::map<Uid, Slot> slots;  // Filled only if a node is not at its old slot.
    for (const One& one : seen_) {
        const NodeRow* row = snapshot.nodes.find(one.at.node);
        if (row != nullptr && row->uid == one.node) {
            out.push_back(one.at);
            continue;
        }
        if (slots.empty()) {
            snapshot.nodes.for_each(
                [&](Slot slot, const NodeRow& node) { slots[node.uid] = slot; });
        }
        const auto found = slots.find(one.node);
        if (found != slots.end()) out.push_back({found->second, one.at.seen});
    }
    return out;
}

}  // namespace parley::model
