// Kills: a cluster on which several processes act. It carries out requests as an API server does,
// with uid and resourceVersion as preconditions, keeps a log of everything that it carried out, and
// brings pods in line with their workloads.

#pragma once

#include "base/result.h"
#include "cluster/stamp.h"
#include "model/open_action.h"
#include "tests/kills/kill_scene.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::kills {

/// What every object has: a version that each change raises, and perhaps our mark.
struct Object {
    bool exists = false;
    model::Uid uid;
    std::uint64_t version = 0;
    std::optional<model::Mark> mark;
};

/// Who sent a request, and how far his record went by then.
struct Sender {
    int life = 0;
    std::size_t run = 0;         ///< Whose journal he writes.
    std::uint64_t recorded = 0;  ///< His last durable round.
    cluster::Stamp stamp;
    TimePoint sent;
    bool late = false;  ///< It arrived when he had stopped waiting for it.
};

/// A request that was carried out, in the order in which that happened.
struct Entry {
    TimePoint at;
    Sender sender;
    model::Request request;
    bool renews = false;   ///< It only renewed a mark.
    bool changed = false;  ///< What it is about became another.
    /// What is not as it was and bears no mark right afterwards; empty: nothing.
    std::vector<std::string> bare;
};

/// Something that is not as it was before anybody acted.
struct Difference {
    std::string what;
    bool marked = false;  ///< Its object bears our mark.
};

class World {
public:
    explicit World(Kind kind);

    TimePoint now;
    bool reason = true;  ///< Why to act; false: it is gone.
    std::vector<Entry> log;

    Kind kind() const { return kind_; }
    model::Snapshot snapshot(std::uint64_t round);
    void cordon(bool yes) { seen_.nodes.edit(kVictim).cordoned = yes; }
    /// Whether a pod is on it, so that it may not be switched off.
    bool is_occupied(const model::NodeId& node) const;

    /// The object that a request is about.
    Object look(const model::Request& about) const;
    /// The same with whether what the request wants is there.
    model::Live live(const model::Request& about) const;
    /// Carries it out, or says `gone` or `conflict`. `version` of an order that is not there: 0.
    Result<void> apply(const model::Request& request, const model::Precondition& only_if,
                       const Sender& sender);
    /// Raises the version of the object, and marks it where nothing does.
    Result<void> renew(const model::Request& request, const model::Precondition& only_if,
                       const Sender& sender);

    std::vector<Difference> differences() const;
    /// Marks and orders that are there, by what bears them.
    std::map<std::string, model::Mark> marks() const;
    /// Gives back what the marks say, as `parley release --all` does, without ledger or journal.
    void release();

private:
    struct PodMore {
        std::uint64_t version = 1;
        std::optional<model::Mark> mark;
    };
    struct Effect;
    struct Wanted;

    void settle();
    void settle(Slot workload);
    void place_pod(Slot workload);
    Slot emptiest() const;
    void count_pods();
    Slot node_of(const model::NodeId& id) const;
    Slot workload_of(const model::WorkloadId& id) const;
    Slot pod_of(const model::Uid& uid) const;
    Object look_at(const model::Target& target) const;
    Object look_at_pod(const model::Uid& uid) const;
    std::optional<Difference> difference_of(const model::PodRow& row) const;
    void keep(Entry entry);

    Kind kind_;
    model::Snapshot seen_;
    model::PodShape template_;
    std::map<model::Uid, PodMore> pods_;
    std::optional<model::SetAdmission> order_;
    std::uint64_t order_version_ = 0;
    std::optional<model::SetBatchCap> cap_;
    std::uint64_t cap_version_ = 0;
    std::uint64_t versions_ = 100;  ///< Given so far, as etcd counts.
    std::uint64_t born_ = 0;        ///< Pods so far.
};

}  // namespace parley::kills
