#include "apps/tuning/compare_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

Result<CompareFlags> given(const std::string& line) {
    Program program("test", "");
    CompareFlags flags;
    add_compare_flags(program, flags);
    if (auto understood = program.parse(line); !understood) {
        return tl::unexpected(understood.error());
    }
    return flags;
}

CompareFlags parsed(const std::string& line) { return given(line).value(); }

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
        EXPECT_FALSE(given(line)) << line;
    }
}

}  // namespace
}  // namespace parley::app
