#include "layers/execution/ledger_fold.h"

#include "layers/execution/action_machine.h"
#include "layers/execution/others.h"
#include "layers/execution/place.h"
#include "layers/execution/rest.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

Alarm contradicts(const OpenAction& action, const std::string& how) {
    return {.kind = AlarmKind::record_contradicts,
            .about = action.target,
            .layer = 5,
            .sentence = "the record of " + text_of(action.action) + " " + text_of(action.target) +
                        " of round " + std::to_string(action.round) +
                        " contradicts itself: " + how};
}

/// Steps carried out by us, and only those, have the fate applied. Ledgers from before fates were
/// kept have none.
bool fits(const PlannedStep& step) {
    if (step.fate == StepFate::applied) return step.ours;
    return step.fate == StepFate::open || !step.ours;
}

void check_fates(const Ledger& ledger, std::vector<Alarm>& alarms) {
    for (const OpenAction& action : ledger.open) {
        const auto odd = std::ranges::find_if_not(action.plan, fits);
        if (odd == action.plan.end()) continue;
        alarms.push_back(
            contradicts(action, "by its ledger \"" + text_of(odd->request) + "\" is " +
                                    std::string(enum_name(odd->fate)) + ", and was " +
                                    (odd->ours ? "carried out by us" : "not carried out by us")));
    }
}

OpenAction* find_action(Memory& memory, const DecisionId& id) {
    const auto open = std::ranges::find(memory.ledger.open, id, &OpenAction::id);
    if (open != memory.ledger.open.end()) return &*open;
    const auto scaling = std::ranges::lower_bound(memory.scaling, id, {}, &OpenAction::id);
    if (scaling == memory.scaling.end() || scaling->id != id) return nullptr;
    return &*scaling;
}

void fold_events(const RoundInput& input, Memory& memory, std::vector<Alarm>& alarms) {
    for (const ActionEvent& event : input.events) {
        OpenAction* action = find_action(memory, event.action);
        if (action == nullptr) continue;  // It left with the ledger of another leader.
        const auto* answer = std::get_if<Answered>(&event.what);
        if (answer != nullptr && answer->ok && action->state != ActionState::sent) {
            alarms.push_back(contradicts(
                *action, "an answer to a request came in, but by its ledger none was sent"));
        }
        *action = advance_in(memory.ledger, *action, event).action;
    }
}

/// Whether a newer action has changed this place, or may have.
bool has_changed(const OpenAction& newer, const Request& place) {
    if (newer.undoing) return false;
    const bool under_way = newer.state == ActionState::sent || newer.state == ActionState::unknown;
    for (std::size_t i = 0; i < newer.plan.size(); ++i) {
        const bool changed = newer.plan[i].ours || (under_way && i == newer.at);
        if (changed && same_place(newer.plan[i].request, place)) return true;
    }
    return false;
}

/// A place has one owner, the last action that changed it: only that one undoes it, and to the
/// value that the older one would have restored.
void take_over(OpenAction& older, OpenAction& newer) {
    if (older.undoing) return;
    std::erase_if(older.undo, [&](const Request& undo) {
        if (!has_changed(newer, undo)) return false;
        const auto mine = std::ranges::find_if(
            newer.undo, [&](const Request& request) { return same_place(request, undo); });
        if (mine != newer.undo.end()) *mine = undo;
        return true;
    });
}

void take_over_places(Ledger& ledger) {
    for (std::size_t newer = 1; newer < ledger.open.size(); ++newer) {
        for (std::size_t older = 0; older < newer; ++older) {
            take_over(ledger.open[older], ledger.open[newer]);
        }
    }
}

bool has_marked(const OpenAction& action, const Target& target) {
    return !action.undoing && action.target == target && !action.plan.empty() &&
           action.plan[0].ours;
}

bool bears_mark(const Target& target) {
    return std::holds_alternative<NodeId>(target) || std::holds_alternative<WorkloadId>(target);
}

/// A target carries one mark. The action that set it last gives it back to the newest earlier
/// action whose effect still stands: without a mark that effect would look like someone else's.
PutMark mark_before(const Ledger& ledger, const OpenAction& owner) {
    PutMark back{.target = owner.target};
    for (const OpenAction& other : ledger.open) {
        if (other.id == owner.id) break;
        if (other.state != ActionState::confirmed || !has_marked(other, owner.target)) continue;
        if (const auto* put = std::get_if<PutMark>(&other.plan[0].request)) back = *put;
        back.decision = other.id;
        back.expires = other.expires;
    }
    return back;
}

Request* undone_mark(OpenAction& action) {
    const auto found = std::ranges::find_if(action.undo, [&](const Request& request) {
        const auto* mark = std::get_if<PutMark>(&request);
        return mark != nullptr && mark->target == action.target;
    });
    return found == action.undo.end() ? nullptr : &*found;
}

void inherit_mark(const Ledger& ledger, std::size_t place, OpenAction& owner) {
    for (std::size_t i = place + 1; i < ledger.open.size(); ++i) {
        if (has_marked(ledger.open[i], owner.target)) return;  // The mark belongs to that action.
    }
    const PutMark back = mark_before(ledger, owner);
    if (Request* found = undone_mark(owner)) {
        *found = back;
    } else {
        owner.undo.emplace_back(back);
    }
}

void inherit_marks(Ledger& ledger) {
    for (std::size_t i = 0; i < ledger.open.size(); ++i) {
        OpenAction& action = ledger.open[i];
        // An action with nothing left to undo is over.
        if (!bears_mark(action.target) || action.undo.empty()) continue;
        if (has_marked(action, action.target)) inherit_mark(ledger, i, action);
    }
}

/// Every open action learns that a round has come. Returns what each does next.
void tick(const RoundInput& input, std::vector<OpenAction>& actions, Ledger& ledger,
          std::vector<Step>& steps) {
    for (OpenAction& action : actions) {
        const ActionEvent event{action.id, input.now, Tick{input.controls.started_anew}};
        Step step = advance_in(ledger, action, event);
        action = step.action;
        const bool busy =
            std::holds_alternative<Read>(step.next) || std::holds_alternative<Send>(step.next);
        if (busy) steps.push_back(std::move(step));
    }
}

void drop_finished(std::vector<OpenAction>& actions, std::vector<OpenAction>& ended) {
    std::erase_if(actions, [&](const OpenAction& action) {
        if (finished(action)) ended.push_back(action);
        return finished(action);
    });
}

/// An order holds while the action that gave it does: not after it failed, was undone or overtaken.
bool still_holds(const StandingOrder& order, const Ledger& ledger, TimePoint now) {
    const auto action = std::ranges::find(ledger.open, order.id, &OpenAction::id);
    return now < order.until && action != ledger.open.end() && !action->undoing;
}

}  // namespace

Step advance_in(Ledger& ledger, OpenAction action, const ActionEvent& event) {
    const bool stood = !action.undoing;
    const std::optional<Contest> contest = contest_of(action, event);
    Step step = advance(std::move(action), event);
    OpenAction& next = step.action;
    // It may have begun after the last fold, and then does not know the actions before it.
    const bool ends = stood && next.undoing && bears_mark(next.target);
    if (Request* mark = ends ? undone_mark(next) : nullptr) *mark = mark_before(ledger, next);
    trim_note(next);
    const auto open = std::ranges::find(ledger.open, next.id, &OpenAction::id);
    if (open != ledger.open.end()) *open = next;
    if (!contest) return step;
    rest(ledger, next.target, event.at);
    rest(ledger, contest->about, event.at);
    return step;
}

void trim_note(OpenAction& action) {
    std::string& note = action.note;
    if (note.size() <= kNoteBytesMax) return;
    std::size_t end = kNoteBytesMax;
    while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0U) == 0x80U) --end;
    note.resize(end);
}

Remembered remember(const RoundInput& input, Memory& memory) {
    Ledger& ledger = memory.ledger;
    ledger.version = input.controls.ledger_version;
    ledger.epoch = std::max(ledger.epoch, input.controls.epoch);
    ledger.stopped = input.controls.stop;  // Which rests on what the ledger said: RoundCore.
    Remembered remembered;
    fold_events(input, memory, remembered.alarms);
    check_fates(ledger, remembered.alarms);
    take_over_places(ledger);
    inherit_marks(ledger);
    for (OpenAction& each : ledger.open) {
        // Its tick would say so, but others may end it before that.
        if (input.controls.started_anew && !is_final(each.state)) each.resumed = true;
    }
    step_back(input, ledger);
    for (auto* actions : {&ledger.open, &memory.scaling}) {
        tick(input, *actions, ledger, remembered.steps);
        drop_finished(*actions, remembered.ended);
    }
    const TimePoint now = input.now;
    drop_cool_downs(ledger, now);
    std::erase_if(ledger.spent, [&](const Spend& s) { return s.at <= now - hours(24); });
    std::erase_if(ledger.scaled_down, [&](const ScaledDown& s) { return s.at <= now - hours(24); });
    std::erase_if(ledger.orders,
                  [&](const StandingOrder& o) { return !still_holds(o, ledger, now); });
    return remembered;
}

}  // namespace parley::execution
