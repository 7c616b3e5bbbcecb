#include "layers/explanation/answers/course.h"

#include "base/number.h"
#include "base/time_text.h"
#include "layers/explanation/alarms/disagreements.h"
#include "layers/explanation/telling/follow.h"
#include "layers/explanation/wording/alarm_count.h"
#include "layers/explanation/wording/wording.h"
#include "model/per_role.h"
#include "store/run_reader.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace parley::explanation {

using namespace model;

namespace {

bool is_stuck(ActionState state) {
    return state == ActionState::held || state == ActionState::blocked ||
           state == ActionState::unknown;
}

std::string name_of(const OpenAction& action) {
    return wish_text(action.action, action.target) + " of round " + std::to_string(action.round);
}

std::string suspected(std::string text) { return std::move(text) + "; suspect " + layer_text(5); }

/// The remedy that would gain most by default settings: the setting in force may be what prevented
/// it.
ActionKind best_remedy(const NodeForecast& node) {
    const auto gain = [&](const Remedy& remedy) {
        return gain_of(remedy, *node.risk, node.loss, StakesRules{}.margin);
    };
    return std::ranges::max_element(node.remedies, {}, gain)->kind;
}

/// "most 9 pods short of room, in round 2". Agent C does not look at namespaces that are left out,
/// so those pods are never added to the ones that it counts.
std::string shortage_text(const ShortOfRoom& pods, std::uint64_t round) {
    const bool none = pods.watched == 0;
    std::string text = "most " + counted(none ? pods.left_out : pods.watched, "pod") +
                       " short of room, in round " + std::to_string(round);
    if (pods.left_out == 0) return text;
    text += none ? ", all" : ", and " + thousands(pods.left_out);
    return text + " in namespaces that policy.namespaces leaves out";
}

/// What an agent wanted and did not get.
struct Wanted {
    std::int64_t rounds = 0;
    Proposal most;  ///< That with the highest score.
    std::uint64_t round = 0;
};

/// One pass over a run.
class Walk {
public:
    /// Keeps the reference.
    explicit Walk(const store::RunHeader& header) : header_(header) {}

    void take(const RoundInput& input, const Decision& decision) {
        now_ = input.now;
        if (decision.verdict.contest == Contest::contested && !decision.verdict.accepted.empty()) {
            course_.contested = decision.round;
        }
        for (const Proposal& accepted : decision.verdict.accepted) {
            if (!changes_nothing(accepted.action)) acted_.insert(accepted.role);
        }
        note_alarms(decision);
        note_marks(decision);
        if (header_.record != store::RecordLevel::full) return;
        follow(input, decision);
        note_wishes(decision);
        note_risk(input, decision);
        note_shortage(input);
    }

    Course end() {
        for (const Open& one : open_) {
            const OpenAction& action = one.follower.action();
            if (!is_stuck(action.state) || now_ - one.since < kStuckFrom) continue;
            course_.stuck.push_back(
                {action.round,
                 suspected(name_of(action) + " has been " + std::string(enum_name(action.state)) +
                           " for " + print_age(now_ - one.since) + ": " + action.note)});
        }
        std::ranges::sort(course_.stuck, {},
                          [](const CourseNote& note) { return std::tie(note.round, note.text); });
        for (const Role role : kRoles) {
            if (acted_.contains(role)) continue;
            if (wanted_[role]) {
                course_.untouched.push_back(told_of(role, *wanted_[role]));
            } else if (nearest_[role]) {
                course_.untouched.push_back(*nearest_[role]);
            }
        }
        return std::move(course_);
    }

private:
    struct Open {
        Follower follower;
        TimePoint since;  ///< Since when its state is the same.
    };

    static Untouched told_of(Role role, const Wanted& wanted) {
        return {role, wanted.round,
                "it wanted to act in " + counted(wanted.rounds, "round") + ", most for " +
                    wish_text(wanted.most.action, wanted.most.target) + " in round " +
                    std::to_string(wanted.round),
                command_text(wanted.most.action, wanted.most.target)};
    }

    void note_wishes(const Decision& decision) {
        PerRole<bool> counted_now;
        for (const Judged& judged : decision.verdict.judged) {
            const Proposal& wish = judged.proposal;
            if (changes_nothing(wish.action) || std::holds_alternative<Idle>(judged.fate)) continue;
            auto& wanted = wanted_[wish.role];
            const bool is_most = !wanted || wish.score > wanted->most.score;
            if (!wanted) wanted.emplace();
            if (is_most) {
                wanted->most = wish;
                wanted->round = decision.round;
            }
            if (!std::exchange(counted_now[wish.role], true)) ++wanted->rounds;
        }
    }

    void note_alarms(const Decision& decision) {
        for (const Alarm& alarm : decision.alarms) {
            if (!has_alarm(alarms_, alarm)) {
                course_.alarms.push_back({decision.round, alarm_text(alarm)});
            }
        }
        alarms_ = decision.alarms;
    }

    /// Somebody took our mark away, or put another: what stands there may not be given back.
    void note_marks(const Decision& decision) {
        std::vector<Target> now;
        for (const Disagreement& each : decision.disagreements) {
            if (each.kind != DisagreementKind::mark_foreign) continue;
            now.push_back(each.about);
            if (std::ranges::count(unmarked_, each.about) > 0) continue;
            course_.stuck.push_back({decision.round, disagreement_text(each, decision)});
        }
        unmarked_ = std::move(now);
    }

    void follow(const RoundInput& input, const Decision& decision) {
        for (Open& one : open_) {
            const ActionState before = one.follower.state();
            for (const ActionEvent& event : input.events) one.follower.take(event);
            for (const Step& step : decision.first_steps) one.follower.meet(step.action);
            if (one.follower.state() != before) one.since = now_;
        }
        for (const OpenAction& ended : decision.ended) {
            note_end(ended, decision.round);
            std::erase_if(open_, [&](const Open& one) { return one.follower.id() == ended.id; });
        }
        for (const Step& step : decision.first_steps) {
            const OpenAction& action = step.action;
            const bool begins =
                action.round == decision.round && action.state == ActionState::planned;
            if (begins) open_.push_back({Follower(action), now_});
        }
    }

    /// Notes that an action ran out of time or failed before it was complete.
    void note_end(const OpenAction& ended, std::uint64_t round) {
        const ActionState how = ended.undoing ? ended.ended : ended.state;
        if (how != ActionState::expired && how != ActionState::failed) return;
        course_.stuck.push_back(
            {ended.round, suspected(name_of(ended) + " " + std::string(enum_name(how)) +
                                    " in round " + std::to_string(round) + ": " + ended.note)});
    }

    void note_risk(const RoundInput& input, const Decision& decision) {
        for (const NodeForecast& node : decision.forecast.nodes) {
            if (!node.risk || *node.risk <= highest_) continue;
            const NodeRow* row = input.snapshot.nodes.find(node.node);
            if (row == nullptr || row->ready != Readiness::yes || set_aside(*row)) continue;
            highest_ = *node.risk;
            const std::string name = row->id.text();
            Untouched nearest{Role::safety, decision.round,
                              "highest risk while Ready " + share_text(highest_) + ", " + name +
                                  " in round " + std::to_string(decision.round),
                              std::string(enum_name(best_remedy(node))) + ":" + name};
            for (const Proposal& p : decision.proposals) {
                if (p.role != Role::safety || p.target != Target(row->id)) continue;
                if (changes_nothing(p.action)) continue;  // Nobody asks why nothing was not done.
                nearest.action = command_text(p.action, p.target);
            }
            nearest_[Role::safety] = std::move(nearest);
        }
    }

    void note_shortage(const RoundInput& input) {
        const ShortOfRoom pods = short_of_room(input.snapshot, header_.policy);
        if (pods <= most_) return;
        most_ = pods;
        nearest_[Role::admission] =
            Untouched{Role::admission, input.round, shortage_text(pods, input.round), "queue"};
    }

    const store::RunHeader& header_;
    Course course_;
    TimePoint now_;
    std::vector<Alarm> alarms_;
    std::vector<Target> unmarked_;  ///< Where our mark was missing in the round before.
    std::vector<Open> open_;
    std::set<Role> acted_;
    double highest_ = -1;
    ShortOfRoom most_;  ///< Of watched pods; where none of those ever waits, of the others.
    /// Of each agent, the round in which it was closest to a reason for acting.
    PerRole<std::optional<Untouched>> nearest_;
    PerRole<std::optional<Wanted>> wanted_;
};

}  // namespace

Result<Course> course_of(Disk& disk, const std::string& folder, std::uint64_t from) {
    auto run = store::RunReader::open(disk, folder);
    if (!run) return tl::unexpected(run.error());
    const store::RunHeader header = run->header();
    store::Position position;
    const auto places = from > 1 ? store::find_keyframes(disk, folder, position)
                                 : Result<std::vector<store::KeyframePlace>>{};
    if (places) {
        const auto behind =
            std::ranges::upper_bound(*places, from, {}, &store::KeyframePlace::round);
        if (behind != places->begin()) {
            run = store::RunReader::open_at(disk, folder, header, (behind - 1)->position);
            if (!run) return tl::unexpected(run.error());
        }
    }
    Walk walk(header);
    run->show_all(
        [&](const RoundInput& input, const Decision& decision) { walk.take(input, decision); });
    if (const auto read = run->next(); !read) return tl::unexpected(read.error());
    return walk.end();
}

std::string alarms_since(const Course& course, std::uint64_t round) {
    const auto first = std::ranges::upper_bound(course.alarms, round, {}, &CourseNote::round);
    if (first == course.alarms.end()) return {};
    return counted(course.alarms.end() - first, "alarm") + " since, the first in round " +
           std::to_string(first->round) + ": " + first->text;
}

}  // namespace parley::explanation
