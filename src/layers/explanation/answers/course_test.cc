#include "layers/explanation/answers/course.h"

#include "fake/disk.h"
#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;

constexpr TimePoint at(std::int64_t second) { return {seconds(second).us}; }

/// A round in which nobody wants anything.
Round quiet(std::uint64_t number, std::int64_t second) {
    Round round(number, at(second));
    round.decide_nothing("calm", "calm");
    return round;
}

/// Rounds that follow each other, as they are recorded.
struct MadeRun {
    fake::Disk disk;
    kit::Recording recording;
    std::uint64_t rounds = 0;

    explicit MadeRun(const model::Policy& policy = {}) : recording(disk, "run", policy) {}

    void keep(Round round) {
        recording.keep(round);
        ++rounds;
    }
    Course course(std::uint64_t from = 0) {
        recording.finish(rounds);
        auto course = course_of(disk, "run", from);
        EXPECT_TRUE(course) << course.error().message;
        return course ? *std::move(course) : Course{};
    }
};

/// The replicate of round 1 is held in round 2 by a refusal; the next round is `span` later.
Course held_for(Duration span) {
    MadeRun run;
    Round first(1, at(3));
    run.keep(first);
    Round second = quiet(2, 6);
    second.input.events = {first.unmarked("shop/web has a disruption budget that allows 0 now")};
    run.keep(second);
    Round third = quiet(3, 6);
    third.move_to(3, at(6) + span);
    run.keep(third);
    return run.course();
}

TEST(Course, an_action_that_is_held_for_a_minute_is_stuck) {
    EXPECT_EQ(held_for(seconds(59)).stuck, std::vector<CourseNote>{});
    EXPECT_EQ(held_for(seconds(60)).stuck,
              (std::vector<CourseNote>{
                  {1,
                   "replicate node-07 of round 1 has been held for 1m00s: shop/web has a "
                   "disruption budget that allows 0 now; suspect layer 5, execution"}}));
}

TEST(Course, an_action_whose_time_ran_out_is_stuck_one_whose_effect_ended_is_not) {
    for (const auto how : {model::ActionState::expired, model::ActionState::confirmed}) {
        MadeRun run;
        Round first(1, at(3));
        run.keep(first);
        Round second = quiet(2, 6);
        model::OpenAction ended = first.open_action();
        ended.undoing = true;
        ended.ended = how;
        ended.note = "its time ran out";
        second.decision.ended.push_back(ended);
        run.keep(second);
        const Course course = run.course();
        ASSERT_EQ(course.stuck.size(), how == model::ActionState::expired ? 1U : 0U);
        if (course.stuck.empty()) continue;
        EXPECT_EQ(course.stuck[0].text,
                  "replicate node-07 of round 1 expired in round 2: its time ran out; suspect "
                  "layer 5, execution");
    }
}

TEST(Course, alarms_count_from_where_they_were_raised) {
    MadeRun run;
    for (std::uint64_t number = 1; number <= 5; ++number) {
        Round round = quiet(number, 3 * static_cast<std::int64_t>(number));
        const auto raise = [&](int node, const std::string& text) {
            round.decision.alarms.push_back({.kind = model::AlarmKind::sources_contradict,
                                             .about = kit::node_id(node),
                                             .sentence = text});
        };
        if (number >= 2) raise(1, "one");
        if (number >= 4) raise(2, "two");
        run.keep(round);
    }
    const Course course = run.course();
    EXPECT_EQ(alarms_since(course, 1),
              "2 alarms since, the first in round 2: one; suspect layer 1, observation");
    EXPECT_EQ(alarms_since(course, 2),
              "1 alarm since, the first in round 4: two; suspect layer 1, observation");
    EXPECT_EQ(alarms_since(course, 4), "");
}

TEST(Course, who_never_acted_is_told_where_there_was_most_to_act_on) {
    MadeRun run;
    Round first = quiet(1, 3);
    run.keep(first);
    Round second = quiet(2, 6);
    second.risk(7).risk = 0.9;
    second.input.snapshot.pending.push_back(
        {.workload = second.web, .causes = model::CauseSet{}.with(model::Cause::cpu), .count = 9});
    run.keep(second);
    run.keep(quiet(3, 9));
    const Course course = run.course();
    EXPECT_EQ(course.untouched,
              (std::vector<Untouched>{
                  {model::Role::safety, 2, "highest risk while Ready 0.90, node-07 in round 2",
                   "replicate:node-07"},
                  {model::Role::admission, 2, "most 9 pods short of room, in round 2", "queue"}}));
    EXPECT_EQ(course.contested, 0U);
}

TEST(Course, a_mark_that_somebody_took_away_is_told_once) {
    MadeRun run;
    for (std::uint64_t number = 1; number <= 4; ++number) {
        Round round = quiet(number, 3 * static_cast<std::int64_t>(number));
        if (number == 2 || number == 3) {
            round.decision.disagreements.push_back({model::DisagreementKind::mark_foreign,
                                                    kit::node_id(7),
                                                    "our mark on node-07 is missing"});
        }
        run.keep(round);
    }
    EXPECT_EQ(run.course().stuck,
              (std::vector<CourseNote>{
                  {2, "our mark on node-07 is missing; suspect layer 5, execution"}}));
}

TEST(Course, an_agent_that_only_names_the_nearest_node_is_asked_about_a_remedy) {
    MadeRun run;
    Round round = quiet(1, 3);
    round.risk(7).risk = 0.2;
    round.decision.proposals.at(0).target = kit::node_id(7);
    run.keep(round);
    const Course course = run.course();
    ASSERT_FALSE(course.untouched.empty());
    EXPECT_EQ(course.untouched.front().action, "throttle:node-07");
}

/// Pods of a round that are short of CPU.
struct ShortPods {
    std::int32_t shop = 0;
    std::int32_t other = 0;
};

/// What is said of agent C, which never acted in these rounds.
std::string told_of_shortage(const std::vector<std::string>& namespaces,
                             const std::vector<ShortPods>& rounds) {
    model::Policy policy;
    policy.namespaces = namespaces;
    MadeRun run(policy);
    for (const ShortPods& pods : rounds) {
        const std::uint64_t number = run.rounds + 1;
        Round round = quiet(number, 3 * static_cast<std::int64_t>(number));
        const Slot other = round.add_workload(fake::workload_id("other", "night"), 0);
        const auto cpu = model::CauseSet{}.with(model::Cause::cpu);
        round.input.snapshot.pending = {{.workload = round.web, .causes = cpu, .count = pods.shop},
                                        {.workload = other, .causes = cpu, .count = pods.other}};
        run.keep(std::move(round));
    }
    for (const Untouched& each : run.course().untouched) {
        if (each.role == model::Role::admission) return each.figure;
    }
    return "";
}

TEST(Course, pods_that_the_namespace_filter_leaves_out_are_not_counted_as_those_of_agent_c) {
    EXPECT_EQ(told_of_shortage({}, {{2, 0}, {1, 8}}), "most 9 pods short of room, in round 2");
    EXPECT_EQ(told_of_shortage({"=shop"}, {{2, 0}, {0, 9}}),
              "most 2 pods short of room, in round 1");
    EXPECT_EQ(told_of_shortage({"=shop"}, {{1, 0}, {2, 9}}),
              "most 2 pods short of room, in round 2, and 9 in namespaces that policy.namespaces "
              "leaves out");
    EXPECT_EQ(told_of_shortage({"=shop"}, {{0, 0}, {0, 9}}),
              "most 9 pods short of room, in round 2, all in namespaces that policy.namespaces "
              "leaves out");
    EXPECT_EQ(told_of_shortage({"=shop"}, {{0, 0}}), "");
}

TEST(Course, who_wanted_something_is_told_by_that_and_not_by_a_higher_risk) {
    MadeRun run;
    Round first(1, at(3));
    for (model::Judged& judged : first.decision.verdict.judged) {
        if (judged.proposal.role != model::Role::safety) continue;
        judged.fate = model::Refused{"movable", "shop/web allows none"};
    }
    first.decision.verdict.accepted.clear();
    first.decision.first_steps.clear();
    run.keep(first);
    Round second = quiet(2, 6);
    second.risk(7).risk = 0.99;
    run.keep(second);
    const Course course = run.course();
    ASSERT_FALSE(course.untouched.empty());
    EXPECT_EQ(course.untouched.front(),
              (Untouched{model::Role::safety, 1,
                         "it wanted to act in 1 round, most for replicate node-07 in round 1",
                         "replicate:node-07"}));
}

TEST(Course, who_acted_once_is_not_told_and_who_lost_is) {
    MadeRun run;
    run.keep(Round(1, at(3)));
    run.keep(quiet(2, 6));
    const Course course = run.course();
    EXPECT_EQ(course.contested, 1U);
    std::vector<model::Role> told;
    for (const Untouched& each : course.untouched) told.push_back(each.role);
    EXPECT_EQ(told, (std::vector<model::Role>{model::Role::efficiency, model::Role::admission}));
}

}  // namespace
}  // namespace parley::explanation
