// Model: identities. Names are for people, uids decide: the same name with a new uid is another
// thing.

#pragma once

#include "base/describe.h"
#include "base/name.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace parley::model {

struct NodeId {
    Name name;

    std::string text() const { return name.str(); }
    friend bool operator==(const NodeId&, const NodeId&) = default;
    friend auto operator<=>(const NodeId&, const NodeId&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeId, (), (name))

struct NamespaceId {
    Name name;

    std::string text() const { return name.str(); }
    friend bool operator==(const NamespaceId&, const NamespaceId&) = default;
    friend auto operator<=>(const NamespaceId&, const NamespaceId&) = default;
};
BOOST_DESCRIBE_STRUCT(NamespaceId, (), (name))

enum class WorkloadKind { deployment, stateful_set, daemon_set, job, bare };
BOOST_DESCRIBE_ENUM(WorkloadKind, deployment, stateful_set, daemon_set, job, bare)

struct WorkloadId {
    Name space;
    WorkloadKind kind = WorkloadKind::deployment;
    Name name;

    /// `shop/web` for a Deployment, `shop/job/report` for other kinds.
    std::string text() const;
    friend bool operator==(const WorkloadId&, const WorkloadId&) = default;
    friend auto operator<=>(const WorkloadId&, const WorkloadId&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkloadId, (), (space, kind, name))

struct WholeCluster {
    std::string text() const { return "cluster"; }
    friend bool operator==(const WholeCluster&, const WholeCluster&) = default;
    friend auto operator<=>(const WholeCluster&, const WholeCluster&) = default;
};
BOOST_DESCRIBE_STRUCT(WholeCluster, (), ())

/// What an action is for.
using Target = std::variant<NodeId, WorkloadId, NamespaceId, WholeCluster>;

std::string text_of(const Target& target);

/// The 128 bits that Kubernetes gives an object for life. Zero: no object.
struct Uid {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    std::string text() const;  ///< 8-4-4-4-12 hexadecimal digits.
    bool none() const { return high == 0 && low == 0; }
    friend bool operator==(const Uid&, const Uid&) = default;
    friend auto operator<=>(const Uid&, const Uid&) = default;
};
BOOST_DESCRIBE_STRUCT(Uid, (), (high, low))

/// 128 bits that are given once: the run's id, then the leader's epoch (16 bits), the round (32)
/// and the place in the round (16). Also our mark on what we change: who finds one can tell whose
/// it is. Of runs that were recorded before runs had an id, bits drawn from seed, round and place.
struct DecisionId {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    std::string text() const;  ///< 32 hexadecimal digits.
    bool none() const { return high == 0 && low == 0; }
    friend bool operator==(const DecisionId&, const DecisionId&) = default;
    friend auto operator<=>(const DecisionId&, const DecisionId&) = default;
};
BOOST_DESCRIBE_STRUCT(DecisionId, (), (high, low))

/// The id of the run with this seed of a scenario (its bytes) or beside a cluster (its name). The
/// same for the same; a real cluster's run has a seed of its own. Never 0.
std::uint64_t run_id_of(std::uint64_t seed, std::string_view of);

}  // namespace parley::model
