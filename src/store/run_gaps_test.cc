#include "store/run_gaps.h"

#include <gtest/gtest.h>

namespace parley::store {
namespace {

Damage lost(std::uint64_t first, std::uint64_t last) {
    return {.segment = 1, .offset = 10, .length = 5, .first_lost = first, .last_lost = last};
}

TEST(RunGaps, damage_is_declared_only_as_a_whole) {
    struct Case {
        Damage damage;
        NumberRange declared;
        bool left;
    };
    const Case cases[] = {
        {lost(5, 9), {5, 9}, false}, {lost(5, 9), {4, 10}, false}, {lost(5, 9), {6, 9}, true},
        {lost(5, 9), {5, 8}, true},  {lost(5, 5), {5, 5}, false},  {lost(5, 5), {6, 6}, true},
        {lost(5, 4), {7, 7}, false},  // Bytes that are no frames, between frames that hold.
    };
    for (const Case& each : cases) {
        const RunGaps gaps{.damage = {each.damage}, .repairs = {{.frames = {each.declared}}}};
        EXPECT_EQ(undeclared(gaps).size(), each.left ? 1U : 0U)
            << each.damage.first_lost << " " << each.declared.first;
    }
}

TEST(RunGaps, are_said_once_and_by_what_was_declared) {
    const GapNote note{.epoch = 2,
                       .frames = {{5, 9}},
                       .rounds = {{3, 3}, {7, 9}},
                       .acknowledged = 9,
                       .why = {"a bit"},
                       .aside = "journal/damaged-1",
                       .exact = false};
    const RunGaps gaps{.damage = {lost(5, 9), lost(20, 20), lost(20, 20)},
                       .rounds = {{7, 9}, {12, 12}},
                       .repairs = {note}};
    const auto said = sentences(gaps);
    ASSERT_EQ(said.size(), 3U);
    EXPECT_EQ(said[0],
              "round 3, at most rounds 7 to 9 are gone: a bit; the damaged files are in "
              "journal/damaged-1; epoch 2 begins behind it");
    EXPECT_NE(said[1].find("frame 20 is lost"), std::string::npos);
    EXPECT_EQ(said[2], "round 12 cannot be read");
    EXPECT_TRUE(sentences({}).empty());
    const auto unsure = sentences({.rounds = {{3, 4}, {7, 9}}, .exact = false});
    EXPECT_EQ(unsure, (std::vector<std::string>{"rounds 3 to 4 cannot be read",
                                                "at most rounds 7 to 9 cannot be read"}));
}

}  // namespace
}  // namespace parley::store
