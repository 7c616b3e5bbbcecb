// Kube: objects of all kinds in, whichever kind comes first; changes of the seam out.

#pragma once

#include "cluster/changes.h"
#include "kube/decode/objects_rest.h"
#include "kube/picture/node_power.h"
#include "kube/picture/picture_store.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

struct PictureLimits {
    /// A pod whose owner is unknown is held back for this long, since its owner may arrive by
    /// another watch; then it counts as a workload of its own.
    Duration hold_back = seconds(5);
    /// How many groups of waiting pods get their causes computed in one call; the others keep
    /// theirs.
    int groups_per_take_max = 256;
};

/// What a complete list changed. Callers should doubt a list in which many objects are gone without
/// a deletion having been seen.
struct ListEnd {
    std::size_t named = 0;
    std::size_t gone = 0;
};

/// Where a pod is, for joining metrics, which are reported by name.
struct PodPlace {
    Name space;
    model::PodName name;
    model::Uid pod;
    model::Uid workload;
    model::Uid node;     ///< None: not bound, or bound to a node that is not known.
    bool bound = false;  ///< Whether or not its node is known.
    bool ended = false;  ///< Succeeded or failed.
};

/// What joining metrics needs of nodes and workloads.
struct NodePlace {
    model::Uid node;
    std::string name;
    std::vector<std::string> addresses;
};
struct WorkPlace {
    model::Uid workload;
    model::WorkloadId id;
};

/// Keeps what is needed of all objects, joins it, and reports what changed. The result depends only
/// on the newest version of each object, not on the order in which kinds arrived. Uses no clock.
/// Not thread-safe.
class Picture {
public:
    /// `scopes`: how many namespaces are listed separately; 1: all at once.
    explicit Picture(PictureLimits limits = {}, Scope scopes = 1);
    Picture(Picture&&) noexcept;
    Picture& operator=(Picture&&) noexcept;
    ~Picture();

    /// Between begin and end, what is put is the present truth, even if it is older than what was
    /// known: after a restore a list goes back in time. What is not named is gone. Call begin only
    /// when every page has arrived, since a list must be ended.
    void begin_list(Kind kind, Scope scope = 0);
    ListEnd end_list(Kind kind, Scope scope = 0);

    /// The kind is not served or may not be read there: it counts as listed, and what was known of
    /// it is dropped.
    void set_absent(Kind kind, Scope scope = 0);

    /// Outside a list, an object that is not newer than what was seen of its uid is ignored, even
    /// after that uid was removed. `received` is by our clock.
    void put(Object object, TimePoint received, Scope scope = 0);
    void remove(Kind kind, const model::Uid& uid);

    /// What no object shows: the next batch has the node with it. Empty: no provider speaks of it.
    void set_power(std::string_view node, const NodePower& power);

    /// Whether every kind that a cluster must have, and every optional one that was begun, was
    /// listed once or declared absent.
    bool complete() const;

    /// Everything new since the last call. Referenced objects come before those that refer to them,
    /// and are removed after. Empty until the picture is complete; the first batch after that says
    /// so.
    cluster::Batch take(TimePoint now);

    /// The newest version seen of a node, a pod or the object of a workload. Nothing: it is gone,
    /// was never seen, or is of another kind.
    std::optional<std::uint64_t> version_of(Kind kind, const model::Uid& uid) const;

    std::optional<model::Uid> node_named(std::string_view name) const;
    std::vector<PodPlace> pods() const;
    std::vector<NodePlace> nodes() const;
    std::vector<WorkPlace> workloads() const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace parley::kube
