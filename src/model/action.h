// Model: what can be wanted (Action), what is asked of a cluster (Request), and an accepted action
// on its way (OpenAction). Plain values, absolute amounts.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "model/ids.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::model {

/// Agents by role, in the order of their letters: "A safety" to "D scaling". Numbers are recorded:
/// append, never reorder. A role that is added here has its figures wherever there are figures per
/// role; its agent is a file of src/layers/proposal (docs/howto/write-an-agent.md).
#define PARLEY_ROLES safety, efficiency, admission, scaling
BOOST_DEFINE_FIXED_ENUM_CLASS(Role, std::uint8_t, PARLEY_ROLES)

inline constexpr auto kRoles = enumerators<Role>;
static_assert(kRoles.size() <= 26, "every agent has a letter");

std::string_view title_of(Role role);  ///< "A safety".
char letter_of(Role role);             ///< 'A'.

/// Agent D has its place in every list, but this build has no such agent.
constexpr bool in_this_build(Role role) { return role != Role::scaling; }

enum class PowerWish : std::uint8_t { sleep, off, on };
BOOST_DESCRIBE_ENUM(PowerWish, sleep, off, on)
enum class AdmissionWish : std::uint8_t { admit, queue, reject, deprioritize };
BOOST_DESCRIBE_ENUM(AdmissionWish, admit, queue, reject, deprioritize)

#define PARLEY_EMPTY_ACTION(Type)                                   \
    struct Type {                                                   \
        friend bool operator==(const Type&, const Type&) = default; \
    };                                                              \
    BOOST_DESCRIBE_STRUCT(Type, (), ())

PARLEY_EMPTY_ACTION(Noop)
PARLEY_EMPTY_ACTION(Replicate)
PARLEY_EMPTY_ACTION(Migrate)
PARLEY_EMPTY_ACTION(Throttle)
#undef PARLEY_EMPTY_ACTION

struct PowerState {
    PowerWish state = PowerWish::sleep;
    friend bool operator==(const PowerState&, const PowerState&) = default;
};
BOOST_DESCRIBE_STRUCT(PowerState, (), (state))

struct Dvfs {
    std::int64_t clock_ppm = 650'000;
    friend bool operator==(const Dvfs&, const Dvfs&) = default;
};
BOOST_DESCRIBE_STRUCT(Dvfs, (), (clock_ppm))

struct MemoryBalloon {
    std::int64_t scale_ppm = 750'000;
    friend bool operator==(const MemoryBalloon&, const MemoryBalloon&) = default;
};
BOOST_DESCRIBE_STRUCT(MemoryBalloon, (), (scale_ppm))

struct Admission {
    AdmissionWish decision = AdmissionWish::admit;
    std::vector<Name> spaces;  ///< Namespaces it is for, by name; empty: all.
    friend bool operator==(const Admission&, const Admission&) = default;
};
BOOST_DESCRIBE_STRUCT(Admission, (), (decision, spaces))

struct ResourceCap {
    std::int64_t cpu_ppm = 850'000;
    std::int64_t memory_ppm = 850'000;
    std::vector<Name> spaces;  ///< As in Admission.
    friend bool operator==(const ResourceCap&, const ResourceCap&) = default;
};
BOOST_DESCRIBE_STRUCT(ResourceCap, (), (cpu_ppm, memory_ppm, spaces))

/// One figure of a workload, moved between a floor and a ceiling that people set. Absolute.
struct Extent {
    std::int64_t from = 0;
    std::int64_t to = 0;     ///< The same as `from`: it stays.
    std::int64_t least = 0;  ///< 0: no floor was set.
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    bool grows() const { return to > from; }
    bool shrinks() const { return to < from; }
    friend bool operator==(const Extent&, const Extent&) = default;
};
BOOST_DESCRIBE_STRUCT(Extent, (), (from, to, least, most))

/// What one container of each pod asks for; nothing: that is left as it is.
struct ContainerSize {
    Name container;
    std::optional<Extent> cpu_m;
    std::optional<Extent> memory;
    friend bool operator==(const ContainerSize&, const ContainerSize&) = default;
};
BOOST_DESCRIBE_STRUCT(ContainerSize, (), (container, cpu_m, memory))

/// How many pods a workload has and how large they are, as one action.
struct Scale {
    Extent replicas;
    std::vector<ContainerSize> sizes;  ///< Of containers that are resized.
    friend bool operator==(const Scale&, const Scale&) = default;
};
BOOST_DESCRIBE_STRUCT(Scale, (), (replicas, sizes))

bool resizes(const Scale& scale);  ///< A container's size changes.
bool grows(const Scale& scale);    ///< Something grows and nothing shrinks.
bool shrinks(const Scale& scale);  ///< Something shrinks, whatever else grows.

using Action = std::variant<Noop, Replicate, Migrate, Throttle, PowerState, Dvfs, MemoryBalloon,
                            Admission, ResourceCap, Scale>;

/// The alternatives of Action, in the same order.
enum class ActionKind : std::uint8_t {
    noop,
    replicate,
    migrate,
    throttle,
    power_state,
    dvfs,
    memory_balloon,
    admission,
    resource_cap,
    scale
};
BOOST_DESCRIBE_ENUM(ActionKind, noop, replicate, migrate, throttle, power_state, dvfs,
                    memory_balloon, admission, resource_cap, scale)

inline ActionKind kind_of(const Action& action) { return static_cast<ActionKind>(action.index()); }

/// `replicate`, `power_state:sleep`, `admission:queue`.
std::string text_of(const Action& action);
/// `AgentA:replicate`, `AgentC:admission:queue`: the label of mission.md section 6.
std::string label_of(Role role, const Action& action);
/// A plain admit or a noop changes nothing.
bool changes_nothing(const Action& action);
/// Takes capacity or pods away, if only for a while: replicate, migrate, power down.
bool disruptive(const Action& action);
/// Done to save something, so it can wait.
bool saves(const Action& action);

/// How soon an action may follow another, and what it uses up of what there is little of:
/// docs/decisions/0029-three-paces.md.
enum class Pace : std::uint8_t {
    disruptive,  ///< One at a time, few an hour.
    gentle,      ///< Bounded by rounds and cool-downs.
    scaling,     ///< Many at once, every few seconds; kept by the mark on the workload alone.
};
BOOST_DESCRIBE_ENUM(Pace, disruptive, gentle, scaling)

Pace pace_of(const Action& action);

// --- Requests: one thing asked of a cluster, with absolute values. -------------------------------

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
    deletion_cost
};
BOOST_DESCRIBE_ENUM(MarkedField, taint, power, clock_ppm, replicas, cpu_m, memory, cpu_limit_m,
                    memory_limit, deletion_cost)

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

using Request = std::variant<PutMark, SetTaint, SetReplicas, EvictPod, SetDeletionCost, SetCpuLimit,
                             SetMemoryRequest, SetPower, SetClock, SetAdmission, SetBatchCap,
                             ResizePod, MarkPod>;

std::string text_of(const Request& request);

/// What must still hold when a request arrives. Version zero: any version.
struct Precondition {
    Uid uid;
    std::uint64_t version = 0;
    friend bool operator==(const Precondition&, const Precondition&) = default;
};
BOOST_DESCRIBE_STRUCT(Precondition, (), (uid, version))

// --- An accepted action on its way. --------------------------------------------------------------

/// What must be seen before a planned step counts as done.
struct Await {
    WorkloadId workload;
    std::int32_t ready_at_least = 0;  ///< 0: nothing to wait for.
    friend bool operator==(const Await&, const Await&) = default;
};
BOOST_DESCRIBE_STRUCT(Await, (), (workload, ready_at_least))

/// What became of one step of a plan.
enum class StepFate : std::uint8_t {
    open,        ///< Nothing was done yet.
    applied,     ///< Sent, and answered ok.
    found_done,  ///< What it wants was there already: never sent.
    moot,        ///< What it was about is gone: never sent, or sent for nothing.
    given_up,    ///< The plan ended before this step.
    failed,      ///< Sent, and refused.
    unknown,     ///< Sent, and nobody knows what came of it.
};
BOOST_DESCRIBE_ENUM(StepFate, open, applied, found_done, moot, given_up, failed, unknown)

struct PlannedStep {
    Request request;
    Await then;         ///< Waited for after the request is confirmed.
    bool ours = false;  ///< Carried out by us; false: not yet, or found done. Only ours is undone.
    StepFate fate = StepFate::open;
    friend bool operator==(const PlannedStep&, const PlannedStep&) = default;
};
BOOST_DESCRIBE_STRUCT(PlannedStep, (), (request, then, ours, fate))

enum class ActionState : std::uint8_t {
    planned,
    marked,
    sent,
    confirmed,
    moot,
    blocked,
    expired,
    failed,
    unknown,
    held,
    would_send
};
BOOST_DESCRIBE_ENUM(ActionState, planned, marked, sent, confirmed, moot, blocked, expired, failed,
                    unknown, held, would_send)

bool is_final(ActionState state);  ///< confirmed, moot, expired, failed, would_send.

struct OpenAction {
    DecisionId id;
    std::uint64_t round = 0;  ///< In which it was accepted.
    Role role = Role::safety;
    Action action;
    Target target;
    Uid uid;                        ///< Of the target; none for namespace or cluster.
    std::vector<PlannedStep> plan;  ///< Carried out in order; [0] is the mark.
    std::vector<Request> undo;      ///< Sent in this order when it expires or is released.
    std::uint32_t at = 0;           ///< Index of the current step; in `undo` while undoing.
    ActionState state = ActionState::planned;
    TimePoint deadline;     ///< After it the plan is given up and undone.
    TimePoint expires;      ///< After it the effect is undone.
    TimePoint not_before;   ///< Set by back-off: no step is sent earlier.
    TimePoint confirmed;    ///< When the first effect was confirmed; zero before.
    Duration pause;         ///< The last back-off, which the next one doubles.
    bool awaiting = false;  ///< The current step is done; its `then` is waited for.
    bool undoing = false;
    ActionState ended = ActionState::planned;  ///< While undoing: how the plan ended.
    std::string note;                          ///< Why it is held, blocked or failed.
    /// Taken up by a process that does not know how far it had come: what is found done counts as
    /// done by it, so that it is undone.
    bool resumed = false;

    friend bool operator==(const OpenAction&, const OpenAction&) = default;
};
BOOST_DESCRIBE_STRUCT(OpenAction, (),
                      (id, round, role, action, target, uid, plan, undo, at, state, deadline,
                       expires, not_before, confirmed, pause, awaiting, undoing, ended, note,
                       resumed))

/// What a live read shows of a request's target.
struct Live {
    bool exists = false;
    Uid uid;
    std::uint64_t version = 0;
    DecisionId mark;
    bool applied = false;    ///< The wanted value is already there.
    std::int32_t ready = 0;  ///< Ready replicas, where the target is a workload.
    friend bool operator==(const Live&, const Live&) = default;
};
BOOST_DESCRIBE_STRUCT(Live, (), (exists, uid, version, mark, applied, ready))

struct Tick {  ///< A new round, or a new start.
    bool started_anew = false;
    friend bool operator==(const Tick&, const Tick&) = default;
};
BOOST_DESCRIBE_STRUCT(Tick, (), (started_anew))

struct Seen {  ///< A live read, with the guard's answer to it.
    Live live;
    std::string refused;  ///< The guard's sentence; empty: it may go on.
    friend bool operator==(const Seen&, const Seen&) = default;
};
BOOST_DESCRIBE_STRUCT(Seen, (), (live, refused))

struct Answered {  ///< What came back for a request; no error: it was applied.
    bool ok = true;
    ErrorCode code = ErrorCode::unavailable;
    std::string message;
    std::optional<Duration> retry_after;
    friend bool operator==(const Answered&, const Answered&) = default;
};
BOOST_DESCRIBE_STRUCT(Answered, (), (ok, code, message, retry_after))

struct ActionEvent {
    DecisionId action;
    TimePoint at;
    std::variant<Tick, Seen, Answered> what;
    friend bool operator==(const ActionEvent&, const ActionEvent&) = default;
};
BOOST_DESCRIBE_STRUCT(ActionEvent, (), (action, at, what))

struct Send {
    Request request;
    Precondition only_if;
    friend bool operator==(const Send&, const Send&) = default;
};
BOOST_DESCRIBE_STRUCT(Send, (), (request, only_if))

struct Read {
    friend bool operator==(const Read&, const Read&) = default;
};
BOOST_DESCRIBE_STRUCT(Read, (), ())
struct Wait {
    friend bool operator==(const Wait&, const Wait&) = default;
};
BOOST_DESCRIBE_STRUCT(Wait, (), ())
struct Done {
    friend bool operator==(const Done&, const Done&) = default;
};
BOOST_DESCRIBE_STRUCT(Done, (), ())

/// What an action machine wants next.
using Next = std::variant<Wait, Read, Send, Done>;

struct Step {
    OpenAction action;
    Next next;
    friend bool operator==(const Step&, const Step&) = default;
};
BOOST_DESCRIBE_STRUCT(Step, (), (action, next))

}  // namespace parley::model

namespace parley {
BOOST_DESCRIBE_ENUM(ErrorCode, unavailable, unknown_outcome, conflict, gone, expired, blocked,
                    denied, malformed)
}
