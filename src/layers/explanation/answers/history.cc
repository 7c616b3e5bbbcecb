#include "layers/explanation/answers/history.h"

#include "base/number.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/telling/narrator.h"
#include "layers/explanation/telling/surroundings.h"
#include "layers/explanation/wording/wording.h"

#include <algorithm>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

constexpr std::size_t kNamesMax = 10'000;  // Jobs come and go; more names than this do not help.

std::string condition_of(const NodeRow& node) {
    if (node.power != Power::on) return power_text(node.power);
    std::string text = node.ready == Readiness::yes ? "Ready" : "not Ready";
    if (node.cordoned || node.maintenance) text += ", under maintenance";
    if (node.left_alone) text += ", asks to be left alone";
    if (node.quarantined) text += ", quarantined by us";
    if (node.avoided) text += ", avoided by us";
    return text;
}

std::string risk_of(const NodeForecast& believed) {
    if (!believed.risk) return "risk unknown";
    const auto [risk, limit] = beside(*believed.risk, believed.limit);
    if (never_reached(*believed.risk, believed.limit)) {
        return "risk " + risk + " (acting would not pay)";
    }
    return "risk " + risk + " (acts above " + limit + ")";
}

const WorkloadId* workload_of(const Request& request) {
    if (const auto* replicas = std::get_if<SetReplicas>(&request)) return &replicas->workload;
    if (const auto* limit = std::get_if<SetCpuLimit>(&request)) return &limit->workload;
    if (const auto* memory = std::get_if<SetMemoryRequest>(&request)) return &memory->workload;
    return nullptr;
}

/// Of a request that takes a pod away or changes what it gets; null: it is none.
const Uid* pod_of(const Request& request) {
    if (const auto* evict = std::get_if<EvictPod>(&request)) return &evict->pod;
    if (const auto* resize = std::get_if<ResizePod>(&request)) return &resize->pod;
    return nullptr;
}

/// "evict web-1, evict web-2 and 3 more".
std::string some_of(const std::vector<std::string>& requests) {
    constexpr std::size_t kNamed = 4;
    if (requests.size() <= kNamed) return listed(requests);
    std::vector<std::string> named(requests.begin(), requests.begin() + kNamed);
    named.push_back(std::to_string(requests.size() - kNamed) + " more");
    return listed(named);
}

/// The part that stays the same while ages and figures change.
std::string fate_key(const Judged& judged) {
    std::string key = text_of(judged.proposal.action) + std::to_string(judged.fate.index());
    if (const auto* lost = std::get_if<Overridden>(&judged.fate)) key += lost->rule;
    if (const auto* refused = std::get_if<Refused>(&judged.fate)) key += refused->rule;
    return key;
}

}  // namespace

void History::add(std::string text, Tells tells) {
    WhyMoment moment{round_, at_, std::move(text)};
    if (first_.size() < kFirstMoments) {
        first_.push_back(std::move(moment));
        return;
    }
    last_.push_back({std::move(moment), tells});
    if (last_.size() <= kLastMoments) return;
    const auto standing = std::ranges::find(last_, Tells::how_it_stands, &Kept::tells);
    last_.erase(standing != last_.end() ? standing : last_.begin());
    ++left_out_;
}

void History::add_if_new(const std::string& topic, const std::string& key, std::string text,
                         Tells tells) {
    std::string& told = told_[topic];
    if (told == key) return;
    told = key;
    if (!text.empty()) add(std::move(text), tells);
}

void History::take_node(const store::RoundRecord& record, const Past& past) {
    const Snapshot& snapshot = record.input.snapshot;
    Slot slot = kNoSlot;
    snapshot.nodes.for_each([&](Slot at, const NodeRow& node) {
        if (at >= named_.size()) named_.resize(at + 1);
        if (named_[at] != node.id.name) {
            named_[at] = node.id.name;
            if (names_.size() < kNamesMax) names_.insert(node.id.text());
        }
        if (node.id.name == interned_) slot = at;
    });
    const NodeRow* node = snapshot.nodes.find(slot);
    const NodeForecast* believed = forecast_of(record.decision.forecast, slot);
    if (node == nullptr || believed == nullptr) {
        if (seen() && !snapshot.nodes.empty()) add_if_new("node", "gone", name_ + " is gone");
        return;
    }
    const bool over = believed->risk && *believed->risk > believed->limit;
    over_ += over ? 1 : 0;
    if (believed->risk && (!highest_ || *believed->risk > *highest_)) {
        highest_ = believed->risk;
        highest_round_ = round_;
    }
    std::string text = condition_of(*node) + ", " + risk_of(*believed);
    const auto words = past.words(record.input, record.decision.forecast, *believed);
    if (!words.empty()) text += ": " + listed(words);
    now_ = text;
    const std::string key = condition_of(*node) + std::to_string(believed->spoke.bits) +
                            (over ? "over" : "") + (believed->risk ? "" : "unknown");
    add_if_new("node", key, std::move(text), Tells::how_it_stands);
}

void History::take_workload(const store::RoundRecord& record) {
    const Snapshot& snapshot = record.input.snapshot;
    bool there = false;
    Slot mine_at = kNoSlot;
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        std::string name = row.id.text();
        const bool mine = name == name_;
        if (mine || names_.size() < kNamesMax) names_.insert(std::move(name));
        if (!mine) return;
        there = true;
        now_ = std::to_string(row.ready) + " of " + std::to_string(row.wanted) + " ready" +
               (row.pending > 0 ? ", " + std::to_string(row.pending) + " pending" : "");
        mine_at = slot;
    });
    if (there) {
        std::string key = now_;
        for (const PendingGroup& group : snapshot.pending) {
            if (group.workload != mine_at || group.count <= 0) continue;
            key += std::to_string(group.causes.bits);  // A longer wait alone is nothing new.
            now_ += "; " + waiting_of(snapshot, group, record.input.now).what;
        }
        add_if_new("workload", key, now_, Tells::how_it_stands);
    }
    if (!there && seen() && !snapshot.workloads.empty()) {
        add_if_new("workload", "gone", name_ + " is gone");
    }
    for (const Step& step : record.decision.first_steps) {
        const OpenAction& action = step.action;
        if (action.round != record.decision.round) continue;
        for (const PlannedStep& planned : action.plan) {
            const WorkloadId* id = workload_of(planned.request);
            if (id == nullptr || id->text() != name_) continue;
            ++actions_;
            acted_ = round_;
            add(wish_text(action.action, action.target) + " plans " + text_of(planned.request));
        }
        plan_on_pods(action, snapshot, mine_at);
    }
    follow_pods(record);
}

void History::plan_on_pods(const OpenAction& action, const Snapshot& snapshot, Slot workload) {
    const bool known = std::ranges::any_of(
        on_pods_, [&](const OnPods& one) { return one.follower.id() == action.id; });
    if (workload == kNoSlot || known) return;
    std::set<Uid> mine;
    snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        if (pod.workload == workload) mine.insert(pod.uid);
    });
    OnPods one{Follower(action), {}};
    std::vector<std::string> requests;
    for (std::size_t i = 0; i < action.plan.size(); ++i) {
        const Uid* pod = pod_of(action.plan[i].request);
        if (pod == nullptr || !mine.contains(*pod)) continue;
        one.steps.push_back(i);
        requests.push_back(text_of(action.plan[i].request));
    }
    if (requests.empty()) return;
    ++actions_;
    acted_ = round_;
    add(wish_text(action.action, action.target) + " plans " + some_of(requests));
    if (action.state == ActionState::planned) on_pods_.push_back(std::move(one));
}

void History::follow_pods(const store::RoundRecord& record) {
    for (OnPods& one : on_pods_) {
        for (const Step& step : record.decision.first_steps) one.follower.meet(step.action);
    }
    for (const OpenAction& ended : record.decision.ended) {
        const auto one = std::ranges::find_if(
            on_pods_, [&](const OnPods& each) { return each.follower.id() == ended.id; });
        if (one == on_pods_.end()) continue;
        one->follower.meet(ended);
        tell_pods(*one, true);
        on_pods_.erase(one);
    }
    for (OnPods& one : on_pods_) {
        for (const ActionEvent& event : record.events) one.follower.take(event);
    }
}

/// Those that were sent show in how the workload stands; those that were not show nowhere else.
void History::tell_pods(const OnPods& one, bool over) {
    const auto steps = one.follower.steps();
    std::vector<std::string> unsent;
    for (const std::size_t i : one.steps) {
        if (i < steps.size() && !steps[i].sent) unsent.push_back(steps[i].request);
    }
    if (unsent.empty()) return;
    const OpenAction& action = one.follower.action();
    add(wish_text(action.action, action.target) + " of round " + std::to_string(action.round) +
        (over ? " is over; never sent: " : " goes on; not sent yet: ") + some_of(unsent) +
        (action.note.empty() ? "" : " (" + action.note + ")"));
}

void History::take_decision(const store::RoundRecord& record, const Policy& policy) {
    const Told told{record.input, record.decision, policy, record.events};
    for (const Judged& judged : record.decision.verdict.judged) {
        const Proposal& p = judged.proposal;
        const std::string topic(title_of(p.role));
        if (!concerns(p.target) || changes_nothing(p.action)) {
            told_.erase(topic);
            continue;
        }
        names_.insert(name_);
        const bool accepted = std::holds_alternative<Accepted>(judged.fate);
        if (accepted) {
            ++actions_;
            acted_ = round_;
        }
        std::string result;
        for (JudgedRow& each : judged_rows(told)) {
            if (each.judged == &judged) result = std::move(each.row.result);
        }
        // Every acceptance is a separate action.
        const std::string key = fate_key(judged) + (accepted ? std::to_string(round_) : "");
        add_if_new(topic, key, topic + " wanted " + text_of(p.action) + ": " + result);
    }
    for (const OpenAction& ended : record.decision.ended) {
        if (!concerns(ended.target)) continue;
        add(text_of(ended.action) + " of round " + std::to_string(ended.round) + " is over" +
            (ended.note.empty() ? "" : ": " + ended.note));
    }
    for (const ClosedScore& score : record.decision.closed) {
        if (concerns(score.target))
            add("score of " + text_of(score.action) + ": " + score_line(score));
    }
    for (const Disagreement& each : record.decision.disagreements) {
        if (each.kind != DisagreementKind::mark_foreign || !concerns(each.about)) continue;
        add_if_new("mark", each.sentence, disagreement_text(each, record.decision));
    }
    for (const Alarm& alarm : record.decision.alarms) {
        if (concerns(alarm.about)) {
            add_if_new("alarm", std::string(enum_name(alarm.kind)), "alarm: " + alarm_text(alarm));
        }
    }
}

void History::take(const store::RoundRecord& record, const Policy& policy, const Past& past) {
    round_ = record.decision.round;
    const bool kept = record.input.now != TimePoint{};  // A record of decisions holds no time.
    at_ = kept ? when(record.input.now, record.input.controls.simulated) : "?";
    ++rounds_;
    about_ == About::node ? take_node(record, past) : take_workload(record);
    take_decision(record, policy);
}

void History::end(const std::vector<OpenScore>& open, const Ending& ending) {
    for (const OnPods& one : on_pods_) tell_pods(one, false);
    for (const OpenScore& each : open) {
        if (!concerns(each.target)) continue;
        add("score of " + text_of(each.action) + ": " + score_line(unfinished(each, ending)));
    }
}

std::string History::summary() const {
    std::string text = name_ + ": ";
    if (highest_) {
        text += "highest risk " + share_text(*highest_) + " in round " +
                std::to_string(highest_round_) + ", over its own limit in " +
                thousands(static_cast<std::int64_t>(over_)) + " of " +
                counted(static_cast<std::int64_t>(rounds_), "round") + "; ";
    }
    text += actions_ == 0 ? "nothing was done about it"
                          : counted(static_cast<std::int64_t>(actions_), "action") +
                                (about_ == About::node ? "" : " touched it");
    if (!now_.empty()) text += "; in round " + std::to_string(round_) + " " + now_;
    return text + ".";
}

std::vector<WhyMoment> History::moments() const {
    std::vector<WhyMoment> all = first_;
    for (const Kept& each : last_) all.push_back(each.moment);
    return all;
}

std::string not_observed(const std::string& kind, const std::string& name) {
    return "this record holds no observed " + kind +
           "s (it was made with --record decisions), and no proposal in it names " +
           in_quotes(name);
}

std::string History::unknown(bool observed) const {
    const std::string kind = about_ == About::node ? "node" : "workload";
    if (!observed) return not_observed(kind, name_);
    std::string text = "this run has no " + kind + " called " + in_quotes(name_);
    const std::vector<std::string> names(names_.begin(), names_.end());
    std::string nearest = nearest_name(name_, names);
    // The last part of a name alone, such as "web" of "shop/web".
    const auto whole = std::ranges::find_if(
        names, [&](const std::string& each) { return each.ends_with("/" + name_); });
    if (whole != names.end()) nearest = *whole;
    if (!nearest.empty()) return text + "; did you mean " + nearest + "?";
    if (names.empty()) return text + "; its record names none";
    return text + "; it has " + counted(std::ssize(names), kind) + ", such as " + names.front();
}

}  // namespace parley::explanation
