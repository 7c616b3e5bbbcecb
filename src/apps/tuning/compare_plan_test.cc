#include "apps/tuning/compare_plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace parley::app {
namespace {

class ComparePlan : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(make_directories(real_disk(), folder_));
        flags_.models = folder_ + "/models";  // None are there: those of the program are served.
        flags_.scenarios = {"calm"};
        flags_.arms = {"evidence", "never"};
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Result<experiment::Plan> plan() { return compare_plan(real_disk(), flags_); }
    std::string refused() {
        const auto made = plan();
        return made ? "" : made.error().message;
    }
    std::string file(const std::string& name, const std::string& text) {
        EXPECT_TRUE(write_file_atomically(real_disk(), join(folder_, name), text));
        return join(folder_, name);
    }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "compare_plan";
    CompareFlags flags_;
};

TEST_F(ComparePlan, policies_come_before_the_arms_that_are_built_in) {
    flags_.policies = {file("careful.yaml", "policy: {profile: parley}\n")};
    const auto made = plan();
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->arms.size(), 3U);
    EXPECT_EQ(made->arms[0].name, flags_.policies[0]);
    EXPECT_EQ(made->arms[1].name, "evidence");
    EXPECT_EQ(made->matters, experiment::kMattersShare);
    EXPECT_FALSE(made->own_seeds);
}

TEST_F(ComparePlan, seeds_are_a_first_one_or_a_range) {
    flags_.seeds = "2000000-2000039";
    auto made = plan();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_TRUE(made->own_seeds);
    EXPECT_EQ(made->first_seed, 2'000'000U);
    EXPECT_EQ(made->pairs, 40);
    flags_.seeds = "7";
    flags_.pairs = 9;
    made = plan();
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->first_seed, 7U);
    EXPECT_EQ(made->pairs, 9);
    flags_.seeds = "1-10";
    EXPECT_TRUE(refused().starts_with("--pairs has no meaning with a range of --seeds"));
    flags_.pairs = 0;
    for (const char* range : {"5-5", "1-100001"}) {
        flags_.seeds = range;
        EXPECT_EQ(refused(), "--seeds is a range of 2 to 100000 seeds") << range;
    }
    for (const char* wrong : {"x", "5-2", "1-", "-3", "9007199254740993"}) {
        flags_.seeds = wrong;
        EXPECT_TRUE(refused().starts_with("--seeds is the first seed, or a range")) << wrong;
    }
}

TEST_F(ComparePlan, seeds_that_tuning_or_training_used_are_known) {
    flags_.policies = {file(
        "tuned.yaml", "tuned_on:\n  - {from: 5, to: 8}\n  - {from: 11, to: 12}\npolicy: {}\n")};
    const auto made = plan();
    ASSERT_TRUE(made) << made.error().message;
    const auto knows = [&](std::uint64_t first, std::uint64_t last) {
        for (const experiment::TrainedOn& each : made->trained_on)
            if (each.from == first && each.to == last) return true;
        return false;
    };
    EXPECT_TRUE(knows(5, 8));
    EXPECT_TRUE(knows(11, 12));
    EXPECT_EQ(made->trained_on.back().who, "parley tune uses");
    EXPECT_GT(made->trained_on.size(), 3U) << "those of the models that ship, too";
}

TEST_F(ComparePlan, seeds_that_only_a_comment_names_are_refused_and_so_is_a_range_of_none) {
    flags_.policies = {file("old.yaml", "# seeds it knows: 5-8, 11-12\npolicy: {}\n")};
    EXPECT_NE(refused().find("has the seeds it was tuned on in a comment"), std::string::npos);
    flags_.policies = {
        file("mended.yaml", "# seeds it knows: 5-8\ntuned_on: [{from: 5, to: 8}]\n")};
    const auto made = plan();
    EXPECT_TRUE(made) << made.error().message;
    flags_.policies = {file("none.yaml", "tuned_on: [{from: 8, to: 5}]\n")};
    EXPECT_NE(refused().find("a range of tuned_on ends before it begins: 8 to 5"),
              std::string::npos);
}

TEST_F(ComparePlan, what_is_named_twice_is_refused) {
    flags_.scenarios = {"calm", "calm"};
    EXPECT_EQ(refused(), "--scenario names something twice; name each once");
    flags_.scenarios = {"calm"};
    flags_.arms = {"never", "never"};
    EXPECT_EQ(refused(), "--arms names something twice; name each once");
}

TEST_F(ComparePlan, arms_and_times_and_shares_that_cannot_be_are_refused) {
    flags_.arms = {"own"};
    EXPECT_NE(refused().find("own"), std::string::npos) << "a file is an arm by --policy";
    flags_.arms = {"never"};
    flags_.matters = 100.5;
    EXPECT_TRUE(refused().starts_with("--matters is a share of the other's cost"));
    flags_.matters = 1;
    for (const auto& [length, interval] : {std::pair{"1s", "2s"}, {"169h", "1m"}, {"1h", "99ms"}}) {
        flags_.length = length;
        flags_.interval = interval;
        EXPECT_TRUE(refused().starts_with("--length and --interval are times")) << length;
    }
}

TEST_F(ComparePlan, files_are_there_to_be_read_and_free_to_be_written) {
    flags_.policies = {folder_ + "/none.yaml"};
    EXPECT_NE(refused().find("none.yaml"), std::string::npos);
    flags_.policies = {file("a.yaml", "policy: {}\n")};
    flags_.markdown = flags_.policies[0];
    EXPECT_NE(refused(), "") << "it is read";
    flags_.markdown = "";
    flags_.scenarios = {folder_ + "/none.yaml"};
    EXPECT_NE(refused().find("none.yaml"), std::string::npos);
}

}  // namespace
}  // namespace parley::app
