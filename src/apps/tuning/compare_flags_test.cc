#include "apps/tuning/compare_flags.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

namespace parley::app {
namespace {

CompareFlags parsed(const std::string& line) {
    CLI::App command;
    CompareFlags flags;
    add_compare_flags(command, flags);
    command.parse(line);
    return flags;
}

TEST(CompareFlags, name_scenarios_and_arms_by_commas_and_policies_one_by_one) {
    const CompareFlags flags =
        parsed("--scenario mixed,./mine.yaml --arms brain,never --policy a.yaml --policy b.yaml");
    EXPECT_EQ(flags.scenarios, (std::vector<std::string>{"mixed", "./mine.yaml"}));
    EXPECT_EQ(flags.arms, (std::vector<std::string>{"brain", "never"}));
    EXPECT_EQ(flags.policies, (std::vector<std::string>{"a.yaml", "b.yaml"}));
    EXPECT_EQ(parsed("").scenarios.size(), 6U);
    EXPECT_EQ(parsed("").arms.front(), "brain");
}

TEST(CompareFlags, refuse_pairs_and_threads_that_cannot_be) {
    EXPECT_EQ(parsed("--pairs 2").pairs, 2);
    EXPECT_EQ(parsed("--pairs 100000").pairs, 100'000);
    for (const char* line : {"--pairs 1", "--pairs 100001", "--threads 0", "--threads 257"}) {
        EXPECT_THROW(parsed(line), CLI::ParseError) << line;
    }
}

}  // namespace
}  // namespace parley::app
