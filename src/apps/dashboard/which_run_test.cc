#include "apps/dashboard/which_run.h"

#include "base/words.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

AskPerson says(const char* text) {
    return [text](const std::string&) { return std::optional<std::string>(text); };
}
const AskPerson kNobody = [](const std::string&) { return std::optional<std::string>(); };

TEST(WhichRun, each_is_named_once) {
    EXPECT_EQ(runs_shown({{.runs = {"/b", "/a"}}, {.runs = {"/a"}}}),
              (std::vector<std::string>{"/a", "/b"}));
    EXPECT_TRUE(runs_shown({}).empty());
}

TEST(WhichRun, a_person_chooses_by_number) {
    const std::vector<std::string> choices{"/a", "/b"};
    EXPECT_EQ(which_of(choices, "parley stop", says("2")).value(), "/b");
    EXPECT_EQ(which_of(choices, "parley stop", says("3")).error().message,
              "\"3\" is none of 1 to 2");
    for (const char* other : {"", "0", "-1", "b", "1 2"}) {
        EXPECT_FALSE(which_of(choices, "parley stop", says(other))) << other;
    }
}

TEST(WhichRun, nobody_to_ask_is_told_the_choices_and_not_one_is_taken) {
    EXPECT_EQ(which_of({"/runs/my run"}, "parley stop", kNobody).error().message,
              "which run is meant is never guessed; name one, or take --all: parley stop "
              "'/runs/my run'");
    EXPECT_EQ(which_of({"/a", "/b"}, "parley link", kNobody).error().message,
              "which run is meant is never guessed; name one, or take --all: parley link /a and "
              "parley link /b");
}

TEST(WhichRun, a_stop_is_lifted_for_a_reason_that_a_person_is_asked_for) {
    std::string asked;
    const auto answers = [&](std::optional<std::string> line) {
        return [&asked, line](const std::string& question) {
            asked = question;
            return line;
        };
    };
    EXPECT_EQ(*reason_of(true, "it is back", answers("no")), "it is back");
    EXPECT_EQ(asked, "") << "it was given";
    EXPECT_EQ(*reason_of(true, "", answers("it is back")), "it is back");
    EXPECT_TRUE(asked.starts_with("Why may it act again?"));
    for (const std::optional<std::string>& line :
         {std::optional<std::string>(), std::optional<std::string>(" ")}) {
        const auto refused = reason_of(true, "", answers(line));
        ASSERT_FALSE(refused);
        EXPECT_TRUE(refused.error().message.ends_with("parley stop RUN --clear --because TEXT"));
    }
    EXPECT_EQ(*reason_of(false, "", answers("no")), "");
    EXPECT_FALSE(reason_of(false, "it is back", answers("no"))) << "nobody asked for it";
}

TEST(WhichRun, what_lifts_a_stop_works_wherever_it_is_typed) {
    EXPECT_EQ(lift_command("/no such/run"), "parley stop '/no such/run' --clear");
    EXPECT_TRUE(lift_command("runs/x").starts_with("parley stop /"));
}

TEST(ShellWord, quotes_only_what_has_to_be) {
    EXPECT_EQ(shell_word("runs/tour-7"), "runs/tour-7");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("a b"), "'a b'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word("$(rm)"), "'$(rm)'");
}

}  // namespace
}  // namespace parley::app
