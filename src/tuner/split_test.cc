#include "tuner/split.h"

#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace parley::tuner {
namespace {

TEST(Split, a_tenth_is_good_and_at_most_25) {
    EXPECT_EQ(good_count(0), 0u);
    EXPECT_EQ(good_count(1), 1u);
    EXPECT_EQ(good_count(10), 1u);
    EXPECT_EQ(good_count(11), 2u);
    EXPECT_EQ(good_count(250), 25u);
    EXPECT_EQ(good_count(100'000), 25u);
}

/// Numbers of the best `count`, in order of number.
std::string best(const Study& study, std::size_t count) {
    Ranking ranking(study.maximizes());
    for (const Trial& trial : study.trials) ranking.add(trial);
    std::vector<std::uint8_t> member(study.trials.size());
    ranking.mark_best(count, member);
    std::string found;
    for (std::size_t i = 0; i < member.size(); ++i) {
        if (member[i] != 0) found += std::to_string(i) + " ";
    }
    return found;
}

TEST(Split, complete_before_pruned_before_infeasible) {
    Study study = empty_study();
    add(study, 3);                                                  // 0
    add(study, 1);                                                  // 1
    add(study, 0).system_attributes["constraints:k"] = "0.5";       // 2: infeasible.
    add(study, -9).system_attributes["constraints"] = "[0.1, -7]";  // 3: infeasible, less so.
    Trial& far = add(study, 0);                                     // 4
    far.state = TrialState::pruned;
    far.intermediate = {{1, 0.0}, {8, 9.0}};
    Trial& near = add(study, 0);  // 5
    near.state = TrialState::pruned;
    near.intermediate = {{1, -5.0}};
    add(study, 0).state = TrialState::pruned;  // 6: reported nothing.
    Trial& unknown = add(study, 0);            // 7
    unknown.state = TrialState::pruned;
    unknown.intermediate = {{8, std::nan("")}};
    const struct {
        const char* name;
        std::size_t count;
        const char* expected;
    } cases[] = {
        {"none", 0, ""},
        {"the_best_value", 1, "1 "},
        {"both_values", 2, "0 1 "},
        {"then_who_came_farthest", 3, "0 1 4 "},
        {"not_a_number_is_last_there", 4, "0 1 4 7 "},
        {"then_who_came_less_far", 5, "0 1 4 5 7 "},
        {"then_who_said_nothing", 6, "0 1 4 5 6 7 "},
        {"then_the_nearly_feasible", 7, "0 1 3 4 5 6 7 "},
        {"more_than_there_are", 99, "0 1 2 3 4 5 6 7 "},
    };
    for (const auto& c : cases) EXPECT_EQ(best(study, c.count), c.expected) << c.name;
}

TEST(Split, ties_go_to_the_earlier_and_the_direction_counts) {
    Study study = empty_study();
    for (const double value : {2.0, 1.0, 2.0, 1.0}) add(study, value);
    add(study, std::nan(""));
    EXPECT_EQ(best(study, 1), "1 ");
    EXPECT_EQ(best(study, 3), "0 1 3 ");
    study.directions = {Direction::maximize};
    EXPECT_EQ(best(study, 1), "0 ");
    EXPECT_EQ(best(study, 4), "0 1 2 3 ");
}

}  // namespace
}  // namespace parley::tuner
