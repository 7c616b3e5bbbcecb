#include "apps/tuning/compare_keep.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using experiment::DoneRun;

experiment::Plan plan() {
    experiment::Plan made{.scenarios = {"calm"}};
    made.arms = {{.name = "evidence"}, {.name = "never", .kind = experiment::ArmKind::never}};
    return made;
}

DoneRun run(std::uint64_t seed, double cost) {
    return {"calm", "evidence", seed, {.cost = cost, .failures = 3}};
}

TEST(CompareKeep, what_was_kept_is_there_again) {
    fake::Disk disk;
    {
        auto kept = KeptRuns::open(disk, "runs", plan());
        ASSERT_TRUE(kept) << kept.error().message;
        EXPECT_TRUE(kept->done().empty());
        kept->keep(run(1, 0.1 + 0.2));
        kept->keep(run(2, 7));
        EXPECT_TRUE(kept->outcome());
    }
    auto again = KeptRuns::open(disk, "runs", plan());
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->done(), (std::vector{run(1, 0.1 + 0.2), run(2, 7)}));
    again->keep(run(3, 8));
    EXPECT_EQ(KeptRuns::open(disk, "runs", plan())->done().size(), 3U);
}

TEST(CompareKeep, a_line_that_a_kill_cut_short_is_dropped) {
    fake::Disk disk;
    KeptRuns::open(disk, "runs", plan())->keep(run(1, 2));
    const std::string whole = *read_file(disk, "runs");
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        ASSERT_TRUE(write_file_atomically(disk, "runs", whole.substr(0, size)));
        auto kept = KeptRuns::open(disk, "runs", plan());
        ASSERT_TRUE(kept) << size << ": " << kept.error().message;
        EXPECT_EQ(kept->done().size(), size == whole.size() ? 1U : 0U) << size;
        kept->keep(run(5, 6));
        EXPECT_EQ(KeptRuns::open(disk, "runs", plan())->done().back(), run(5, 6)) << size;
    }
}

TEST(CompareKeep, runs_of_another_comparison_and_other_files_are_refused) {
    fake::Disk disk;
    KeptRuns::open(disk, "runs", plan())->keep(run(1, 2));
    experiment::Plan other = plan();
    other.span.length = hours(1);
    auto refused = KeptRuns::open(disk, "runs", other);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("runs of another comparison"), std::string::npos);
    other = plan();
    other.arms[0].policy.stakes.margin += 1;
    EXPECT_FALSE(KeptRuns::open(disk, "runs", other));
    ASSERT_TRUE(write_file_atomically(disk, "notes", "my notes\n"));
    refused = KeptRuns::open(disk, "notes", plan());
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("does not hold runs"), std::string::npos);
    EXPECT_EQ(*read_file(disk, "notes"), "my notes\n");
}

}  // namespace
}  // namespace parley::app
