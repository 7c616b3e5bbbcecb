#include "apps/running/run_folder.h"

#include "fake/disk.h"
#include "store/run_writer.h"

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

TEST(RunFolder, only_a_run_that_came_to_its_own_end_is_over) {
    using enum store::RunStatus;
    fake::Disk disk;
    EXPECT_EQ(complete_rounds(disk, "none"), std::nullopt);
    for (const store::RunStatus how : {complete, stopped, failed, running}) {
        const std::string run(enum_name(how));
        {
            const auto writer = store::RunWriter::create(disk, run, {}, {});
            ASSERT_TRUE(writer) << writer.error().message;
            EXPECT_EQ(complete_rounds(disk, run), std::nullopt) << "a process writes it";
            if (how != running) ASSERT_TRUE((*writer)->finish({.status = how, .rounds = 3}));
        }
        const auto over = complete_rounds(disk, run);
        EXPECT_EQ(over, how == complete ? std::optional<std::uint64_t>(3) : std::nullopt) << run;
    }
}

TEST(RunFolder, says_goodbye_with_three_commands) {
    EXPECT_EQ(
        farewell("tour, seed 7", "runs/tour-7", 142, "stopped"),
        "The run is in runs/tour-7: tour, seed 7, 142 rounds, stopped.\nGo on with\n"
        "  parley why runs/tour-7\n  parley replay runs/tour-7\n  parley digest runs/tour-7\n");
    EXPECT_EQ(farewell("tour, seed 7", "", 1, "complete"),
              "tour, seed 7: 1 round, complete. Nothing was recorded.\n");
}

TEST(RunFolder, names_no_command_that_must_fail) {
    EXPECT_EQ(farewell("tour, seed 7", "A", 1, "complete", store::RecordLevel::decisions),
              "The run is in A: tour, seed 7, 1 round, complete.\nGo on with\n"
              "  parley why A\n  parley digest A\n")
        << "there are no inputs to decide on again";
    EXPECT_EQ(farewell("prod", "A", 0, "failed"),
              "The run is in A: prod, 0 rounds, failed.\n"
              "It has no round yet, so there is nothing to ask it.\n");
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
