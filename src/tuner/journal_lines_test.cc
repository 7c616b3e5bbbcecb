#include "tuner/journal_lines.h"

#include "tuner/journal_fold.h"
#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::tuner {
namespace {

TEST(JournalLines, are_spelled_as_optuna_spells_them) {
    const JournalLines lines("w");
    const Param param{"x", shared(FloatRange{}), 0.5};
    const TimePoint time{1735787045000006};
    EXPECT_EQ(
        lines.create_study("\xC3\xA9", Direction::maximize),
        "{\"op_code\":0,\"worker_id\":\"w\",\"study_name\":\"\\u00e9\",\"directions\":[2]}\n");
    EXPECT_EQ(lines.state(3, TrialState::complete, 2.0, time),
              "{\"op_code\":6,\"worker_id\":\"w\",\"trial_id\":3,\"state\":1,\"values\":[2.0],"
              "\"datetime_complete\":\"2025-01-02T03:04:05.000006+00:00\"}\n");
    EXPECT_EQ(lines.intermediate(3, 4, 1.0),
              "{\"op_code\":7,\"worker_id\":\"w\",\"trial_id\":3,\"step\":4,"
              "\"intermediate_value\":1.0}\n");
    EXPECT_EQ(lines.attribute(3, Owner::system, "k", "[1]"),
              "{\"op_code\":9,\"worker_id\":\"w\",\"trial_id\":3,\"system_attr\":{\"k\":[1]}}\n");
    EXPECT_EQ(lines.study_attribute(0, Owner::user, "k", "1"),
              "{\"op_code\":2,\"worker_id\":\"w\",\"study_id\":0,\"user_attr\":{\"k\":1}}\n");
    EXPECT_EQ(lines.param(3, param).find('\n'), lines.param(3, param).size() - 1);
}

TEST(JournalLines, fold_to_what_they_say) {
    const JournalLines lines("w");
    const Draft draft{.params = {{"x", shared(FloatRange{}), 0.5}, {"n", shared(IntRange{}), 1}},
                      .user_attributes = {{"a\n", "1"}, {"b", "null"}}};
    JournalFold fold;
    std::string all = lines.create_study("s", Direction::minimize) +
                      lines.create_trial(0, TrialState::running, draft, TimePoint{5}) +
                      lines.create_trial(0, TrialState::waiting, {}, std::nullopt);
    for (std::size_t at = 0; at < all.size(); at = all.find('\n', at) + 1) {
        ASSERT_TRUE(fold.apply(std::string_view(all).substr(at, all.find('\n', at) - at)));
    }
    const Study* study = fold.find("s");
    ASSERT_EQ(study->trials.size(), 2u);
    EXPECT_EQ(study->trials[0].params.at(1).name, "n");
    EXPECT_EQ(study->trials[0].user_attributes.at("a\n"), "1");
    EXPECT_EQ(study->trials[0].start->us, 5);
    EXPECT_EQ(study->trials[1].state, TrialState::waiting);
    EXPECT_FALSE(study->trials[1].start);
}

}  // namespace
}  // namespace parley::tuner
