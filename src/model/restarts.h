// Model: restarts of containers in; out, which of them are a sign of the node they happened on, and
// which their workload brings with it wherever it runs.

#pragma once

#include "model/memory.h"
#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::model {

/// What a roll-out is taken to explain: restarts so soon after it. A release that goes wrong later
/// shows on the other nodes too.
inline constexpr Duration kRollOutExplains = hours(1);

/// Why a container restarted, as far as it can be told.
enum class RestartCause : std::uint8_t {
    node,        ///< Nothing else explains it: its like elsewhere runs.
    rolled_out,  ///< What it is made from changed shortly before.
    elsewhere,   ///< Pods of the same workload restart on other nodes too.
    alone,       ///< There is no like pod elsewhere to compare with: it cannot be told.
    unowned,     ///< Nobody knows whose it is: likewise.
};

/// A restart, and where.
struct RestartAt {
    Slot node = kNoSlot;
    RestartSeen seen;
};

/// Restarts of one workload on one node that say nothing about the node.
struct OwnLoop {
    WorkloadId workload;
    RestartCause cause = RestartCause::elsewhere;
    std::int32_t restarts = 0;
    friend bool operator==(const OwnLoop&, const OwnLoop&) = default;
};

/// The restarts on one node within a window.
struct RestartSign {
    std::int32_t restarts = 0;   ///< Those that only the node explains ...
    std::int32_t pods = 0;       ///< ... over how many pods ...
    std::int32_t workloads = 0;  ///< ... of how many workloads.
    std::int32_t running = 0;    ///< Workloads that have pods there.
    std::vector<OwnLoop> own;    ///< The others, by name; without those of nobody.
};

/// Whether they are enough to be a sign: restarts, pods, and workloads that have nothing to do with
/// each other. Where few workloads run, fewer are asked for.
bool is_sign(const RestartSign& sign, const EvidenceRules& rules);

/// Its own crash loop, in words: "shop/web restarted 3 times: its own crash loop, rolled out
/// shortly before".
std::string own_loop_text(const OwnLoop& loop);

/// What the folds of all nodes remember.
std::vector<RestartAt> restarts_in(const Table<NodeFold>& folds);

/// One that a snapshot tells of, with the workload whose pod it was.
RestartAt restart_at(const Snapshot& snapshot, const Restart& restart);

/// Judges restarts by comparing pods with their like on other nodes. Borrows the snapshot. Reads
/// the table of pods once, and not at all while there are no restarts.
class Restarts {
public:
    /// Those of the last `window`; older ones count for nothing.
    Restarts(const Snapshot& snapshot, std::vector<RestartAt> seen, Duration window, TimePoint now);

    RestartSign on(Slot node) const;
    RestartCause cause_of(const RestartAt& restart) const;

private:
    /// Nodes on which something happened, as far as it matters which.
    struct Where {
        Slot first = kNoSlot;
        bool others = false;  ///< On more than that one.

        void add(Slot node);
        bool besides(Slot node) const { return others || (first != kNoSlot && first != node); }
    };
    /// A workload of which a pod restarted.
    struct Restarted {
        Uid uid;
        Slot slot = kNoSlot;
        Where restarts;
        Where fails;  ///< Where a pod restarted before and is not ready, though its node is.
    };
    /// A pod of such a workload.
    struct Peer {
        Slot workload;
        Slot node;
        Uid pod;
        TimePoint created;
        bool ready;
    };

    const Restarted* find(const Uid& workload) const;
    void find_workloads();
    void look_at_pods();
    bool runs_elsewhere(const RestartAt& restart, const WorkloadRow& row, Slot workload) const;

    const Snapshot* snapshot_;
    std::vector<RestartAt> seen_;               ///< By node.
    std::vector<Restarted> workloads_;          ///< By uid.
    std::vector<Peer> peers_;                   ///< By workload.
    std::vector<std::pair<Slot, Slot>> lives_;  ///< (node, workload), each once, by node.
};

}  // namespace parley::model
