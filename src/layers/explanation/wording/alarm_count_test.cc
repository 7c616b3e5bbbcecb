#include "layers/explanation/wording/alarm_count.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using model::Alarm;
using model::AlarmKind;

Alarm alarm(AlarmKind kind, model::Target about, std::string sentence) {
    return {.kind = kind, .about = std::move(about), .sentence = std::move(sentence)};
}

model::NodeId node(std::string_view name) { return {Name::of(name)}; }

TEST(AlarmCount, one_that_stands_was_raised_once_and_one_that_came_back_twice) {
    AlarmCount count;
    const Alarm failed = alarm(AlarmKind::sources_failed, model::WholeCluster{}, "for 3 min");
    EXPECT_EQ(count.take({failed}), 1U);
    EXPECT_EQ(count.take({alarm(AlarmKind::sources_failed, model::WholeCluster{}, "for 4 min")}),
              0U);
    EXPECT_EQ(count.take({}), 0U);
    EXPECT_EQ(count.take({failed}), 1U);
    EXPECT_EQ(count.raised(), 2U);
    EXPECT_EQ(count.rounds(), 3U);
}

TEST(AlarmCount, another_kind_or_target_is_another_alarm) {
    AlarmCount count;
    const Alarm differ = alarm(AlarmKind::sources_contradict, node("a"), "x");
    EXPECT_EQ(count.take({differ}), 1U);
    EXPECT_EQ(count.take({differ, alarm(AlarmKind::sources_contradict, node("b"), "x")}), 1U);
    EXPECT_EQ(count.take({differ, alarm(AlarmKind::done_but_unhealthy, node("a"), "x")}), 1U);
}

TEST(AlarmCount, missing_samples_are_one_alarm_whichever_nodes_lack_them) {
    AlarmCount count;
    EXPECT_EQ(count.take({alarm(AlarmKind::no_samples, node("a"), "a has had no sample")}), 1U);
    EXPECT_EQ(count.take({alarm(AlarmKind::no_samples, model::WholeCluster{}, "2 nodes")}), 0U);
}

TEST(AlarmCount, every_time_that_our_clock_is_set_is_another_alarm) {
    AlarmCount count;
    const Alarm back = alarm(AlarmKind::clock_stepped, model::WholeCluster{}, "set back by 7s");
    const Alarm again = alarm(AlarmKind::clock_stepped, model::WholeCluster{}, "set back by 9s");
    EXPECT_EQ(count.take({back}), 1U);
    EXPECT_EQ(count.take({back}), 0U);
    EXPECT_EQ(count.take({again}), 1U);
}

}  // namespace
}  // namespace parley::explanation
