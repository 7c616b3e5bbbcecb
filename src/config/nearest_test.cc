#include "config/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::config {
namespace {

TEST(Nearest, counts_letters_that_differ) {
    EXPECT_EQ(edit_distance("", ""), 0);
    EXPECT_EQ(edit_distance("abc", ""), 3);
    EXPECT_EQ(edit_distance("abc", "abd"), 1);
    EXPECT_EQ(edit_distance("abc", "acb"), 1);
    EXPECT_EQ(edit_distance("intervall", "interval"), 1);
    EXPECT_EQ(edit_distance("event-dir", "event_dir"), 0);
    EXPECT_EQ(edit_distance("Seed", "seed"), 0);
    EXPECT_EQ(edit_distance(std::string(10'000, 'x'), "x"), 63);
}

TEST(Nearest, suggests_only_what_is_near) {
    const std::vector<std::string> known = {"interval", "seed", "rounds", "record"};
    EXPECT_EQ(nearest("intervall", known), "interval");
    EXPECT_EQ(nearest("sed", known), "seed");
    EXPECT_EQ(nearest("recrod", known), "record");
    EXPECT_EQ(nearest("colour", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest("x", {}), "");
}

TEST(Nearest, a_unit_may_be_left_out) {
    const std::vector<std::string> known = {"cpus", "cpu_m", "memory_mib"};
    EXPECT_EQ(nearest("memory", known), "memory_mib");
    EXPECT_EQ(nearest("cpu", std::vector<std::string>{"count", "cpu_m"}), "cpu_m");
    EXPECT_EQ(nearest("c", std::vector<std::string>{"c_xxxxx"}), "");
}

TEST(Nearest, takes_the_first_of_equals) {
    const std::vector<std::string> known = {"cat", "car"};
    EXPECT_EQ(nearest("caz", known), "cat");
}

TEST(Nearest, lists_words_as_a_person_would) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed(std::vector<std::string>{"a"}), "a");
    EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
    EXPECT_EQ(listed(std::vector<std::string>{"a", "b", "c"}, "or"), "a, b or c");
    EXPECT_EQ(listed(std::vector<std::string>{"a"}, "or"), "a");
}

TEST(Nearest, says_what_was_meant_or_what_there_is) {
    const std::vector<std::string> arms = {"brain", "formula"};
    EXPECT_EQ(none_called("arm", "brian", arms), "no arm is called \"brian\"; did you mean brain?");
    EXPECT_EQ(none_called("arm", "x", arms), "no arm is called \"x\"; there are brain and formula");
}

}  // namespace
}  // namespace parley::config
