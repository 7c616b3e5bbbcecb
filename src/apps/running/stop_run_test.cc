#include "apps/running/stop_run.h"

#include "fake/disk.h"
#include "store/run_writer.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

constexpr const char* kWho = "a person";
const Lift kLift{.who = kWho, .because = "all is well"};

std::unique_ptr<store::RunWriter> begun(Disk& disk, const std::string& run) {
    auto writer = store::RunWriter::create(disk, run, {}, {});
    EXPECT_TRUE(writer) << writer.error().message;
    return writer ? *std::move(writer) : nullptr;
}

TEST(StopRun, a_run_that_goes_on_sends_nothing_any_more) {
    fake::Disk disk;
    const auto writer = begun(disk, "a run");
    EXPECT_EQ(*stop_run(disk, "a run", kWho),
              "a run sends nothing any more, from its next request on. Lift it: parley stop 'a "
              "run' --clear");
    EXPECT_TRUE(kill_switch_pressed(disk, "a run"));
    EXPECT_EQ(*clear_run(disk, "a run", kLift), "a run may act again.");
    EXPECT_FALSE(kill_switch_pressed(disk, "a run"));
    EXPECT_EQ(*clear_run(disk, "a run", kLift), "a run was not stopped.");
}

TEST(StopRun, of_a_finished_run_nothing_is_to_be_stopped) {
    fake::Disk disk;
    ASSERT_TRUE(begun(disk, "A")->finish({.status = store::RunStatus::complete, .rounds = 60}));
    EXPECT_EQ(*stop_run(disk, "A", kWho),
              "Nothing of A was to be stopped: it is over, complete with 60 rounds.");
    EXPECT_FALSE(kill_switch_pressed(disk, "A"));
    // It was pressed while the run went on.
    ASSERT_TRUE(press_kill_switch(disk, "A", {.who = kWho}));
    EXPECT_EQ(*clear_run(disk, "A", kLift),
              "A is not stopped any more, but it is over, complete with 60 rounds.");
    EXPECT_FALSE(kill_switch_pressed(disk, "A"));
}

TEST(StopRun, one_that_was_killed_or_interrupted_is_stopped_for_whoever_goes_on_with_it) {
    fake::Disk disk;
    begun(disk, "killed");
    ASSERT_TRUE(begun(disk, "ended")->finish({.status = store::RunStatus::stopped, .rounds = 3}));
    for (const std::string run : {"killed", "ended"}) {
        EXPECT_EQ(*stop_run(disk, run, kWho), "No process runs " + run +
                                                  "; whoever goes on with it sends nothing. Lift "
                                                  "it: parley stop " +
                                                  run + " --clear");
        EXPECT_TRUE(kill_switch_pressed(disk, run));
        EXPECT_EQ(*clear_run(disk, run, kLift),
                  "No process runs " + run + "; whoever goes on with it may act again.");
    }
}

}  // namespace
}  // namespace parley::app
