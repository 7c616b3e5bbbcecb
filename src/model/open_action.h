// Model: an accepted action on its way (OpenAction), the steps of its plan, and what its machine
// (layers/execution/action_machine.h) is told and wants next.

#pragma once

#include "base/result.h"
#include "model/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::model {

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
    ActionState ended = ActionState::planned;  ///< How the plan ended; planned: it has not.
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
