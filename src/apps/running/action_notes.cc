#include "apps/running/action_notes.h"

#include "layers/explanation/telling/brief.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <utility>

namespace parley::app {

using namespace model;

namespace {

std::string name_of(const OpenAction& action) {
    return explanation::wish_text(action.action, action.target);
}

std::string in_brackets(const std::string& note) { return note.empty() ? "" : " (" + note + ")"; }

/// The agent's sentence for an action of this round, without asides.
std::string because_of(const explanation::Told& told, const OpenAction& action) {
    for (const Judged& judged : told.decision.verdict.judged) {
        const Proposal& wish = judged.proposal;
        const bool same = wish.role == action.role && wish.target == action.target &&
                          kind_of(wish.action) == kind_of(action.action);
        if (!same || !std::holds_alternative<Accepted>(judged.fate)) continue;
        return explanation::brief(wish.because, told, judged);
    }
    return {};
}

/// It was accepted in this round and goes no further: held, or no room in the ledger.
bool shelved(const OpenAction& action, std::uint64_t round) {
    return action.round == round &&
           (action.state == ActionState::held || action.state == ActionState::would_send ||
            action.state == ActionState::failed);
}

bool changed_something(const OpenAction& action) {
    return std::ranges::any_of(action.plan, [](const PlannedStep& step) { return step.ours; });
}

}  // namespace

void ActionNotes::add(const One& one, Moment moment, std::string text, bool warning) {
    const OpenAction& action = one.follower.action();
    out_.push_back({action.id, kind_of(action.action), action.target, action.uid, moment, warning,
                    std::move(text)});
}

/// Tells what is new of an action that goes on.
void ActionNotes::look(One& one) {
    const OpenAction& action = one.follower.action();
    const std::string name = name_of(action);
    if (!one.began && changed_something(action)) {
        one.began = true;
        std::string text = name + ".";
        if (!one.because.empty()) text += " " + one.because;
        if (action.expires > TimePoint{}) {
            text += " Expires " + explanation::when(action.expires, false) + ".";
        }
        add(one, Moment::began, std::move(text));
    }
    if (!one.done && !action.undoing && action.state == ActionState::confirmed) {
        one.done = true;
        add(one, Moment::done, name + " is done: " + one.follower.tally("answered ok") + ".");
    }
    if (!action.undoing || one.undone_after) return;
    one.undone_after = action.ended;
    if (action.ended == ActionState::confirmed) return;
    one.gave_up = true;
    // What is gone, or was done by others, is nobody's fault.
    add(one, Moment::gave_up, name + " was given up" + in_brackets(action.note) + ".",
        action.ended != ActionState::moot);
}

/// Tells how an action ended that left the ledger.
void ActionNotes::end(const OpenAction& ended) {
    const auto known = std::ranges::find_if(
        open_, [&](const One& each) { return each.follower.id() == ended.id; });
    One one = known != open_.end()
                  ? *known
                  : One{.follower = explanation::Follower(ended), .began = true, .done = true};
    if (known != open_.end()) open_.erase(known);
    one.follower.meet(ended);
    look(one);
    const std::string name = name_of(ended);
    if (!ended.undoing) {
        const bool fine = ended.state == ActionState::confirmed;
        if (!fine && !one.gave_up) {
            add(one, Moment::gave_up, name + " was given up" + in_brackets(ended.note) + ".",
                ended.state != ActionState::moot);
        }
        return;
    }
    if (ended.undo.empty()) return;
    // While it is undone, a step that is refused for good makes it failed.
    const bool failed = ended.ended == ActionState::failed;
    const bool stays = failed && one.undone_after != ended.ended;
    const std::string how = stays ? " is over and could not all be undone"
                            : failed
                                ? " is over; what it changed was undone where that was possible"
                                : " is over and was undone";
    add(one, stays ? Moment::not_undone : Moment::undone,
        name + how + in_brackets(ended.note) + ".", stays);
}

std::vector<ActionNote> ActionNotes::take(const Published& round) {
    if (round.input.controls.mode != Mode::act) {
        open_.clear();  // Whoever leads tells of them; we meet them anew.
        return {};
    }
    const explanation::Told told{round.input, round.decision, policy_, round.events, &round.memory};
    for (const OpenAction& ended : round.decision.ended) end(ended);
    for (const Step& step : round.decision.first_steps) {
        const OpenAction& action = step.action;
        const auto known = std::ranges::find_if(
            open_, [&](const One& each) { return each.follower.id() == action.id; });
        if (known != open_.end()) {
            known->follower.meet(action);
            look(*known);
            continue;
        }
        if (shelved(action, round.decision.round)) continue;
        One one{.follower = explanation::Follower(action)};
        if (action.round == round.decision.round) {
            one.because = because_of(told, action);
        } else {  // It is not known what was told of it: only what comes is.
            one.began = changed_something(action);
            one.done = action.confirmed > TimePoint{};
            if (action.undoing) one.undone_after = action.ended;
            one.gave_up = action.undoing && action.ended != ActionState::confirmed;
        }
        open_.push_back(std::move(one));
    }
    for (const ActionEvent& event : round.events) {
        for (One& one : open_) {
            if (one.follower.id() != event.action) continue;
            one.follower.take(event);
            look(one);
        }
    }
    return std::exchange(out_, {});
}

}  // namespace parley::app
