// Prometheus, which object a series is about: what the API shows and the labels of a series in; one
// node, workload or pod out, by exact identity or not at all. Pure.

#pragma once

#include "model/ids.h"
#include "prometheus/answer.h"
#include "prometheus/queries.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace parley::prometheus {

struct KnownNode {
    model::Uid uid;
    std::string name;
    std::vector<std::string> addresses;  ///< All of status.addresses: IPs and names.
};

/// A pod that is bound to a node and has not ended.
struct KnownPod {
    std::string space;
    std::string name;
    model::Uid workload;
};

struct KnownWorkload {
    model::Uid uid;
    model::WorkloadId id;
};

/// What the API shows at this moment.
struct Directory {
    std::vector<KnownNode> nodes;
    std::vector<KnownPod> pods;
    std::vector<KnownWorkload> workloads;
};

/// The host of `10.0.0.1:9100`, `[fd00::1]:9100`, `fd00::1`, `worker:9100` or `worker`; addresses
/// in one spelling. Empty: there is none.
std::string host_of(std::string_view instance);

/// Matches exact identities: `worker` is never `worker2`. A name that two targets share matches
/// neither.
class Lookup {
public:
    explicit Lookup(const Directory& directory);

    /// Learns from node_uname_info which instance is which node.
    void learn(const Answer& names);

    /// The index in the directory's nodes, workloads or pods, by the query's target. Nodes are
    /// found by the naming labels (`node`), which must be a node's name: if they name another one,
    /// the address does not count. Else by the host of `instance`, an address or name of the node;
    /// by node_uname_info of the same instance; by `kubernetes_node`, `kubernetes_io_hostname`,
    /// `host`, `hostname`, `nodename`.
    std::optional<std::size_t> find(const Series& series, const Query& query) const;

private:
    using Places = std::unordered_map<std::string, std::size_t>;  // Lookup only.

    std::optional<std::size_t> node(const Series& series, const Query& query) const;
    std::optional<std::size_t> workload(const Series& series, const Query& query) const;
    std::optional<std::size_t> node_called(std::string_view text) const;
    std::optional<std::size_t> by_instance(const Series& series) const;

    Places nodes_;      // By name.
    Places addresses_;  // By address, or by the node's own name.
    Places instances_;  // As learned from node_uname_info.
    Places workloads_;  // By space/name, and by kind/space/name.
    Places pods_;       // By space/name.
};

}  // namespace parley::prometheus
