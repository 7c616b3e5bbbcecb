#include "apps/session/run_folder.h"

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

TEST(RunFolder, resume_needs_a_folder_and_a_record) {
    Settings settings = default_settings();
    EXPECT_EQ(session_options(real_disk(), settings, true).error().message,
              "--resume needs to know which run: add --event-dir FOLDER");
    settings.run.event_dir = "A";
    settings.run.record = store::RecordLevel::none;
    EXPECT_EQ(session_options(real_disk(), settings, true).error().message,
              "--resume and --record none exclude each other; drop one");
}

TEST(RunFolder, says_goodbye_with_three_commands) {
    SessionOptions options{.scenario = std::make_shared<const sim::Scenario>(), .seed = 7};
    options.folder = "runs/tour-7";
    EXPECT_EQ(
        farewell(options, 142, "stopped"),
        "The run is in runs/tour-7: unnamed, seed 7, 142 rounds, stopped.\nGo on with\n"
        "  parley why runs/tour-7\n  parley replay runs/tour-7\n  parley digest runs/tour-7\n");
    options.folder = "";
    EXPECT_EQ(farewell(options, 1, "complete"),
              "unnamed, seed 7: 1 round, complete. Nothing was recorded.\n");
}

}  // namespace
}  // namespace parley::app
