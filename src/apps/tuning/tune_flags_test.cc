#include "apps/tuning/tune_flags.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

Result<TuneFlags> given(const std::string& line) {
    Program program("test", "");
    TuneFlags flags;
    add_tune_flags(program, flags);
    if (auto understood = program.parse(line); !understood) {
        return tl::unexpected(understood.error());
    }
    return flags;
}

TuneFlags parsed(const std::string& line) { return given(line).value(); }

Result<TunePlan> planned(const std::string& line) {
    fake::Disk disk;
    return tune_plan(disk, parsed(line));
}

TEST(TuneFlags, make_a_plan) {
    const auto plan = planned(
        "--profile prototype --pruner hyperband --length 1h --interval 30s --grace 2m --seeds "
        "300000 --trials 7 --workers 2 --storage journal:a.log --study night");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->profile, model::Profile::prototype);
    EXPECT_EQ(plan->pruner, TunePruner::hyperband);
    EXPECT_EQ(plan->span.length.us, hours(1).us);
    EXPECT_EQ(plan->span.interval.us, seconds(30).us);
    EXPECT_EQ(plan->grace.us, minutes(2).us);
    EXPECT_EQ(plan->first_seed, 300'000U);
    EXPECT_EQ(plan->trials, 7);
    EXPECT_EQ(plan->workers, 2);
    EXPECT_EQ(plan->storage, "journal:a.log");
    EXPECT_EQ(plan->study, "night");
    EXPECT_FALSE(plan->program.empty());
    EXPECT_EQ(planned("")->first_seed, std::nullopt) << "those kept for tuning";
}

TEST(TuneFlags, that_cannot_be_are_refused_in_a_sentence) {
    const std::pair<const char*, const char*> bad[] = {
        {"--length 1s --interval 2s", "--length and --interval are times"},
        {"--length 169h", "--length and --interval are times"},
        {"--interval 99ms", "--length and --interval are times"},
        {"--seeds x", "--seeds is the first seed of the trials, such as 300000, and \"x\""},
    };
    for (const auto& [line, said] : bad) {
        const auto plan = planned(line);
        ASSERT_FALSE(plan) << line;
        EXPECT_TRUE(plan.error().message.starts_with(said)) << plan.error().message;
    }
    EXPECT_FALSE(planned("--grace soon"));
    EXPECT_FALSE(planned("--scenario ./none.yaml")) << "it is a file, and not there";
    EXPECT_FALSE(given("--pruner best"));
    EXPECT_FALSE(given("--fresh 1"));
}

TEST(TuneFlags, a_timeout_is_a_time_above_zero) {
    EXPECT_EQ(tune_timeout(parsed("--timeout 10m"))->us, minutes(10).us);
    EXPECT_EQ(tune_timeout(parsed(""))->us, 0) << "there is none";
    for (const char* line : {"--timeout 0s", "--timeout soon"}) {
        const auto given = tune_timeout(parsed(line));
        ASSERT_FALSE(given) << line;
        EXPECT_EQ(given.error().message, "--timeout is a time such as 10m");
    }
}

}  // namespace
}  // namespace parley::app
