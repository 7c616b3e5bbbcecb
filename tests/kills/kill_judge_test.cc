#include "tests/kills/kill_judge.h"

#include <gtest/gtest.h>

namespace parley::kills {
namespace {

using namespace model;

/// A story in which nobody dies.
std::unique_ptr<Evidence> calm(Kind kind) {
    Script script{.seed = 1, .kind = kind, .fates = {}};
    script.interval = seconds(3);
    return play(script, false);
}

/// The words before the first colon of each finding.
std::vector<std::string> sorts(const std::vector<std::string>& found) {
    std::vector<std::string> out;
    for (const std::string& each : found) out.push_back(each.substr(0, each.find(':')));
    return out;
}

using Texts = std::vector<std::string>;

TEST(KillJudge, finds_nothing_where_nobody_dies_and_everything_is_done_and_given_back) {
    for (const Kind kind : enumerators<Kind>) {
        const auto told = calm(kind);
        EXPECT_EQ(judge(*told), Texts{}) << enum_name(kind);
        EXPECT_GE(told->world.log.size(), is_order(kind) ? 1U : 2U) << enum_name(kind);
    }
}

TEST(KillJudge, finds_a_step_that_was_done_twice_and_no_repetition_without_effect) {
    const auto told = calm(Kind::migrate);
    std::vector<Entry>& log = told->world.log;
    const std::vector<Entry> whole = log;
    for (const Entry& each : whole) {
        log = whole;
        log.push_back(each);
        EXPECT_EQ(sorts(twice(log)), Texts{"done twice"}) << text_of(each.request);
        log.back().changed = false;
        EXPECT_EQ(twice(log), Texts{}) << text_of(each.request);
    }
}

TEST(KillJudge, finds_what_was_sent_before_it_was_recorded_or_by_nobodys_decision) {
    const auto told = calm(Kind::throttle);
    std::vector<Entry>& log = told->world.log;
    ASSERT_EQ(unrecorded(*told), Texts{});
    const std::vector<Entry> whole = log;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        log = whole;
        log[i].sender.recorded = 1;  // A round long before there was a reason.
        EXPECT_EQ(sorts(unrecorded(*told)), Texts{"in no record"}) << text_of(whole[i].request);
        log = whole;
        log[i].sender.stamp.decision.low ^= 1;
        EXPECT_EQ(sorts(unrecorded(*told)), Texts{"in no record"}) << text_of(whole[i].request);
    }
}

TEST(KillJudge, finds_a_second_decision_about_the_same) {
    const auto told = calm(Kind::migrate);
    std::vector<Entry>& log = told->world.log;
    ASSERT_EQ(decided_again(log, Kind::migrate), Texts{});
    Entry other = log.front();
    other.sender.stamp.decision.low ^= 1;
    log.insert(log.begin() + 1, other);
    EXPECT_EQ(sorts(decided_again(log, Kind::migrate)), Texts{"decided again"});
}

TEST(KillJudge, finds_what_bears_no_mark_and_what_is_left) {
    const Sender stranger{.life = 0, .run = 0, .recorded = 1, .stamp = {}};
    const NodeId node{Name::of("node-03")};
    const auto told = calm(Kind::migrate);
    const Request taint = SetTaint{node, Taint::no_schedule};
    const Object seen = told->world.look(taint);
    ASSERT_TRUE(told->world.apply(taint, {seen.uid, seen.version}, stranger));
    EXPECT_EQ(sorts(without_mark(told->world.log)), Texts{"without a mark"});
    const Texts all = sorts(judge(*told));
    for (const char* each : {"left without a mark", "its mark is not enough", "in no record"}) {
        EXPECT_EQ(std::ranges::count(all, each), 1) << each;
    }
}

TEST(KillJudge, finds_a_mark_that_nobody_takes_away) {
    const Sender stranger{.life = 0, .run = 0, .recorded = 1, .stamp = {}};
    const NodeId node{Name::of("node-03")};
    const auto told = calm(Kind::migrate);
    const Request mark =
        PutMark{node, {1, 2}, TimePoint{}, ActionKind::migrate, {{MarkedField::taint, {}, 0, 2}}};
    const Object seen = told->world.look(mark);
    ASSERT_TRUE(told->world.apply(mark, {seen.uid, seen.version}, stranger));
    EXPECT_EQ(sorts(judge(*told)), (Texts{"in no record", "nobody's"}));
}

TEST(KillWorld, refuses_what_names_another_version_or_object) {
    World world(Kind::migrate);
    const Request taint = SetTaint{{Name::of("node-03")}, Taint::no_schedule};
    const Object seen = world.look(taint);
    const auto answer = [&](const Precondition& only_if) {
        return world.apply(taint, only_if, {}).error().code;
    };
    EXPECT_EQ(answer({seen.uid, seen.version + 1}), ErrorCode::conflict);
    EXPECT_EQ(answer({{9, 9}, seen.version}), ErrorCode::conflict);
    ASSERT_TRUE(world.apply(taint, {seen.uid, seen.version}, {}));
    EXPECT_EQ(answer({seen.uid, seen.version}), ErrorCode::conflict) << "it was changed by that";
    EXPECT_EQ(world.log.size(), 1U);
    EXPECT_EQ(world.apply(EvictPod{{7, 7}, "none"}, {}, {}).error().code, ErrorCode::gone);
}

TEST(KillNetwork, brings_what_is_late_after_requests_of_anybody) {
    Script script;
    script.late_most = 3;
    World world(Kind::migrate);
    Network network(world, script);
    int arrived = 0;
    for (int i = 0; i < 20; ++i) network.later([&] { ++arrived; });
    EXPECT_EQ(arrived, 0);
    network.pass();
    EXPECT_GT(arrived, 0);
    EXPECT_LT(arrived, 20);
    network.flush();
    EXPECT_EQ(arrived, 20);
}

}  // namespace
}  // namespace parley::kills
