#include "layers/execution/action_machine.h"

#include "base/check.h"
#include "layers/execution/marks.h"
#include "layers/execution/place.h"
#include "layers/execution/waves.h"

#include <algorithm>
#include <span>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

Step become(OpenAction a, ActionState state, Next next) {
    a.state = state;
    return {std::move(a), std::move(next)};
}

/// The state of an action between two requests.
ActionState between(const OpenAction& a) {
    return a.at == 0 && !a.undoing ? ActionState::planned : ActionState::marked;
}

const Request& current(const OpenAction& a) {
    if (a.undoing) {
        PARLEY_CHECK(a.at < a.undo.size());
        return a.undo[a.at];
    }
    PARLEY_CHECK(a.at < a.plan.size());
    return a.plan[a.at].request;
}

/// Records the fate of the current step of the plan; undo steps have none.
void settle(OpenAction& a, StepFate fate) {
    if (!a.undoing && a.at < a.plan.size()) a.plan[a.at].fate = fate;
}

/// The plan has ended, and is looked through for what was done of it before it is undone.
bool is_closing(const OpenAction& a) { return is_ending(a) && !a.undoing; }

/// Whether a request may have arrived.
bool under_way(const OpenAction& a) {
    return a.state == ActionState::sent || a.state == ActionState::unknown;
}

/// Whether this undo is up to us: we changed that place, and it is not back already. A step under
/// way counts as done, since it may have been.
bool to_be_undone(const OpenAction& a, const Request& undo) {
    const Request* last = nullptr;
    for (std::size_t i = 0; i < a.plan.size(); ++i) {
        const PlannedStep& step = a.plan[i];
        const bool ours = step.ours || (under_way(a) && i == a.at);
        if (ours && same_place(step.request, undo)) last = &step.request;
    }
    return last != nullptr && *last != undo;
}

/// How far it had come, whoever took it up does not know: steps after the current one may have been
/// sent, too.
bool in_doubt(const OpenAction& a) {
    return a.resumed && !is_ending(a) && !is_final(a.state) && a.at < a.plan.size();
}

/// Another change of the same place comes before this step, and was not carried out: then neither
/// was this one, however the place looks. The ledger is stored between the two (RoundCore::next).
bool was_not_reached(const OpenAction& a) {
    const auto before = std::span(a.plan).first(a.at);
    return std::ranges::any_of(before, [&](const PlannedStep& step) {
        return !step.ours && step.fate == StepFate::open &&
               same_place(step.request, a.plan[a.at].request);
    });
}

Step undo_next(OpenAction a) {
    a.pause = {};
    a.not_before = {};
    if (a.at < a.undo.size()) return become(std::move(a), ActionState::marked, Read{});
    const ActionState how = a.ended;
    return become(std::move(a), how, Done{});
}

/// Moves to the next step, or ends the plan after the last.
Step next_step(OpenAction a) {
    a.awaiting = false;
    a.pause = {};
    a.not_before = {};
    ++a.at;
    if (a.undoing) return undo_next(std::move(a));
    if (a.at < a.plan.size()) return become(std::move(a), ActionState::marked, Read{});
    if (a.confirmed == TimePoint{}) {
        const bool gone = std::ranges::count(a.plan, StepFate::moot, &PlannedStep::fate) > 0;
        return give_up(
            std::move(a), ActionState::moot,
            gone ? "what it was about is gone, or was done already" : "all of it was done already");
    }
    a.note.clear();
    // A size that was set stays until somebody sets another: what it was is in the mark.
    if (pace_of(a.action) == Pace::scaling) a.undo.clear();
    return become(std::move(a), ActionState::confirmed, Done{});
}

/// A workload whose pod was just evicted still counts it for a moment, until its controllers have
/// noticed: what is read at once would tell of the time before.
Step wait_for_ready(OpenAction a, TimePoint at) {
    const bool evicts = std::holds_alternative<EvictPod>(a.plan[a.at].request);
    const bool unnoticed = evicts && wave_ends_at(a.plan, a.at);
    a.awaiting = true;
    a.pause = {};
    a.not_before = unnoticed ? at + kNoticedAfter : TimePoint{};
    return become(std::move(a), ActionState::marked, unnoticed ? Next(Wait{}) : Next(Read{}));
}

/// The request is known to be in force; `ours` unless it was found so.
Step step_done(OpenAction a, bool ours, TimePoint at) {
    if (a.undoing) return next_step(std::move(a));
    PlannedStep& step = a.plan[a.at];
    step.ours = step.ours || ours;
    // A pod that others are already deleting is as good as gone.
    const bool evicts = std::holds_alternative<EvictPod>(step.request);
    step.fate = ours ? StepFate::applied : evicts ? StepFate::moot : StepFate::found_done;
    const bool takes_effect = marks(step.request) == nullptr;
    if (ours && takes_effect && a.confirmed == TimePoint{}) a.confirmed = at;
    if (step.then.ready_at_least <= 0) return next_step(std::move(a));
    return wait_for_ready(std::move(a), at);
}

/// The object of the current step is gone, but its workload may still have to replace it.
Step pass_over(OpenAction a, TimePoint at) {
    if (a.undoing || a.plan[a.at].then.ready_at_least <= 0) return next_step(std::move(a));
    return wait_for_ready(std::move(a), at);
}

Step too_late(OpenAction a) {
    std::string because = "its time ran out";
    if (!a.note.empty()) because += ": " + a.note;
    return give_up(std::move(a), ActionState::expired, std::move(because));
}

/// The object is not there, or another has its name.
Step object_gone(OpenAction a, TimePoint at) {
    const bool evicts = std::holds_alternative<EvictPod>(current(a));
    if (evicts && (under_way(a) || a.resumed)) return step_done(std::move(a), true, at);
    settle(a, StepFate::moot);
    if (evicts) return pass_over(std::move(a), at);  // Its disappearance is what was wanted.
    // A cluster or namespace has no object to carry a mark; its orders carry it themselves.
    const bool has_object =
        std::holds_alternative<NodeId>(a.target) || std::holds_alternative<WorkloadId>(a.target);
    if (!a.undoing && has_object && on_target(current(a), a.target)) {
        return give_up(std::move(a), ActionState::moot, text_of(a.target) + " is gone");
    }
    return next_step(std::move(a));  // A pod or workload that left by itself needs nothing more.
}

Step undo_all(OpenAction a) {
    std::erase_if(a.undo, [&](const Request& undo) { return !to_be_undone(a, undo); });
    const StepFate rest = a.ended == ActionState::moot ? StepFate::moot : StepFate::given_up;
    for (PlannedStep& step : a.plan) {
        // A ledger from before fates were kept records only what was ours.
        if (step.fate == StepFate::open) step.fate = step.ours ? StepFate::applied : rest;
    }
    a.undoing = true;
    a.awaiting = false;
    a.at = 0;
    return undo_next(std::move(a));
}

/// Goes on to look at what is left of a plan that has ended, or undoes what was found.
Step look_on(OpenAction a) {
    a.awaiting = false;
    a.pause = {};
    a.not_before = {};
    if (a.at >= a.plan.size()) return undo_all(std::move(a));
    // Of what is under way the outcome stays unknown until it is seen.
    const ActionState state = under_way(a) ? ActionState::unknown : ActionState::marked;
    return become(std::move(a), state, Read{});
}

/// What is found done of a plan that has ended was done by us. `there`: the object that is meant
/// is, `done`: and shows what was wanted.
Step found(OpenAction a, bool there, bool done, TimePoint at) {
    PlannedStep& step = a.plan[a.at];
    const bool evicts = std::holds_alternative<EvictPod>(step.request);
    // Steps are taken one after the other, and nobody brings a pod back.
    if (evicts && there && !done) {
        a.state = ActionState::marked;
        return undo_all(std::move(a));
    }
    const bool ours = (evicts ? !there || done : done) && !was_not_reached(a);
    if (ours) {
        step.ours = true;
        step.fate = StepFate::applied;
        if (marks(step.request) == nullptr && a.confirmed == TimePoint{}) a.confirmed = at;
    } else if (!there) {
        step.fate = StepFate::moot;
    } else if (step.fate == StepFate::unknown) {
        step.fate = StepFate::open;
    }
    a.state = ActionState::marked;
    ++a.at;
    return look_on(std::move(a));
}

Step on(const Tick& tick, OpenAction a, TimePoint at) {
    if (finished(a)) return {std::move(a), Done{}};
    if (tick.started_anew && !is_final(a.state)) a.resumed = true;
    // Nobody waits for that answer any more: we started anew, or could not record it.
    if (a.state == ActionState::sent) {
        settle(a, StepFate::unknown);
        return become(std::move(a), ActionState::unknown, Read{});
    }
    if (a.state == ActionState::confirmed) {
        if (at >= a.expires) return give_up(std::move(a), ActionState::confirmed, "");
        return {std::move(a), Wait{}};
    }
    const bool settled = a.state != ActionState::unknown;
    if (!is_ending(a) && settled && at >= a.deadline) return too_late(std::move(a));
    const bool early = at < a.not_before;
    return {std::move(a), early ? Next(Wait{}) : Next(Read{})};
}

Step on_awaited(const Live& live, OpenAction a, TimePoint at) {
    if (!live.exists || live.ready >= a.plan[a.at].then.ready_at_least) {
        return next_step(std::move(a));
    }
    const Await& then = a.plan[a.at].then;
    a.note = "waits until " + then.workload.text() + " has " + std::to_string(then.ready_at_least) +
             " ready, it has " + std::to_string(live.ready);
    if (at >= a.deadline) return too_late(std::move(a));
    return {std::move(a), Wait{}};
}

bool is_other_object(const OpenAction& a, const Live& live) {
    if (!live.exists) return true;
    const Request& request = current(a);
    if (const auto* evict = std::get_if<EvictPod>(&request)) return live.uid != evict->pod;
    if (const auto* cost = std::get_if<SetDeletionCost>(&request)) return live.uid != cost->pod;
    if (const auto* resize = std::get_if<ResizePod>(&request)) return live.uid != resize->pod;
    if (const auto* mark = std::get_if<MarkPod>(&request)) return live.uid != mark->pod;
    return on_target(request, a.target) && !a.uid.none() && live.uid != a.uid;
}

bool is_applied(const OpenAction& a, const Live& live) {
    const DecisionId* mark = marks(current(a));
    if (mark == nullptr) return live.applied;
    // We clear or give back only our own mark.
    return a.undoing || *mark != a.id ? live.mark != a.id : live.mark == a.id;
}

/// Whether this step of a plan that has ended is the one that the process before may have sent
/// last, and would be left behind if it came now: a mark where there was none. Requests are sent
/// one after the other, so that it is the first that is not found done. Of an action of which
/// nothing was done nothing is begun for that.
bool may_still_come(const OpenAction& a) {
    const DecisionId* mark = marks(a.plan[a.at].request);
    if (a.at == 0 || mark == nullptr || *mark != a.id) return false;
    return std::ranges::none_of(std::span(a.plan).first(a.at), [](const PlannedStep& step) {
        return step.fate == StepFate::open && !step.ours;
    });
}

/// What was sent by the process before and not heard of is looked for; a mark that may still come
/// is put there by us, so that it comes in vain, and is then taken away with the rest.
Step on_closing(const Live& live, OpenAction a, TimePoint at) {
    const bool there = !is_other_object(a, live);
    const bool done = there && is_applied(a, live);
    // Our mark may have come after we looked for it.
    const bool marked = there && on_target(current(a), a.target) && live.mark == a.id;
    if (marked && !a.plan[0].ours) {
        a.plan[0].ours = true;
        a.plan[0].fate = StepFate::applied;
    }
    if (!there || done || !may_still_come(a)) return found(std::move(a), there, done, at);
    Send send{current(a), {live.uid, live.version}};
    return become(std::move(a), ActionState::sent, std::move(send));
}

/// The node or workload that a request changes itself. Nothing: a pod, whose status changes all the
/// time by itself, or nothing that others could change.
std::optional<Target> object_of(const Request& request) {
    if (const auto* mark = std::get_if<PutMark>(&request)) return mark->target;
    if (const auto* taint = std::get_if<SetTaint>(&request)) return taint->node;
    if (const auto* replicas = std::get_if<SetReplicas>(&request)) return replicas->workload;
    return std::nullopt;
}

/// The current step was sent before, and met a conflict.
bool met_conflict(const OpenAction& a) {
    return !a.undoing && a.at < a.plan.size() && a.plan[a.at].fate == StepFate::failed;
}

/// Our mark on the target is not there any more, although the plan is not done.
std::optional<Contest> lost_mark(const OpenAction& a, const Live& live) {
    const bool marked = a.at > 0 && !a.undoing && on_target(current(a), a.target);
    if (!marked || live.mark == a.id) return std::nullopt;
    return Contest{a.target, "our mark on " + text_of(a.target) + " was removed or replaced"};
}

/// What we read had changed before our request came. Once that may be chance; whoever changes it
/// again may have it.
std::optional<Contest> lost_race(const OpenAction& a) {
    const std::optional<Target> about = object_of(current(a));
    if (!about || !met_conflict(a)) return std::nullopt;
    return Contest{*about, text_of(*about) + " was changed by somebody else each time we tried to"};
}

Step on(const Seen& seen, OpenAction a, TimePoint at) {
    if (is_final(a.state)) return {std::move(a), Wait{}};
    if (a.awaiting) return on_awaited(seen.live, std::move(a), at);
    if (is_closing(a)) return on_closing(seen.live, std::move(a), at);
    if (is_other_object(a, seen.live)) return object_gone(std::move(a), at);
    if (is_applied(a, seen.live)) {
        const bool ours = under_way(a) || a.resumed;
        return step_done(std::move(a), ours, at);
    }
    if (!met_conflict(a)) settle(a, StepFate::open);  // If it was sent, it was not applied.
    a.state = between(a);                             // The request is settled.
    if (const auto lost = lost_mark(a, seen.live)) {
        return give_up(std::move(a), ActionState::failed, stepped_back({*lost}));
    }
    if (!a.undoing && at >= a.deadline) return too_late(std::move(a));
    if (!seen.refused.empty()) {
        a.note = seen.refused;
        return become(std::move(a), ActionState::held, Wait{});
    }
    if (!a.undoing) a.note.clear();  // While undoing, the note says why.
    Send send{current(a), {seen.live.uid, seen.live.version}};
    return become(std::move(a), ActionState::sent, std::move(send));
}

/// What holds it up for now. Once the plan has ended, the note says why, and that stays.
void note(OpenAction& a, const Answered& answer) {
    if (!is_ending(a)) a.note = answer.message;
}

Step pause(OpenAction a, ActionState state, const Answered& answer, TimePoint at) {
    a.pause = std::clamp(a.pause * 2, kPauseFirst, kPauseLongest);
    a.not_before = at + answer.retry_after.value_or(a.pause);
    note(a, answer);
    return become(std::move(a), state, Wait{});
}

/// A person must change something before it can succeed.
Step refused_for_good(const Answered& answer, OpenAction a) {
    if (!a.undoing) return give_up(std::move(a), ActionState::failed, answer.message);
    a.ended = ActionState::failed;  // The rest of the undo steps are still worth trying.
    a.note = "could not undo \"" + text_of(current(a)) + "\": " + answer.message;
    return next_step(std::move(a));
}

/// The live read failed, so nothing is settled.
Step on_failed_read(const Answered& answer, OpenAction a, TimePoint at) {
    const bool settled = a.state != ActionState::unknown;
    const bool denied = answer.code == ErrorCode::denied || answer.code == ErrorCode::expired;
    if (is_closing(a) && (denied || answer.code == ErrorCode::gone)) {
        // What nobody may read may have been done: the undo says that it could not look either.
        return found(std::move(a), denied, denied, at);
    }
    if (settled && denied) return refused_for_good(answer, std::move(a));
    if (settled && answer.code == ErrorCode::gone) {
        if (a.awaiting) return next_step(std::move(a));
        return object_gone(std::move(a), at);
    }
    if (answer.retry_after) a.not_before = at + *answer.retry_after;
    note(a, answer);
    return {std::move(a), Wait{}};
}

/// Nothing was changed, since something else was in between. What is to be given back is tried
/// again, ever more rarely.
Step on_conflict(const Answered& answer, OpenAction a, TimePoint at) {
    const ActionState before = between(a);
    if (a.undoing) return pause(std::move(a), before, answer, at);
    if (const auto lost = lost_race(a)) {
        a.state = before;
        return give_up(std::move(a), ActionState::failed, stepped_back({*lost}));
    }
    if (object_of(current(a))) settle(a, StepFate::failed);
    a.note = answer.message;
    return become(std::move(a), before, Wait{});
}

Step on(const Answered& answer, OpenAction a, TimePoint at) {
    if (is_final(a.state)) return {std::move(a), Wait{}};
    if (a.state != ActionState::sent) {
        if (answer.ok) return {std::move(a), Wait{}};
        return on_failed_read(answer, std::move(a), at);
    }
    const bool unclear =
        answer.code == ErrorCode::unknown_outcome || answer.code == ErrorCode::malformed;
    // What cannot be put there is not waited for: giving back goes first.
    if (is_closing(a) && (answer.ok || !unclear)) {
        if (!answer.ok && answer.code == ErrorCode::conflict) {
            return pause(std::move(a), ActionState::marked, answer, at);
        }
        return found(std::move(a), answer.code != ErrorCode::gone || answer.ok, answer.ok, at);
    }
    if (answer.ok) return step_done(std::move(a), true, at);
    const ActionState before = between(a);
    switch (answer.code) {
        case ErrorCode::unavailable:
            return pause(std::move(a), before, answer, at);
        case ErrorCode::blocked:
            return pause(std::move(a), ActionState::blocked, answer, at);
        case ErrorCode::conflict:
            return on_conflict(answer, std::move(a), at);
        case ErrorCode::unknown_outcome:
        case ErrorCode::malformed:
            note(a, answer);
            if (answer.retry_after) a.not_before = at + *answer.retry_after;
            settle(a, StepFate::unknown);
            return become(std::move(a), ActionState::unknown, Wait{});
        case ErrorCode::gone:
            a.state = before;  // It was surely not applied to the object we meant.
            return object_gone(std::move(a), at);
        case ErrorCode::expired:
        case ErrorCode::denied:
            break;
    }
    settle(a, StepFate::failed);
    a.state = before;
    return refused_for_good(answer, std::move(a));
}

}  // namespace

Step advance(OpenAction action, const ActionEvent& event) {
    PARLEY_CHECK(event.action == action.id);
    return std::visit([&](const auto& what) { return on(what, std::move(action), event.at); },
                      event.what);
}

std::optional<Contest> contest_of(const OpenAction& action, const ActionEvent& event) {
    if (is_ending(action) || is_final(action.state)) return std::nullopt;
    if (const auto* seen = std::get_if<Seen>(&event.what)) {
        const bool settled = action.awaiting || is_other_object(action, seen->live) ||
                             is_applied(action, seen->live);
        return settled ? std::nullopt : lost_mark(action, seen->live);
    }
    const auto* answer = std::get_if<Answered>(&event.what);
    const bool refused = answer != nullptr && !answer->ok && action.state == ActionState::sent;
    if (!refused || answer->code != ErrorCode::conflict) return std::nullopt;
    return lost_race(action);
}

Request subject_of(const OpenAction& action) {
    if (!action.awaiting) return current(action);
    const Await& then = action.plan[action.at].then;
    return SetReplicas{then.workload, then.ready_at_least};
}

bool is_ending(const OpenAction& action) {
    return action.undoing || action.ended != ActionState::planned;
}

bool finished(const OpenAction& action) {
    if (action.state == ActionState::would_send) return true;
    return is_final(action.state) && (action.undoing || action.undo.empty());
}

Step give_up(OpenAction action, ActionState how, std::string because) {
    const bool doubt = in_doubt(action);
    action.ended = how;
    action.note = std::move(because);
    if (!doubt) return undo_all(std::move(action));
    if (action.awaiting) ++action.at;  // That step is done.
    return look_on(std::move(action));
}

}  // namespace parley::execution
