#include "layers/explanation/telling/follow.h"

#include "layers/execution/action_machine.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/place.h"

#include <algorithm>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

bool keeps_fates(const OpenAction& action) {
    const bool begun = action.at > 0 || action.undoing;
    return !begun || std::ranges::any_of(action.plan, [](const PlannedStep& step) {
        return step.fate != StepFate::open;
    });
}

/// For a record without fates: steps that were ours were applied; those that were skipped or never
/// reached were not sent.
void supply_fates(OpenAction& action, const std::vector<PlannedStep>& seen) {
    for (std::size_t i = 0; i < action.plan.size(); ++i) {
        PlannedStep& step = action.plan[i];
        if (i < seen.size()) step.fate = seen[i].fate;
        if (step.ours) step.fate = StepFate::applied;
        if (step.fate != StepFate::open) continue;
        const bool passed = !action.undoing && i < action.at;
        if (passed) step.fate = StepFate::found_done;
        if (!action.undoing) continue;
        const bool gone = action.ended == ActionState::moot;
        step.fate = gone ? StepFate::moot : StepFate::given_up;
    }
}

std::string error_text(const Answered& answer) {
    return std::string(enum_name(answer.code)) + ": " + answer.message;
}

bool settled(StepFate fate) { return fate != StepFate::open && fate != StepFate::unknown; }

/// Whether the target is gone, which makes all remaining steps moot.
bool target_gone(const OpenAction& action) {
    return std::ranges::any_of(action.plan, [&](const PlannedStep& step) {
        return step.fate == StepFate::moot && execution::on_target(step.request, action.target);
    });
}

/// Says that the object of a request was gone.
std::string lost(const Request& request) {
    if (std::holds_alternative<EvictPod>(request)) return "its pod was gone or going";
    const bool of_pod = std::holds_alternative<SetDeletionCost>(request) ||
                        std::holds_alternative<ResizePod>(request) ||
                        std::holds_alternative<MarkPod>(request);
    if (of_pod) return "its pod was gone";
    if (const auto* replicas = std::get_if<SetReplicas>(&request)) {
        return replicas->workload.text() + " was gone";
    }
    return "what it is about was gone";
}

}  // namespace

Follower::Follower(OpenAction action)
    : action_(std::move(action)), errors_(action_.plan.size()), tried_(action_.plan.size()) {
    whole_ = action_.at == 0 && action_.state == ActionState::planned && !action_.undoing;
    if (!keeps_fates(action_)) supply_fates(action_, {});
}

void Follower::take(const ActionEvent& event) {
    if (event.action != action_.id) return;
    const auto* answer = std::get_if<Answered>(&event.what);
    if (action_.state == ActionState::would_send) {
        if (answer != nullptr) rehearsed_.emplace_back(*answer);
        if (const auto* seen = std::get_if<Seen>(&event.what)) rehearsed_.emplace_back(*seen);
        return;
    }
    const std::size_t at = action_.at;
    const bool planned = !action_.undoing && at < action_.plan.size();
    if (answer != nullptr && planned && action_.state == ActionState::sent) {
        tried_[at] = true;
        errors_[at] = answer->ok ? std::string() : error_text(*answer);
    }
    action_ = execution::advance(std::move(action_), event).action;
    execution::trim_note(action_);
}

void Follower::meet(const OpenAction& later) {
    if (later.id != action_.id) return;
    const std::vector<PlannedStep> seen = std::exchange(action_, later).plan;
    errors_.resize(action_.plan.size());
    tried_.resize(action_.plan.size());
    if (!keeps_fates(action_)) {
        supply_fates(action_, seen);
        return;
    }
    for (std::size_t i = 0; i < seen.size() && i < action_.plan.size(); ++i) {
        const StepFate mine = seen[i].fate;
        const StepFate theirs = action_.plan[i].fate;
        const bool differ = settled(mine) && settled(theirs) && mine != theirs;
        const bool unheard = whole_ && mine == StepFate::open && theirs == StepFate::applied;
        if (!contradiction_.empty() || (!differ && !unheard)) continue;
        contradiction_ = "the record contradicts itself: its events say that \"" +
                         text_of(action_.plan[i].request) + "\" is " +
                         std::string(enum_name(mine)) + ", its ledger that it is " +
                         std::string(enum_name(theirs));
    }
}

std::string Follower::answer_of(std::size_t place) const {
    const PlannedStep& step = action_.plan[place];
    switch (step.fate) {
        case StepFate::applied:
            return "ok";
        case StepFate::found_done:
            return "found done";
        case StepFate::moot: {
            const bool target = target_gone(action_);
            return "moot: " +
                   (target ? text_of(action_.target) + " was gone" : lost(step.request)) +
                   " before it " +
                   (tried_[place] ? "took effect" : (whole_ ? "was sent" : "was done"));
        }
        case StepFate::open:
        case StepFate::given_up:
        case StepFate::failed:
        case StepFate::unknown:
            break;
    }
    if (!errors_[place].empty()) return errors_[place];
    if (step.fate == StepFate::failed) return "refused";
    if (step.fate == StepFate::unknown) return "nobody knows what came of it";
    return "not sent";
}

/// Nothing of it is sent; a dry run may say what would come of it.
SentStep Follower::would_step(std::size_t place) const {
    SentStep step{.request = text_of(action_.plan[place].request), .answer = "would be sent"};
    if (place >= rehearsed_.size()) return step;
    const auto* answer = std::get_if<Answered>(&rehearsed_[place]);
    step.tried = true;
    step.ok = answer == nullptr || answer->ok;
    if (answer == nullptr) {
        step.answer = "found done";
    } else {
        step.answer = "dry run: " + (answer->ok ? std::string("ok") : error_text(*answer));
    }
    return step;
}

SentStep Follower::step(std::size_t place) const {
    if (action_.state == ActionState::would_send) return would_step(place);
    const PlannedStep& step = action_.plan[place];
    const bool under_way = place == action_.at && !action_.undoing && !action_.awaiting &&
                           action_.state == ActionState::sent;
    const bool left = step.fate == StepFate::applied || step.fate == StepFate::failed ||
                      step.fate == StepFate::unknown;
    return {.request = text_of(step.request),
            .answer = answer_of(place),
            .ok = step.fate == StepFate::applied || step.fate == StepFate::found_done,
            .fate = step.fate,
            .sent = left || tried_[place] || under_way};
}

std::vector<SentStep> Follower::steps() const {
    std::vector<SentStep> steps;
    for (std::size_t i = 0; i < action_.plan.size(); ++i) steps.push_back(step(i));
    return steps;
}

std::int64_t Follower::count(StepFate fate) const {
    return std::ranges::count(action_.plan, fate, &PlannedStep::fate);
}

std::int32_t Follower::done() const {
    return static_cast<std::int32_t>(count(StepFate::applied) + count(StepFate::found_done));
}

std::string Follower::tally(const std::string& verb) const {
    std::string text =
        std::to_string(count(StepFate::applied)) + " of " + std::to_string(total()) + " " + verb;
    const std::pair<StepFate, const char*> others[] = {{StepFate::found_done, "found done"},
                                                       {StepFate::moot, "moot"},
                                                       {StepFate::failed, "refused"},
                                                       {StepFate::unknown, "unknown"}};
    for (const auto& [fate, word] : others) {
        if (count(fate) > 0) text += ", " + std::to_string(count(fate)) + " " + word;
    }
    return text;
}

std::string Follower::text() const {
    if (action_.state == ActionState::would_send) {
        const std::string tried = rehearsed();
        return "would send " + std::to_string(total()) +
               (tried.empty() ? "" : "; dry run: " + tried);
    }
    const bool through = done() + count(StepFate::moot) == total();
    return tally("sent") + (through || action_.note.empty() ? "" : ": " + action_.note);
}

std::string Follower::rehearsed() const {
    const std::size_t tried = std::min(rehearsed_.size(), action_.plan.size());
    std::size_t fine = 0;
    std::string trouble;
    for (std::size_t i = 0; i < tried; ++i) {
        const SentStep step = would_step(i);
        if (step.ok) ++fine;
        const auto* answer = std::get_if<Answered>(&rehearsed_[i]);
        if (step.ok || answer == nullptr || !trouble.empty()) continue;
        trouble = "; " + step.request + ": " + error_text(*answer);
    }
    if (tried == 0) return {};
    const bool all = fine == action_.plan.size();
    return (all ? "all" : std::to_string(fine) + " of " + std::to_string(total())) + " ok" +
           trouble;
}

}  // namespace parley::explanation
