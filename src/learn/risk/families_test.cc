#include "learn/risk/families.h"

#include "base/random.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

/// Two features; failures of one family show in the first, those of the other in the second.
struct Made {
    Rows rows;
    std::vector<std::string> families;
    Split split;

    Made() {
        rows.columns = {{"heat", "share"}, {"noise", "share"}};
        const Part parts[] = {Part::train, Part::train,     Part::train,
                              Part::stop,  Part::calibrate, Part::test};
        std::uint64_t n = 0;
        for (std::int32_t entity = 0; entity < 600; ++entity) {
            const bool hot = entity % 10 == 0;
            const bool loud = entity % 10 == 1;
            if (hot || loud) families.emplace_back(hot ? "hot" : "loud");
            for (int step = 0; step < 10; ++step) {
                add((hot ? 3 : 0) + random::normal(draw(1, Stream::noise, n, 0)),
                    (loud ? 3 : 0) + random::normal(draw(1, Stream::noise, n, 1)), hot || loud,
                    entity);
                split.part.push_back(parts[entity / 20 % 6]);
                ++n;
            }
        }
        split.rule = "by hand";
    }
    void add(double heat, double noise, bool fails, std::int32_t entity) {
        rows.values.insert(rows.values.end(),
                           {static_cast<float>(heat), static_cast<float>(noise)});
        rows.label.push_back(fails ? 1 : 0);
        rows.weight.push_back(1);
        rows.time.push_back(TimePoint{} + minutes(static_cast<std::int64_t>(rows.label.size())));
        rows.entity.push_back(entity);
        rows.group.push_back(entity / 20);
        rows.event.push_back(fails ? static_cast<std::int32_t>(families.size()) - 1 : kNoEvent);
    }
};

RiskOptions quick() {
    RiskOptions options{.name = "made-up", .what = "it fails", .entity = "node"};
    options.trees.rounds_max = 30;
    options.trees.depth = 3;
    options.resamples = 2;
    return options;
}

TEST(Families, one_that_was_never_shown_is_seen_by_chance_alone) {
    const Made made;
    const auto whole = train_risk(made.rows, made.split, quick());
    ASSERT_TRUE(whole) << whole.error().message;
    std::size_t most = 0;
    const auto facts =
        leave_families_out(made.rows, made.split, made.families, *whole, quick(),
                           [&](std::size_t trained, int) { return (most = trained, true); });
    ASSERT_TRUE(facts) << facts.error().message;
    ASSERT_EQ(facts->size(), 2U);
    EXPECT_EQ(most, 1U);
    for (const FamilyFacts& each : *facts) {
        EXPECT_EQ(each.test_events, 10U) << each.family;
        EXPECT_EQ(each.train_events, 30U) << each.family;
        EXPECT_GT(each.auc_known, 0.9) << each.family;
        EXPECT_LT(each.auc_left_out, 0.65) << each.family;
        EXPECT_GT(each.recall_known, 0.8) << each.family;
        EXPECT_LT(each.recall_left_out, each.recall_known) << each.family;
    }
}

TEST(Families, a_training_without_one_can_be_ended) {
    const Made made;
    const auto whole = train_risk(made.rows, made.split, quick());
    ASSERT_TRUE(whole);
    EXPECT_FALSE(leave_families_out(made.rows, made.split, made.families, *whole, quick(),
                                    [](std::size_t, int) { return false; }));
}

TEST(Families, are_named_in_order) {
    const std::string families[] = {"b", "a", "b"};
    EXPECT_EQ(names_of(families), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace parley::learn
