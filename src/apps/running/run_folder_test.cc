#include "apps/running/run_folder.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(RunFolder, is_named_after_scenario_and_seed_and_the_first_that_is_free) {
    fake::Disk disk;
    Settings settings = default_settings();
    EXPECT_EQ(*run_folder(disk, settings, "tour"), "runs/tour-7");
    ASSERT_TRUE(disk.make_directory("runs"));
    ASSERT_TRUE(disk.make_directory("runs/tour-7"));
    EXPECT_EQ(*run_folder(disk, settings, "tour"), "runs/tour-7-2");
    ASSERT_TRUE(disk.make_directory("runs/tour-7-2"));
    EXPECT_EQ(*run_folder(disk, settings, "tour"), "runs/tour-7-3");
}

TEST(RunFolder, is_what_the_person_said) {
    fake::Disk disk;
    Settings settings = default_settings();
    settings.run.event_dir = "A";
    EXPECT_EQ(*run_folder(disk, settings, "tour"), "A");
    settings.run.record = store::RecordLevel::none;
    EXPECT_EQ(*run_folder(disk, settings, "tour"), "");
}

TEST(RunFolder, a_strange_name_makes_no_strange_path) {
    fake::Disk disk;
    EXPECT_EQ(*run_folder(disk, default_settings(), "../a b/c"), "runs/___a_b_c-7");
    EXPECT_EQ(*run_folder(disk, default_settings(), ""), "runs/run-7");
}

TEST(RunFolder, says_goodbye_with_three_commands) {
    EXPECT_EQ(
        farewell("tour, seed 7", "runs/tour-7", 142, "stopped"),
        "The run is in runs/tour-7: tour, seed 7, 142 rounds, stopped.\nGo on with\n"
        "  parley why runs/tour-7\n  parley replay runs/tour-7\n  parley digest runs/tour-7\n");
    EXPECT_EQ(farewell("tour, seed 7", "", 1, "complete"),
              "tour, seed 7: 1 round, complete. Nothing was recorded.\n");
}

TEST(RunFolder, a_record_that_is_gone_is_not_promised) {
    EXPECT_TRUE(is_kept({.code = ErrorCode::unavailable}));
    EXPECT_FALSE(is_kept({.code = ErrorCode::gone}));
    EXPECT_EQ(aftermath({.code = ErrorCode::denied}), "The rounds before are whole.");
    EXPECT_EQ(aftermath({.code = ErrorCode::gone}),
              "What was recorded before is not where it was put.");
}

}  // namespace
}  // namespace parley::app
