// Model: tells which restarts of containers are a sign that their node is failing, and which come
// with the workload wherever it runs.

#pragma once

#include "model/memory.h"
#include "model/policy.h"
#include "model/snapshot.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::model {

/// Restarts within this time after a roll-out are put down to it. A release that goes wrong later
/// shows on other nodes, too.
inline constexpr Duration kRollOutExplains = hours(1);

/// Why a container restarted, as far as that can be told.
enum class RestartCause : std::uint8_t {
    node,        ///< The node: its other pods elsewhere run, and nothing else explains it.
    rolled_out,  ///< What its pods are made from changed shortly before.
    elsewhere,   ///< Pods of the same workload restart on other nodes too.
    alone,       ///< Not known: no pod of the workload runs elsewhere to compare with.
    unowned,     ///< Not known: its workload is not known.
};

/// A restart and the node on which it happened.
struct RestartAt {
    Slot node = kNoSlot;
    RestartSeen seen;
};

/// Restarts of one workload on one node that are no sign of the node failing.
struct OwnLoop {
    WorkloadId workload;
    RestartCause cause = RestartCause::elsewhere;
    std::int32_t restarts = 0;
    friend bool operator==(const OwnLoop&, const OwnLoop&) = default;
};

/// The restarts on one node within a window.
struct RestartSign {
    std::int32_t restarts = 0;   ///< Restarts that only the node explains ...
    std::int32_t pods = 0;       ///< ... over how many pods ...
    std::int32_t workloads = 0;  ///< ... of how many workloads.
    std::int32_t running = 0;    ///< Workloads that have pods there.
    /// All other restarts, by workload; without those whose workload is not known.
    std::vector<OwnLoop> own;
};

/// Whether there are enough restarts, over enough pods and unrelated workloads, to be a sign. Fewer
/// workloads are needed where few run.
bool is_sign(const RestartSign& sign, const EvidenceRules& rules);

/// Describes a workload's own crash loop: "shop/web restarted 3 times: its own crash loop, rolled
/// out shortly before".
std::string own_loop_text(const OwnLoop& loop);

/// All restarts that the folds of the nodes remember.
std::vector<RestartAt> restarts_in(const Table<NodeFold>& folds);

/// A restart of the snapshot, with the workload that its pod belongs to.
RestartAt restart_at(const Snapshot& snapshot, const Restart& restart);

/// Judges restarts by comparing pods with other pods of their workload on other nodes. Borrows the
/// snapshot. Reads the table of pods once, and not at all if there are no restarts.
class Restarts {
public:
    /// Considers the last `window` only.
    Restarts(const Snapshot& snapshot, std::vector<RestartAt> seen, Duration window, TimePoint now);

    RestartSign on(Slot node) const;
    RestartCause cause_of(const RestartAt& restart) const;

private:
    /// On which nodes something happened: none, one, or several.
    struct Where {
        Slot first = kNoSlot;
        bool others = false;  ///< On others besides that one.

        void add(Slot node);
        bool besides(Slot node) const { return others || (first != kNoSlot && first != node); }
    };
    /// A workload of which some pod restarted.
    struct Restarted {
        Uid uid;
        Slot slot = kNoSlot;
        Where restarts;
        Where fails;  ///< Where a pod had restarted and is not ready although its node is.
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
