#include "apps/running/screen_model.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/telling/follow.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/stages.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace parley::app {
namespace {

constexpr std::size_t kEventsKept = 100;
constexpr std::size_t kEventsShown = 30;
constexpr std::size_t kNodesKept = 60;
constexpr std::size_t kStripKept = 500;

explanation::Told told(const RoundFacts& facts, const model::Policy& policy) {
    return {facts.input, facts.decision, policy, {}, &facts.memory};
}

/// To the second: rounds are seconds apart, and the record has the rest.
std::string time_of(const RoundFacts& facts, TimePoint time) {
    const TimePoint second{time.us - time.us % seconds(1).us};
    return explanation::when(second, facts.input.controls.simulated);
}

std::string joined(const std::vector<std::string>& parts, const std::string& glue) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : glue) + part;
    return text;
}

/// The sentence and, on the line below, who lost.
void sentence(const RoundFacts& facts, const model::Policy& policy, ScreenModel& model) {
    model.headline = explanation::headline(facts.decision);
    explanation::Reason full = explanation::reason_of(facts.decision);
    explanation::Reason brief = explanation::brief_reason_of(told(facts, policy));
    model.reason = {std::move(brief.why), std::move(full.why)};
    model.overruled = std::move(full.overruled);
}

void agents(const RoundFacts& facts, const model::Policy& policy, ScreenModel& model) {
    model::PerRole<bool> spoke;
    for (const explanation::AgentRow& row : explanation::agent_rows(told(facts, policy))) {
        spoke[row.role] = true;
        const std::string guard = row.guard.empty() ? "" : ", guard " + row.guard;
        model.agents.push_back({.letter = model::letter_of(row.role),
                                .title = row.agent,
                                .won = row.outcome == explanation::Outcome::accepted ||
                                       row.outcome == explanation::Outcome::would,
                                .wanted = row.wanted,
                                .score = row.score,
                                .evidence = row.evidence,
                                .acts = row.acts,
                                .result = {row.result, row.result + guard}});
    }
    const std::string text = "skipped: not in this build";
    for (const model::Role role : model::kRoles) {
        if (spoke[role] || model::in_this_build(role)) continue;
        model.agents.push_back({.letter = model::letter_of(role),
                                .title = std::string(model::title_of(role)),
                                .wanted = "-",
                                .score = "-",
                                .evidence = "-",
                                .acts = "-",
                                .result = {text, text}});
    }
}

/// Within ten minutes, as the predictor counts them.
int recent_restarts(const RoundFacts& facts, const std::string& name) {
    const Slot slot = explanation::slot_of(facts.input.snapshot, model::NodeId{Name::of(name)});
    const model::NodeFold* fold = facts.memory.derived.nodes.find(slot);
    if (fold == nullptr) return 0;
    int count = 0;
    for (const model::RestartSeen& seen : fold->restarts) {
        if (seen.count > 0 && facts.input.now - seen.at <= minutes(10)) count += seen.count;
    }
    return count;
}

void nodes(const RoundFacts& facts, const model::Policy& policy, ScreenModel& model) {
    model.risks = explanation::risk_line(told(facts, policy));
    int without = 0;
    for (const auto& word : explanation::nodes_worth_a_look(told(facts, policy), kNodesKept)) {
        if (!word.measured) ++without;
        const std::string sign = word.pays ? " > " : " < ";
        model.nodes.push_back({.name = word.node,
                               .ready_for = word.ready,
                               .lease = word.lease,
                               .cpu = word.cpu,
                               .memory = word.memory,
                               .restarts = std::to_string(recent_restarts(facts, word.node)),
                               .differs = word.differs,
                               .risk = word.risk,
                               .risk_value = word.risk_value,
                               .acts_above = word.limit,
                               .weighed = word.weighed ? word.waiting + sign + word.acting : "-"});
    }
    model.nodes_all = static_cast<int>(facts.input.snapshot.nodes.size());
    model.other_nodes =
        without == 0 ? "nothing missing" : std::to_string(without) + " nodes without usage";
}

std::string open_text(const RoundFacts& facts, const model::OpenAction& open) {
    std::string text = explanation::wish_text(open.action, open.target) + ": ";
    if (open.undoing) return text + "being undone";
    const explanation::Follower follower(open);
    const bool confirmed = open.state == model::ActionState::confirmed;
    text += confirmed && follower.done() == follower.total() ? "done" : follower.tally("sent");
    if (!confirmed) text += ", " + std::string(enum_name(open.state));
    if (open.expires > TimePoint{}) text += ", expires " + time_of(facts, open.expires);
    return text;
}

void alarm(const RoundFacts& facts, ScreenModel& model) {
    if (facts.decision.alarms.empty()) return;
    const model::Alarm& first = facts.decision.alarms.front();
    const std::size_t others = facts.decision.alarms.size() - 1;
    const std::string more = others > 0 ? " (and " + std::to_string(others) + " more)" : "";
    model.alarm = {explanation::without_stop(first.sentence) + more,
                   explanation::alarm_text(first) + more};
}

}  // namespace

ScreenHistory::ScreenHistory(RunFacts run) : run_(std::move(run)) {}

void ScreenHistory::execution(const RoundFacts& facts, ScreenModel& model) {
    std::vector<std::string> open;
    for (const model::OpenAction& action : facts.memory.ledger.open) {
        const bool over = model::is_final(action.state) && !action.undoing &&
                          action.state != model::ActionState::confirmed;
        if (!over) open.push_back(open_text(facts, action));
    }
    model.sent = open.empty() ? "nothing open" : joined(open, "   ");
    if (!facts.trouble.empty()) model.sent = "NOTHING SENT: " + facts.trouble;

    for (const model::ClosedScore& closed : facts.decision.closed) {
        last_score_ = explanation::score_line(closed);
    }
    std::string score = last_score_.empty() ? "not yet measured" : last_score_;
    if (const auto& reward = facts.decision.score.prototype) {
        score = "A " + signed_fixed(reward->safety, 1) + "  B " +
                signed_fixed(reward->efficiency, 1) + "  C " + signed_fixed(reward->admission, 1) +
                "  total " + signed_fixed(reward->total, 1) + " (the prototype's reward)";
    }
    const model::Derived& derived = facts.memory.derived;
    std::optional<TimePoint> next;
    for (const model::Window& window : derived.windows) {
        if (window.confirmed) next = std::min(next.value_or(window.closes), window.closes);
    }
    if (next) score += "; next at " + time_of(facts, *next);
    // Of a simulated cluster the scores of actions say more.
    if (!facts.input.controls.simulated) {
        score += "; this round " + explanation::round_score_line(facts.decision.score);
    }
    const std::string few = model::too_little_read(derived.leaves, derived.missing);
    if (few.empty()) {
        model.score = {score, score};
    } else {
        model.score = {score + "; costs not known", score + "; costs are not known: " + few};
    }
}

void ScreenHistory::compare(ScreenModel& model) const {
    if (models_.empty()) return;
    const ScreenModel& before = models_.back();
    for (AgentLine& is : model.agents) {
        const auto was = std::ranges::find(before.agents, is.letter, &AgentLine::letter);
        if (was == before.agents.end()) continue;
        const bool same = was->wanted == is.wanted && was->score == is.score &&
                          was->result.brief == is.result.brief;
        if (!same) is.was = was->wanted + " " + was->score + ", " + was->result.brief;
    }
    std::map<std::string, std::string> risks;
    for (const NodeLine& node : before.nodes) risks[node.name] = node.risk;
    for (NodeLine& node : model.nodes) {
        const auto was = risks.find(node.name);
        if (was != risks.end() && was->second != node.risk) node.was = was->second;
    }
}

std::vector<EventLine> ScreenHistory::events(const RoundFacts& facts) {
    const std::string time = time_of(facts, facts.input.now);
    std::vector<EventLine> lines;
    const auto add = [&](const char* kind, const std::string& text) {
        lines.push_back({time, kind, text});
    };
    if (facts.leading &&
        !(last_leading_ && explanation::same_leader(*last_leading_, *facts.leading))) {
        add("leader", explanation::leading_text(*facts.leading));
    }
    last_leading_ = facts.leading;
    if (!facts.remark.empty() && facts.remark != last_remark_) add("error", facts.remark);
    last_remark_ = facts.remark;
    const model::Controls& controls = facts.input.controls;
    if (controls.stop != stopped_) {
        add("switch", controls.stop ? "the kill switch was pressed: nothing is sent any more"
                                    : "the kill switch was cleared");
    }
    stopped_ = controls.stop;
    std::string decision = explanation::decision_line(facts.decision);
    const bool only_would = controls.mode != model::Mode::act;
    if (only_would && !facts.decision.verdict.accepted.empty()) decision = "would: " + decision;
    if (decision != last_decision_) add("decision", decision);
    last_decision_ = decision;
    if (!facts.trouble.empty()) add("error", facts.trouble);
    for (const model::ClosedScore& closed : facts.decision.closed) {
        add("score", explanation::score_line(closed));
    }
    if (const auto& stimulus = facts.input.snapshot.stimulus) {
        // Its text changes as its effect becomes known.
        std::string said = stimulus->phase.str() + ": " + stimulus->text;
        if (said != last_exercise_) add("exercise", said);
        last_exercise_ = std::move(said);
    }
    for (const model::SourceState& state : facts.input.snapshot.sources) {
        const auto was =
            std::ranges::find(last_sources_, state.source, &model::SourceState::source);
        const bool as_usual = state.condition == model::SourceCondition::ok ||
                              state.condition == model::SourceCondition::off;
        // In the first round, only sources that are not ok are news.
        if (was == last_sources_.end() ? as_usual : was->condition == state.condition) continue;
        add("source", std::string(enum_name(state.source)) + " " +
                          std::string(enum_name(state.condition)) +
                          (state.reason.empty() ? "" : ": " + state.reason));
    }
    last_sources_ = facts.input.snapshot.sources;
    const auto same_as = [](const model::Alarm& a) {
        return [&a](const model::Alarm& b) {
            // Every time that our clock is set is news.
            const bool same = a.kind != model::AlarmKind::clock_stepped || a.sentence == b.sentence;
            return a.kind == b.kind && a.about == b.about && same;
        };
    };
    bool raised = false;
    for (const model::Alarm& now : facts.decision.alarms) {
        if (std::ranges::any_of(last_alarms_, same_as(now))) continue;
        add("alarm", explanation::alarm_text(now));
        raised = true;
    }
    for (const model::Alarm& old : last_alarms_) {
        if (std::ranges::any_of(facts.decision.alarms, same_as(old))) continue;
        add("alarm", "cleared: " + old.sentence);
    }
    last_alarms_ = facts.decision.alarms;
    const bool overruled = facts.decision.verdict.contest == model::Contest::contested;
    if (raised || overruled) landmarks_.push_back(facts.input.round);
    return lines;
}

std::vector<EventLine> ScreenHistory::add(const RoundFacts& facts) {
    const model::Controls& controls = facts.input.controls;
    ScreenModel model{.round = facts.input.round, .run = run_.name};
    model.mode = explanation::mode_text(controls.mode, controls.simulated);
    if (facts.leading) {
        // A follower's rounds are in mode dry-run, and its run is in mode act.
        model.mode = explanation::mode_text(model::Mode::act, controls.simulated) + ", " +
                     explanation::leading_word(*facts.leading);
        model.leader = {explanation::leading_text(*facts.leading),
                        explanation::leading_line(*facts.leading)};
    }
    model.profile = std::string(enum_name(run_.policy.profile));
    model.time = time_of(facts, facts.input.now);
    model.pace = facts.pace;
    model.address = run_.address;
    model.folder = run_.folder.empty() ? "not recorded" : run_.folder;
    sentence(facts, run_.policy, model);
    agents(facts, run_.policy, model);
    nodes(facts, run_.policy, model);
    execution(facts, model);
    model.cluster = {explanation::cluster_line(told(facts, run_.policy)),
                     explanation::cluster_line(told(facts, run_.policy))};
    const std::string sources = explanation::sources_line(facts.input);
    model.sources = {sources, sources};
    model.stages = {explanation::stages_line(run_.stages, false),
                    explanation::stages_line(run_.stages, true)};
    model.assumed = joined(explanation::assumed(told(facts, run_.policy)), "   ");
    if (model.assumed.empty()) model.assumed = "nothing";
    alarm(facts, model);
    strip_ += explanation::strip_letter(facts.decision.verdict);
    model.strip = strip_.substr(strip_.size() - std::min(strip_.size(), kStripKept));
    const std::vector<EventLine> fresh = events(facts);
    events_.insert(events_.begin(), fresh.begin(), fresh.end());
    if (events_.size() > kEventsKept) events_.resize(kEventsKept);
    const auto shown = static_cast<std::ptrdiff_t>(std::min(events_.size(), kEventsShown));
    model.events.assign(events_.begin(), events_.begin() + shown);
    compare(model);
    models_.push_back(std::move(model));
    if (models_.size() > kKept) models_.pop_front();
    return fresh;
}

ScreenModel ScreenHistory::at(std::uint64_t round) const {
    const std::uint64_t kept = std::clamp(round, first(), newest());
    ScreenModel model = models_[static_cast<std::size_t>(kept - first())];
    if (kept != newest()) {
        const auto rounds = static_cast<std::int64_t>(newest() - kept);
        model.past = "Round " + std::to_string(kept) + ", " + print_age(run_.interval * rounds) +
                     " before the newest (" + std::to_string(newest()) +
                     "); everything as it was known then";
    }
    return model;
}

std::uint64_t ScreenHistory::landmark(std::uint64_t round, bool forward) const {
    if (forward) {
        const auto after = std::ranges::upper_bound(landmarks_, round);
        return after == landmarks_.end() ? round : *after;
    }
    const auto from = std::ranges::lower_bound(landmarks_, round);
    return from == landmarks_.begin() ? round : *std::prev(from);
}

}  // namespace parley::app
