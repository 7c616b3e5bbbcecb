#include "web/views/cluster_view.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

using model::Gap;
using model::Reading;

struct Case {
    const char* name;
    Reading<std::int64_t> reading;
    std::optional<double> value;
    ReadingState state;
};

TEST(ReadingView, says_how_far_it_can_be_relied_on) {
    const TimePoint now{seconds(1000).us};
    const auto from = [&](Duration age, model::Origin origin = model::Origin::measured) {
        return model::Provenance{now - age, now - age, model::Source::metrics, origin};
    };
    const Case cases[] = {
        {"fresh", {std::int64_t{50}, from(seconds(60))}, 5.0, ReadingState::ok},
        {"one beyond", {std::int64_t{50}, from(microseconds(60'000'001))}, 5.0, ReadingState::late},
        {"zero is a value", {std::int64_t{0}, from(seconds(1))}, 0.0, ReadingState::ok},
        {"gap", {Gap::source_failed, from(seconds(1))}, std::nullopt, ReadingState::missing},
        {"estimated",
         {std::int64_t{50}, from(seconds(1), model::Origin::estimated)},
         5.0,
         ReadingState::estimated},
        {"assumed",
         {std::int64_t{50}, from(seconds(1), model::Origin::assumed)},
         5.0,
         ReadingState::assumed},
        {"old estimate",
         {std::int64_t{50}, from(hours(1), model::Origin::estimated)},
         5.0,
         ReadingState::late},
    };
    for (const Case& each : cases) {
        const ReadingView view = reading_view(each.reading, now, seconds(60), 10);
        EXPECT_EQ(view.value, each.value) << each.name;
        EXPECT_EQ(view.state, each.state) << each.name;
        EXPECT_EQ(view.why.empty(), each.state == ReadingState::ok) << each.name;
    }
    const ReadingView never = reading_view(Reading<std::int64_t>::never(), now, seconds(60));
    EXPECT_FALSE(never.value || never.age_s) << "nobody spoke: there is no age either";
    EXPECT_EQ(never.why, "not reported");
}

TEST(ClusterView, counts_what_waits_by_cause) {
    kit::Round round;
    round.input.snapshot.pending = {
        {round.web, model::CauseSet{}.with(model::Cause::cpu), 9, {}},
        {round.web, model::CauseSet{}.with(model::Cause::our_hold), 1, {}}};
    const ClusterView view = cluster_view(round.told());
    EXPECT_EQ(view.nodes, 12);
    EXPECT_EQ(view.nodes_ready, 12);
    EXPECT_EQ(view.pending_total, 10);
    EXPECT_EQ(view.pending_text, "10 pending: 9 CPU, 1 our gate");
    ASSERT_EQ(view.pending.size(), 2U);
    EXPECT_FALSE(view.pending[0].ours);
    EXPECT_TRUE(view.pending[1].ours);
    ASSERT_EQ(view.sources.size(), 1U);
    EXPECT_EQ(view.sources[0].text, "api 3s");
    EXPECT_EQ(view.sources[0].age_s, 3);
}

TEST(ClusterView, a_record_of_decisions_only_knows_no_numbers) {
    kit::Round round;
    round.input = {.round = 142};
    const ClusterView view = cluster_view(round.told());
    EXPECT_FALSE(view.nodes || view.pods || view.pending_total);
    EXPECT_EQ(view.queue.why, "this record keeps decisions only");
}

TEST(ClusterView, a_failed_source_has_no_age) {
    kit::Round round;
    round.input.snapshot.sources[0].condition = model::SourceCondition::failed;
    round.input.snapshot.sources[0].reason = "no route to host";
    const auto views = source_views(round.input);
    EXPECT_FALSE(views[0].age_s.has_value());
    EXPECT_EQ(views[0].text, "api FAILED: no route to host");
}

TEST(StimulusView, says_what_moved_and_what_was_decided_instead) {
    kit::Round round;
    EXPECT_FALSE(stimulus_view(round.told()).has_value());
    round.input.snapshot.queue = {std::int64_t{9}, round.from(seconds(1), model::Source::api)};
    round.input.snapshot.stimulus =
        model::Stimulus{Name::of("batch-burst"),      "AgentC:admission:queue", "9 pods of 3 CPU",
                        round.input.now - seconds(3), model::Quantity::queue,   0};
    const auto view = stimulus_view(round.told());
    ASSERT_TRUE(view.has_value());
    EXPECT_EQ(view->moved, "queue 0 to 9");
    EXPECT_EQ(view->since_s, 3);
    EXPECT_EQ(view->instead, "A replicate node-07, over C, B");
    round.input.snapshot.stimulus->intent = "AgentA:replicate";
    EXPECT_EQ(stimulus_view(round.told())->instead, "");
    round.input.snapshot.queue = {Gap::too_old, round.from(seconds(1), model::Source::api)};
    EXPECT_EQ(stimulus_view(round.told())->moved, "not known: nobody reports it");
}

}  // namespace
}  // namespace parley::web
