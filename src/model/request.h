// Model: one thing asked of a cluster (Request), with absolute values, and the mark (Mark) that
// what we change bears.

#pragma once

#include "model/action.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::model {

enum class Taint : std::uint8_t { none, prefer_no_schedule, no_schedule };
BOOST_DESCRIBE_ENUM(Taint, none, prefer_no_schedule, no_schedule)

enum class MarkedField : std::uint8_t {
    taint,
    power,
    clock_ppm,
    replicas,
    cpu_m,  ///< What a container asks for; likewise `memory`.
    memory,
    cpu_limit_m,
    memory_limit,
    deletion_cost,
    suspend  ///< Of a Job: 1 while it is held.
};
BOOST_DESCRIBE_ENUM(MarkedField, taint, power, clock_ppm, replicas, cpu_m, memory, cpu_limit_m,
                    memory_limit, deletion_cost, suspend)

/// One thing that an action changes of what bears the mark: from the mark alone it can be given
/// back.
struct MarkedChange {
    MarkedField field = MarkedField::taint;
    Name container;        ///< Of requests and limits.
    std::int64_t old = 0;  ///< Before the first action that still stands; enumerators as numbers.
    std::int64_t wanted = 0;  ///< Likewise.
    friend bool operator==(const MarkedChange&, const MarkedChange&) = default;
};
BOOST_DESCRIBE_STRUCT(MarkedChange, (), (field, container, old, wanted))

/// Our mark on something we changed: which decision, until when, and what was there before.
struct Mark {
    DecisionId decision;  ///< Run and epoch are in it. None: no mark.
    TimePoint expires;
    ActionKind kind = ActionKind::noop;
    std::vector<MarkedChange> changes;
    friend bool operator==(const Mark&, const Mark&) = default;
};
BOOST_DESCRIBE_STRUCT(Mark, (), (decision, expires, kind, changes))

/// Whether the mark on a Job says that an admission order of ours holds it back.
bool is_held(const std::optional<Mark>& mark);

/// First step of every action: annotate the target. Workloads that it changes besides its target
/// are marked before they are changed.
struct PutMark {
    Target target;
    DecisionId decision;
    TimePoint expires;
    ActionKind kind = ActionKind::noop;
    std::vector<MarkedChange> changes;
    friend bool operator==(const PutMark&, const PutMark&) = default;
};
BOOST_DESCRIBE_STRUCT(PutMark, (), (target, decision, expires, kind, changes))

struct SetTaint {
    NodeId node;
    Taint taint = Taint::none;
    friend bool operator==(const SetTaint&, const SetTaint&) = default;
};
BOOST_DESCRIBE_STRUCT(SetTaint, (), (node, taint))

struct SetReplicas {
    WorkloadId workload;
    std::int32_t replicas = 0;
    friend bool operator==(const SetReplicas&, const SetReplicas&) = default;
};
BOOST_DESCRIBE_STRUCT(SetReplicas, (), (workload, replicas))

struct EvictPod {
    Uid pod;
    std::string name;  ///< For people and for the API's path.
    Name space = {};   ///< Likewise.
    friend bool operator==(const EvictPod&, const EvictPod&) = default;
};
BOOST_DESCRIBE_STRUCT(EvictPod, (), (pod, name, space))

struct SetDeletionCost {
    Uid pod;
    std::string name;
    std::int32_t cost = 0;
    Name space = {};
    friend bool operator==(const SetDeletionCost&, const SetDeletionCost&) = default;
};
BOOST_DESCRIBE_STRUCT(SetDeletionCost, (), (pod, name, cost, space))

/// Of every pod of a workload on one node. Nobody makes it any more (docs/decisions/0030): it
/// stands in older records and ledgers, as the next one does.
struct SetCpuLimit {
    WorkloadId workload;
    NodeId node;
    std::int64_t cpu_limit_m = 0;
    friend bool operator==(const SetCpuLimit&, const SetCpuLimit&) = default;
};
BOOST_DESCRIBE_STRUCT(SetCpuLimit, (), (workload, node, cpu_limit_m))

struct SetMemoryRequest {
    WorkloadId workload;
    NodeId node;
    std::int64_t memory_request = 0;
    friend bool operator==(const SetMemoryRequest&, const SetMemoryRequest&) = default;
};
BOOST_DESCRIBE_STRUCT(SetMemoryRequest, (), (workload, node, memory_request))

struct SetPower {
    NodeId node;
    PowerWish state = PowerWish::on;
    friend bool operator==(const SetPower&, const SetPower&) = default;
};
BOOST_DESCRIBE_STRUCT(SetPower, (), (node, state))

struct SetClock {
    NodeId node;
    std::int64_t clock_ppm = 1'000'000;
    friend bool operator==(const SetClock&, const SetClock&) = default;
};
BOOST_DESCRIBE_STRUCT(SetClock, (), (node, clock_ppm))

/// Writes the parameters of our admission policy; `admit` lifts it.
struct SetAdmission {
    AdmissionWish mode = AdmissionWish::admit;
    DecisionId decision;
    TimePoint until;
    std::vector<Name> spaces;
    friend bool operator==(const SetAdmission&, const SetAdmission&) = default;
};
BOOST_DESCRIBE_STRUCT(SetAdmission, (), (mode, decision, until, spaces))

/// A quota for batch work; a share of 1,000,000 lifts it.
struct SetBatchCap {
    std::int64_t cpu_ppm = 1'000'000;
    std::int64_t memory_ppm = 1'000'000;
    DecisionId decision;
    TimePoint until;
    std::vector<Name> spaces;
    friend bool operator==(const SetBatchCap&, const SetBatchCap&) = default;
};
BOOST_DESCRIBE_STRUCT(SetBatchCap, (), (cpu_ppm, memory_ppm, decision, until, spaces))

/// What one container is to ask for. Nothing: left as it is.
struct ContainerResize {
    Name container;
    std::optional<std::int64_t> cpu_request_m = {};
    std::optional<std::int64_t> cpu_limit_m = {};
    std::optional<std::int64_t> memory_request = {};
    std::optional<std::int64_t> memory_limit = {};
    friend bool operator==(const ContainerResize&, const ContainerResize&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerResize, (),
                      (container, cpu_request_m, cpu_limit_m, memory_request, memory_limit))

/// One pod in place, as its `resize` subresource takes it: all of it or nothing. Containers that
/// are not named are left as they are.
struct ResizePod {
    Uid pod;
    Name space;
    std::string name;
    std::vector<ContainerResize> containers;
    friend bool operator==(const ResizePod&, const ResizePod&) = default;
};
BOOST_DESCRIBE_STRUCT(ResizePod, (), (pod, space, name, containers))

/// Annotates a pod before it is changed: neither a resize nor a deletion cost carries a mark. No
/// decision in the mark: takes it away.
struct MarkPod {
    Uid pod;
    Name space;
    std::string name;
    Mark mark;
    friend bool operator==(const MarkPod&, const MarkPod&) = default;
};
BOOST_DESCRIBE_STRUCT(MarkPod, (), (pod, space, name, mark))

/// Starts a Job that an order of ours holds back, and takes the mark of that order away: one
/// request does both, so that a Job with the mark is one that is held.
struct ResumeJob {
    WorkloadId job;
    friend bool operator==(const ResumeJob&, const ResumeJob&) = default;
};
BOOST_DESCRIBE_STRUCT(ResumeJob, (), (job))

using Request = std::variant<PutMark, SetTaint, SetReplicas, EvictPod, SetDeletionCost, SetCpuLimit,
                             SetMemoryRequest, SetPower, SetClock, SetAdmission, SetBatchCap,
                             ResizePod, MarkPod, ResumeJob>;

std::string text_of(const Request& request);

/// What must still hold when a request arrives. Version zero: any version.
struct Precondition {
    Uid uid;
    std::uint64_t version = 0;
    friend bool operator==(const Precondition&, const Precondition&) = default;
};
BOOST_DESCRIBE_STRUCT(Precondition, (), (uid, version))

}  // namespace parley::model
