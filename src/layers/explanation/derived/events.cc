#include "layers/explanation/derived/events.h"

#include "base/json.h"
#include "base/time_text.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/alarm_count.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::size_t kNodesTold = 8;  // Of one round; the rest are counted.

struct DisagreementData {
    DisagreementKind kind;
    Target about;
    std::int32_t layer = 0;  ///< The layer to look at first.
};
BOOST_DESCRIBE_STRUCT(DisagreementData, (), (kind, about, layer))

struct ProposalData {
    std::string agent;
    std::string kind;
    std::string target;
    double score = 0;
    std::string fate;
    Action payload;
    int priority = 0;
    std::string reason;  ///< The agent's sentence.
    std::string lost;    ///< Why it was not chosen; empty: it was, or wanted nothing.
};
BOOST_DESCRIBE_STRUCT(ProposalData, (),
                      (agent, kind, target, score, fate, payload, priority, reason, lost))

/// Named like the prototype's decision payload, with additions of Parley.
struct DecisionData {
    std::string id;
    std::string agent;
    std::string kind;
    std::string target;
    std::string action_label;
    double score = 0;
    std::string rule;
    std::string rationale;
    std::int32_t rivals = 0;
    std::int64_t proposal_count = 0;
    std::vector<ProposalData> proposals;
    std::uint64_t round = 0;
    Action payload;  ///< The chosen action with its amounts.
    int priority = 0;
    std::string reason;  ///< The reason, as on the screen.
};
BOOST_DESCRIBE_STRUCT(DecisionData, (),
                      (id, agent, kind, target, action_label, score, rule, rationale, rivals,
                       proposal_count, proposals, round, payload, priority, reason))

struct ActionData {
    std::string id;
    std::uint64_t round = 0;
    std::string action;
    std::string target;
    ActionState state = ActionState::planned;
    std::string note;
    std::vector<SentStep> steps;
};
BOOST_DESCRIBE_STRUCT(ActionData, (), (id, round, action, target, state, note, steps))

/// The order in which agents rank: safety, then admission, then all others.
int priority_of(Role role) {
    if (role == Role::safety) return 1;
    return role == Role::admission ? 2 : 3;
}

std::string lost_of(const Judged& judged) {
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) {
        return lost->rule + ": " + lost->because;
    }
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) {
        return refused->rule + ": " + refused->because;
    }
    return judged.guard.held ? judged.guard.held->rule + ": " + judged.guard.held->because : "";
}

DecisionData data_of(const Decision& decision) {
    DecisionData data{.id = decision.id.text(),
                      .rule = decision.verdict.rule,
                      .rationale = rationale_of(decision),
                      .rivals = decision.verdict.rivals,
                      .proposal_count = std::ssize(decision.verdict.judged),
                      .round = decision.round,
                      .reason = reason(decision)};
    if (const Proposal* winner = chosen(decision.verdict)) {
        data.agent = title_of(winner->role);
        data.kind = enum_name(kind_of(winner->action));
        data.target = text_of(winner->target);
        data.action_label = label_of(winner->role, winner->action);
        data.score = winner->score;
        data.payload = winner->action;
        data.priority = priority_of(winner->role);
    }
    for (const Judged& judged : decision.verdict.judged) {
        const Proposal& p = judged.proposal;
        data.proposals.push_back({std::string(title_of(p.role)), text_of(p.action),
                                  text_of(p.target), p.score, std::string(fate_name(judged.fate)),
                                  p.action, priority_of(p.role), p.because, lost_of(judged)});
    }
    return data;
}

ActionData data_of(const Follower& follower) {
    const OpenAction& action = follower.action();
    return {action.id.text(), action.round,    text_of(action.action), text_of(action.target),
            follower.state(), follower.note(), follower.steps()};
}

std::string name_of(const OpenAction& action) { return wish_text(action.action, action.target); }

/// It only gives Jobs back that an order held.
bool frees(const OpenAction& action) {
    return action.plan.empty() && !action.undo.empty() &&
           std::holds_alternative<ResumeJob>(action.undo.front());
}

/// "5 of 16 Jobs are freed: no order holds 20 Jobs any more".
std::string freed_text(const OpenAction& action) {
    return std::to_string(action.at) + " of " + counted(std::ssize(action.undo), "Job") +
           (action.undo.size() == 1 ? " is" : " are") + " freed: " + action.note;
}

/// What to tell about an action in progress; the same text is told only once.
std::string progress_of(const Follower& follower, bool simulated) {
    const OpenAction& action = follower.action();
    if (frees(action)) return freed_text(action);
    const std::string name = name_of(action);
    switch (follower.state()) {
        case ActionState::confirmed:
            return name + ": " + follower.tally("answered ok") + "; expires " +
                   when(action.expires, simulated);
        case ActionState::held:
            return name + " is held: " + follower.note();
        case ActionState::blocked:
            return name + " is blocked: " + follower.note();
        case ActionState::unknown:
            return name + ": nobody knows what came of a request: " + follower.note();
        case ActionState::would_send:
            return name + ": would send " + counted(follower.total(), "request");
        case ActionState::failed:
            return name + " failed: " + follower.note();
        case ActionState::moot:
        case ActionState::expired:
            return {};  // The next round tells of its end.
        case ActionState::planned:
        case ActionState::marked:
        case ActionState::sent:
            break;
    }
    const std::string note = follower.note().empty() ? "" : "; " + follower.note();
    return name + (action.undoing ? " is being undone: " : " goes on: ") +
           follower.tally("answered ok") + note;
}

/// It will not change by itself: what holds it up, or what came of it, is news of its own.
bool stands(ActionState state) {
    return state != ActionState::planned && state != ActionState::marked &&
           state != ActionState::sent;
}

/// How every step of it stands; the same in every event until one of them moves.
std::string steps_of(const Follower& follower) {
    std::string out;
    if (frees(follower.action())) out = std::to_string(follower.action().at);
    for (const SentStep& step : follower.steps()) {
        out += static_cast<char>('a' + static_cast<int>(step.fate));
        if (step.sent) out += '!';
    }
    return out;
}

/// Ages and counts in a reason change every round; that alone is not news.
std::string without_digits(std::string text) {
    std::erase_if(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return text;
}

/// It was accepted in this round and goes no further: held, would be sent, or no room in the
/// ledger.
bool shelved(const OpenAction& action, std::uint64_t round) {
    return action.round == round &&
           (action.state == ActionState::held || action.state == ActionState::would_send ||
            action.state == ActionState::failed);
}

std::string end_of(const OpenAction& action) {
    const ActionState how = action.undoing ? action.ended : action.state;
    std::string text = name_of(action) + " of round " + std::to_string(action.round) + " ";
    text += how == ActionState::confirmed ? "is over" : "ended: " + std::string(enum_name(how));
    if (action.undoing && !action.undo.empty()) text += ", undone";
    return action.note.empty() ? text : text + " (" + action.note + ")";
}

bool has(const std::vector<Disagreement>& all, const Disagreement& one) {
    return std::ranges::any_of(all, [&](const Disagreement& each) {
        return each.kind == one.kind && each.about == one.about;
    });
}

std::string node_change(const NodeRow* before, const NodeRow* now) {
    if (now == nullptr) return before->id.text() + " is gone";
    if (before == nullptr || before->uid != now->uid) return now->id.text() + " is new";
    const std::string name = now->id.text();
    if (before->power != now->power) return name + " is " + power_text(now->power);
    if (before->ready == now->ready) return {};
    return name + (now->ready == Readiness::yes ? " is Ready" : " is not Ready");
}

}  // namespace

std::string json_line(const Event& event, bool simulated) {
    std::string out = "{\"time\":";
    append_json(out, event.time);
    out += ",\"at\":";
    append_json_text(out, when(event.time, simulated));
    out += ",\"round\":" + std::to_string(event.round) + ",\"kind\":";
    append_json(out, event.kind);
    out += ",\"stage\":\"live_kubernetes_loop\",\"message\":";
    append_json_text(out, event.message);
    return out + ",\"data\":" + event.data + "}";
}

Event score_event(const ClosedScore& score, TimePoint now, std::uint64_t round) {
    const std::string what = wish_text(score.action, score.target);
    return {now, round, EventKind::score, what + ": " + score_line(score), to_json(score)};
}

void Teller::add(EventKind kind, std::string message, std::string data) {
    out_.push_back({now_, round_, kind, std::move(message), std::move(data)});
}

void Teller::stages(const std::vector<store::StageNote>& stages) { stages_ = stages; }

void Teller::tell_prepared() {
    if (stages_ == told_stages_) return;
    for (const store::StageNote& stage : stages_) {
        if (std::ranges::count(told_stages_, stage) > 0) continue;
        add(EventKind::stage,
            stage.name + " " + std::string(enum_name(stage.status)) + ": " + stage.detail,
            to_json(stage));
    }
    told_stages_ = stages_;
}

void Teller::tell_stage(const Told& told) {
    const Controls& controls = told.input.controls;
    std::string mode = mode_text(controls.mode, controls.simulated);
    if (!begun_) {
        add(EventKind::stage, "live loop began, profile " +
                                  std::string(enum_name(told.policy.profile)) + ", mode " + mode);
    } else if (mode != mode_) {
        add(EventKind::stage, "mode is now " + mode);
    }
    mode_ = std::move(mode);
    if (controls.stop && !stopped_) add(EventKind::stage, "stopped: nothing is sent any more");
    if (!controls.stop && stopped_) {
        const auto known = controls.simulated ? std::nullopt : std::optional(told.input.now);
        add(EventKind::stage, "the stop was lifted" + (lifted ? lifted(known) : std::string()));
    }
    stopped_ = controls.stop;
    tell_ledger(controls);
}

void Teller::tell_ledger(const Controls& controls) {
    const bool unread = !controls.ledger_unread.empty();
    if (unread && !unread_) add(EventKind::stage, controls.ledger_unread);
    if (!unread && unread_) add(EventKind::stage, "the ledger can be read again");
    unread_ = unread;
    if (!controls.ledger_unstored.empty()) {
        add(EventKind::stage, "in the round before: " + controls.ledger_unstored);
    }
}

void Teller::tell_sources(const Told& told) {
    const auto words = source_words(told.input);
    for (const SourceState& state : told.input.snapshot.sources) {
        const auto before = sources_.find(state.source);
        const bool known = before != sources_.end();
        const bool good = state.condition == SourceCondition::ok;
        const bool off = state.condition == SourceCondition::off;
        const bool changed = known ? before->second != state.condition : !good && !off;
        sources_[state.source] = state.condition;
        if (!changed) continue;
        const auto word = std::ranges::find(words, state.source, &SourceWord::source);
        const std::string name(enum_name(state.source));
        const std::string text = word != words.end() ? word->text : name + " is off";
        add(EventKind::source, good ? text + ", ok again" : text, to_json(state));
    }
}

void Teller::tell_cluster(const Told& told) {
    const Table<NodeRow>& nodes = told.input.snapshot.nodes;
    std::vector<std::string> changes;
    const Slot end = std::max(nodes.end_slot(), nodes_.end_slot());
    for (Slot slot = 0; begun_ && slot < end; ++slot) {
        const NodeRow* before = nodes_.find(slot);
        const NodeRow* now = nodes.find(slot);
        if (before == nullptr && now == nullptr) continue;
        std::string change = node_change(before, now);
        if (!change.empty()) changes.push_back(std::move(change));
    }
    if (!begun_) add(EventKind::cluster, cluster_line(told));
    for (std::size_t i = 0; i < changes.size() && i < kNodesTold; ++i) {
        add(EventKind::cluster, changes[i]);
    }
    if (changes.size() > kNodesTold) {
        add(EventKind::cluster,
            "and " + std::to_string(changes.size() - kNodesTold) + " more nodes changed");
    }
    nodes_ = nodes;
}

void Teller::tell_exercise(const Told& told) {
    const auto& stimulus = told.input.snapshot.stimulus;
    std::string phase =
        stimulus ? stimulus->phase.str() + std::to_string(stimulus->since.us) + stimulus->text
                 : std::string();
    if (stimulus && phase != phase_) {
        std::string text = stimulus->phase.str() + ": " + stimulus->text;
        if (!stimulus->intent.empty()) text += "; meant " + intent_text(stimulus->intent);
        add(EventKind::exercise, std::move(text), to_json(*stimulus));
    } else if (!stimulus && !phase_.empty()) {
        add(EventKind::exercise, "the exerciser is done");
    }
    phase_ = std::move(phase);
}

void Teller::tell_decision(const Told& told) {
    std::string text = decision_line(told.decision);
    if (text != decision_) add(EventKind::decision, text, to_json(data_of(told.decision)));
    decision_ = std::move(text);
    would_.clear();
    for (const Step& step : told.decision.first_steps) {
        const OpenAction& action = step.action;
        if (shelved(action, told.decision.round)) {
            tell_shelved(Follower(action), told.input.controls.simulated);
            if (action.state == ActionState::would_send) would_.emplace_back(action);
            continue;
        }
        const bool known = std::ranges::any_of(
            open_, [&](const OpenOne& one) { return one.follower.id() == action.id; });
        if (known) continue;
        const Follower follower(action);
        // Who gives Jobs back changes nothing else that would be told of.
        open_.push_back({follower, {}, frees(action) ? std::string() : steps_of(follower)});
    }
}

void Teller::tell_shelved(const Follower& follower, bool simulated) {
    const std::string text = progress_of(follower, simulated);
    std::string said = without_digits(text);
    if (said != shelved_) add(EventKind::execution, text, to_json(data_of(follower)));
    shelved_ = std::move(said);
}

/// Tells what the dry runs of those actions were answered that would begin.
void Teller::tell_rehearsed(std::span<const ActionEvent> events) {
    for (Follower& follower : would_) {
        for (const ActionEvent& event : events) follower.take(event);
        const std::string tried = follower.rehearsed();
        if (tried.empty()) continue;
        add(EventKind::execution, name_of(follower.action()) + ": dry run: " + tried,
            to_json(data_of(follower)));
    }
    would_.clear();
}

void Teller::tell_progress(const Told& told, std::span<const ActionEvent> events) {
    for (OpenOne& one : open_) {
        for (const ActionEvent& event : events) one.follower.take(event);
        const std::string text = progress_of(one.follower, told.input.controls.simulated);
        std::string said = without_digits(text);
        std::string steps = steps_of(one.follower);
        const bool stopped = stands(one.follower.state()) && said != one.said;
        if (text.empty() || (!stopped && steps == one.steps)) continue;
        add(EventKind::execution, text, to_json(data_of(one.follower)));
        one.said = std::move(said);
        one.steps = std::move(steps);
    }
}

void Teller::tell_ended(const Told& told) {
    for (const Step& step : told.decision.first_steps) {
        for (OpenOne& one : open_) one.follower.meet(step.action);
    }
    for (const OpenAction& ended : told.decision.ended) {
        const auto one = std::ranges::find_if(
            open_, [&](const OpenOne& each) { return each.follower.id() == ended.id; });
        Follower follower = one != open_.end() ? one->follower : Follower(ended);
        follower.meet(ended);
        add(EventKind::execution, end_of(ended), to_json(data_of(follower)));
        if (one != open_.end()) open_.erase(one);
    }
}

void Teller::tell_scores(const Told& told) {
    for (const ClosedScore& score : told.decision.closed) {
        out_.push_back(score_event(score, now_, round_));
    }
}

void Teller::tell_alarms(const Told& told) {
    for (const Alarm& alarm : told.decision.alarms) {
        if (!has_alarm(alarms_, alarm)) add(EventKind::alarm, alarm_text(alarm), to_json(alarm));
    }
    for (const Alarm& alarm : alarms_) {
        if (has_alarm(told.decision.alarms, alarm)) continue;
        add(EventKind::alarm, "cleared: " + alarm.sentence, to_json(alarm));
    }
    alarms_ = told.decision.alarms;
}

/// Figures in a sentence change every round; that alone is not news.
void Teller::tell_disagreements(const Told& told) {
    const auto& now = told.decision.disagreements;
    const auto data = [&](const Disagreement& each) {
        return to_json(DisagreementData{each.kind, each.about, layer_of(each, told.decision)});
    };
    for (const Disagreement& each : now) {
        if (has(disagreements_, each)) continue;
        add(EventKind::disagreement, disagreement_text(each, told.decision), data(each));
    }
    for (const Disagreement& each : disagreements_) {
        if (has(now, each)) continue;
        add(EventKind::disagreement, "cleared: " + each.sentence, data(each));
    }
    disagreements_ = now;
}

std::vector<Event> Teller::tell(const Told& told) {
    out_.clear();
    now_ = told.input.now;
    round_ = told.decision.round;
    tell_prepared();
    tell_stage(told);
    tell_sources(told);
    tell_cluster(told);
    tell_exercise(told);
    if (source_ == EventSource::input) {
        tell_rehearsed(told.input.events);
        tell_progress(told, told.input.events);
    }
    tell_ended(told);
    tell_scores(told);
    tell_decision(told);
    if (source_ == EventSource::record) tell_rehearsed(told.events);
    tell_progress(told,
                  source_ == EventSource::record ? told.events : std::span<const ActionEvent>());
    tell_alarms(told);
    tell_disagreements(told);
    begun_ = true;
    return std::exchange(out_, {});
}

}  // namespace parley::explanation
