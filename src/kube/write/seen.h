// Kube, what an object of the API shows that a change of ours depends on: JSON of a node, workload
// or pod in. Pure.

#pragma once

#include "base/result.h"
#include "model/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

/// Our taint, whatever its effect. A cordon (spec.unschedulable) is never used.
inline constexpr std::string_view kQuarantineTaint = "parley.dev/quarantine";
inline constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";

/// An object as it was read. What its kind does not have keeps its default.
struct Seen {
    model::Uid uid;
    std::string uid_text;  ///< As the server writes it, for preconditions.
    std::uint64_t version = 0;
    bool terminating = false;
    std::optional<model::Mark> mark;
    /// Annotations of ours that are there, whole mark or not: they go when the mark goes.
    bool has_annotations = false;

    // A node.
    bool has_taints = false;        ///< spec.taints is there at all; a JSON patch must know.
    std::vector<std::size_t> ours;  ///< Where our taints are in its list, ascending.
    model::Taint taint = model::Taint::none;  ///< The strongest of them.

    // A workload.
    std::int32_t replicas = 0;
    std::int32_t available = 0;
    bool suspended = false;  ///< A Job.

    // A pod.
    std::optional<std::int32_t> deletion_cost;       ///< Nothing: it has no such annotation.
    bool ended = false;                              ///< It succeeded or failed.
    std::vector<model::ContainerResize> containers;  ///< What each asks for now.
};

/// `malformed`: it is not JSON, has no uid or version, or a field that we read is impossible.
[[nodiscard]] Result<Seen> read_seen(std::string_view body);

}  // namespace parley::kube
