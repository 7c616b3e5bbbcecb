#include "apps/running/kill_switch.h"

#include "base/clock.h"
#include "fake/disk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdlib.h>

namespace parley::app {
namespace {

/// A run folder on the real disk, as the watch has a thread of its own.
struct RunFolder {
    RunFolder() {
        std::string pattern = testing::TempDir() + "parley_kill_XXXXXX";
        EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
        path = pattern;
    }
    ~RunFolder() { std::filesystem::remove_all(path); }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    std::string path;
};

TEST(KillSwitch, stays_pressed_until_a_person_lifts_it_and_both_are_written_down) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "run").has_value());
    EXPECT_FALSE(kill_switch_pressed(disk, "run"));
    EXPECT_FALSE(*lift_kill_switch(disk, "run", {.who = "ann"}));
    ASSERT_TRUE(press_kill_switch(disk, "run", {.who = "ann", .after_round = 12}).has_value());
    ASSERT_TRUE(press_kill_switch(disk, "run", {.who = "ben"}).has_value());
    EXPECT_TRUE(kill_switch_pressed(disk, "run"));
    const auto press = kill_switch_press(disk, "run");
    ASSERT_TRUE(press.has_value());
    EXPECT_EQ(press->who, "ann") << "the first";
    EXPECT_EQ(press->after_round, 12U);
    EXPECT_FALSE(press->at.empty());
    EXPECT_TRUE(*lift_kill_switch(disk, "run", {.who = "cid", .because = "all is well"}));
    EXPECT_FALSE(kill_switch_pressed(disk, "run"));
    const auto people = read_file(disk, "run/people.jsonl");
    ASSERT_TRUE(people.has_value());
    EXPECT_NE(people->find("\"what\":\"stop\",\"who\":\"ann\""), std::string::npos);
    EXPECT_EQ(people->find("ben"), std::string::npos) << "it was pressed already";
    EXPECT_NE(people->find("\"what\":\"clear\",\"who\":\"cid\",\"because\":\"all is well\""),
              std::string::npos)
        << *people;
}

TEST(KillSwitch, a_run_whose_ledger_is_stopped_stays_so_unless_a_person_lifted_it) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "run").has_value());
    EXPECT_FALSE(*was_lifted_since(disk, "run", false));
    EXPECT_FALSE(kill_switch_pressed(disk, "run")) << "nobody stopped it";

    ASSERT_TRUE(press_kill_switch(disk, "run", {.who = "ann"}).has_value());
    EXPECT_FALSE(*was_lifted_since(disk, "run", true));
    ASSERT_TRUE(disk.remove("run/stopped.json").has_value());  // By hand: nobody can be asked.
    EXPECT_FALSE(*was_lifted_since(disk, "run", true));
    EXPECT_EQ(kill_switch_press(disk, "run")->who, "the run's ledger");

    EXPECT_TRUE(*lift_kill_switch(disk, "run", {.who = "ben"}));
    EXPECT_TRUE(*was_lifted_since(disk, "run", true));
    EXPECT_FALSE(kill_switch_pressed(disk, "run"));
    ASSERT_TRUE(append(**disk.open("run/people.jsonl", OpenMode::create),
                       "no JSON\n{\"what\":7}\n{\"what\":\"looked\"}\n")
                    .has_value());
    EXPECT_TRUE(*was_lifted_since(disk, "run", true)) << "what is no word of it does not count";
}

TEST(KillSwitch, a_file_that_says_nothing_is_a_stop_as_well) {
    for (const char* text : {"", "{}", "by hand\n", "{\"who\":7,\"after_round\":-1}",
                             "{\"after_round\":1e300}", "{\"after_round\":null}"}) {
        fake::Disk disk;
        ASSERT_TRUE(make_directories(disk, "run").has_value());
        ASSERT_TRUE(write_file_atomically(disk, "run/stopped.json", text).has_value());
        const auto press = kill_switch_press(disk, "run");
        ASSERT_TRUE(press.has_value()) << text;
        EXPECT_EQ(press->who, "") << text;
        EXPECT_EQ(press->after_round, std::nullopt) << text;
    }
    fake::Disk disk;
    EXPECT_EQ(kill_switch_press(disk, "run"), std::nullopt);
}

TEST(KillSwitch, is_seen_before_the_first_round_and_soon_after_it_is_pressed) {
    const RunFolder folder;
    const auto into = std::make_shared<std::atomic<bool>>(true);
    const KillSwitchWatch watch(real_disk(), folder.path, into);
    EXPECT_FALSE(*into) << "at once";
    ASSERT_TRUE(press_kill_switch(real_disk(), folder.path, {.who = "ann"}).has_value());
    for (int i = 0; i < 100 && !*into; ++i) nap(milliseconds(50));
    EXPECT_TRUE(*into);
}

TEST(KillSwitch, one_that_could_not_be_written_down_stays_pressed) {
    const RunFolder folder;
    const auto into = std::make_shared<std::atomic<bool>>(false);
    const KillSwitchWatch watch(real_disk(), folder.path, into);
    *into = true;  // As the dashboard does, on a disk that is full.
    nap(milliseconds(700));
    EXPECT_TRUE(*into);
}

TEST(KillSwitch, one_that_is_lifted_as_soon_as_it_was_pressed_is_lifted) {
    const RunFolder folder;
    const auto into = std::make_shared<std::atomic<bool>>(false);
    KillSwitchWatch watch(real_disk(), folder.path, into);
    ASSERT_TRUE(watch.press({.who = "ann"}).has_value());
    EXPECT_TRUE(*into);
    ASSERT_TRUE(
        *lift_kill_switch(real_disk(), folder.path, {.who = "ben"}));  // Before it was looked for.
    for (int i = 0; i < 100 && *into; ++i) nap(milliseconds(50));
    EXPECT_FALSE(*into);
}

}  // namespace
}  // namespace parley::app
