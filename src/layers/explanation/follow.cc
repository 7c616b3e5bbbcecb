#include "layers/explanation/follow.h"

#include <algorithm>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

/// Whether a live read shows that the current request needs no sending.
bool found_done(const OpenAction& action, const Live& live) {
    const Request& request = action.plan[action.at].request;
    if (std::holds_alternative<PutMark>(request)) return live.exists && live.mark == action.id;
    if (const auto* evict = std::get_if<EvictPod>(&request)) {
        return !live.exists || live.uid != evict->pod;
    }
    return live.exists && live.applied;
}

}  // namespace

Follower::Follower(OpenAction action) : action_(std::move(action)) {
    for (const PlannedStep& step : action_.plan) {
        const bool would = action_.state == ActionState::would_send;
        steps_.push_back({.request = text_of(step.request),
                          .answer = step.ours ? "ok" : (would ? "would be sent" : "not sent"),
                          .ok = step.ours});
    }
}

void Follower::settle(const char* answer) {
    steps_[action_.at] = {steps_[action_.at].request, answer, true};
    action_.note.clear();
    if (action_.plan[action_.at].then.ready_at_least > 0) {
        action_.awaiting = true;
        action_.state = ActionState::marked;
        return;
    }
    ++action_.at;
    action_.state = in_plan() ? ActionState::marked : ActionState::confirmed;
}

void Follower::on_seen(const Seen& seen) {
    if (action_.awaiting) {
        const bool there =
            !seen.live.exists || seen.live.ready >= action_.plan[action_.at].then.ready_at_least;
        if (!there) return;
        action_.awaiting = false;
        ++action_.at;
        action_.state = in_plan() ? ActionState::marked : ActionState::confirmed;
    } else if (found_done(action_, seen.live)) {
        const bool ours =
            action_.state == ActionState::sent || action_.state == ActionState::unknown;
        settle(ours ? "ok" : "found done");
    } else if (!seen.refused.empty()) {
        action_.state = ActionState::held;
        action_.note = seen.refused;
    } else {
        action_.state = ActionState::sent;
    }
}

void Follower::on_answered(const Answered& answer) {
    if (answer.ok) {
        if (action_.state == ActionState::sent) settle("ok");
        return;
    }
    action_.note = answer.message;
    if (action_.state != ActionState::sent) return;
    steps_[action_.at].answer = std::string(enum_name(answer.code)) + ": " + answer.message;
    action_.state = answer.code == ErrorCode::blocked ? ActionState::blocked : ActionState::marked;
    const bool unclear =
        answer.code == ErrorCode::unknown_outcome || answer.code == ErrorCode::malformed;
    if (unclear) action_.state = ActionState::unknown;
}

void Follower::take(const ActionEvent& event) {
    if (event.action != action_.id || !in_plan()) return;
    if (const auto* seen = std::get_if<Seen>(&event.what)) on_seen(*seen);
    if (const auto* answer = std::get_if<Answered>(&event.what)) on_answered(*answer);
}

void Follower::meet(const OpenAction& later) {
    if (later.id != action_.id) return;
    action_ = later;
    for (std::size_t i = 0; i < steps_.size() && i < later.plan.size(); ++i) {
        const bool passed = !later.undoing && i < later.at;
        if (steps_[i].ok || (!later.plan[i].ours && !passed)) continue;
        steps_[i].answer = later.plan[i].ours ? "ok" : "found done";
        steps_[i].ok = true;
    }
}

std::int32_t Follower::done() const {
    return static_cast<std::int32_t>(std::ranges::count(steps_, true, &SentStep::ok));
}

std::string Follower::text() const {
    const std::string total_text = std::to_string(total());
    if (action_.state == ActionState::would_send) return "would send " + total_text;
    std::string text = std::to_string(done()) + " of " + total_text + " sent";
    if (done() < total() && !action_.note.empty()) text += ": " + action_.note;
    return text;
}

}  // namespace parley::explanation
