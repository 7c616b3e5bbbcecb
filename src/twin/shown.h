// Twin: a snapshot in, what of it happens to every future alike out. Pure.

#pragma once

#include "model/open_action.h"
#include "model/snapshot.h"

#include <cstdint>
#include <set>
#include <vector>

namespace parley::twin {

struct Room {
    std::int64_t cpu_m = 0;
    std::int64_t memory = 0;
    std::int64_t pods = 0;
};

/// A node, at its slot of the snapshot.
struct Place {
    bool there = false;
    bool up = false;    ///< Ready.
    bool on = false;    ///< Powered.
    bool open = false;  ///< Nobody but this action keeps new pods away from it.
    Room room;          ///< What is left besides the pods of followed workloads.
};

/// What a followed workload shows.
struct Work {
    model::WorkloadId id;
    model::Uid uid;
    std::int32_t wanted = 0;     ///< With pods that only this action holds back.
    std::int32_t held = 0;       ///< Pods that another order holds back.
    std::int64_t disrupted = 0;  ///< Since the last round, by others: restarts, evictions.
    Room each;                   ///< What one pod asks for.
    Duration startup;
    bool batch = false;
    bool follows_nodes = false;  ///< A DaemonSet: its pods stay with their nodes.
    std::int32_t may_lose = -1;  ///< Ready pods that its budget allows to lose; -1: it has none.
    std::vector<std::uint64_t> places;  ///< A bit for each node it may be on; empty: any.
};

/// A pod of a followed workload, when following began.
struct Pod {
    model::Uid uid;
    std::size_t work = 0;  ///< Index in `Shown::works`.
    Slot node = kNoSlot;
    bool ready = false;
    bool waits = false;  ///< For room. A pod that is on no node and does not, waits for ever.
    Room asks;
};

struct Shown {
    std::vector<Place> places;
    std::vector<Work> works;
    std::vector<Pod> pods;  ///< Only if asked for.
};

/// Whom to follow, and what is ours in what the cluster shows.
struct Following {
    std::vector<model::Uid> works;  ///< Grows by new Jobs if the queue is followed.
    bool queue = false;
    model::DecisionId action;
    Slot target = kNoSlot;          ///< The node that the action is about.
    std::set<model::Uid> own_pods;  ///< Those that the action's plan takes away.
};

/// What the snapshot shows of them. Workloads keep their index; one that is gone wants nothing.
/// With `pods`, their pods as well.
Shown show(const model::Snapshot& seen, Following& following, Duration startup_assumed, bool pods);

/// What a pod asks for once it is resized so.
Room resized(const model::ResizePod& request, const model::Snapshot& seen);

}  // namespace parley::twin
