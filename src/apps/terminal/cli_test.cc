#include "apps/terminal/cli.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace parley::app {
namespace {

/// What is wrong with a line, or "" if all is well.
std::string complaint(const std::string& line) {
    Program program("parley", "test");
    program.needs_command();
    Format format{};
    RunFlags flags;
    Command simulate = program.command("simulate", "");
    add_run_flags(simulate, flags, "300");
    add_output(simulate, format, {"table", "json"});
    Command config = program.command("config", "");
    config.needs_command();
    config.command("print", "");
    std::optional<std::uint64_t> round;
    int pairs = 0;
    Command why = program.command("why", "");
    add_whole(why, "--round", round, "");
    add_whole(why, "--pairs", pairs, "", {2, 100});
    const auto understood = program.parse(line);
    if (!understood) return "error: " + understood.error().message;
    const auto settings = settings_of(flags);
    return settings ? "" : "error: " + settings.error().message;
}

TEST(Cli, accepts_what_is_right) {
    EXPECT_EQ(complaint("simulate --seed 3 --set run.rounds=5 --set policy.guard.headroom=0.5"),
              "");
    EXPECT_EQ(complaint("simulate -o json"), "");
}

TEST(Cli, names_the_nearest_right_word) {
    EXPECT_EQ(complaint("simulat"),
              "error: there is no command \"simulat\"; did you mean simulate?");
    EXPECT_EQ(complaint("xyzzy"),
              "error: there is no command \"xyzzy\"; there are simulate, config and why");
    EXPECT_EQ(complaint("simulate --sead 3"),
              "error: there is no option --sead of parley simulate; did you mean --seed?");
    EXPECT_EQ(
        complaint("simulate --event_dir=x"),
        "error: there is no option --event_dir of parley simulate; did you mean --event-dir?");
    EXPECT_EQ(complaint("config pint"),
              "error: there is no command pint of parley config; did you mean print?");
}

TEST(Cli, says_what_is_missing_or_too_much) {
    EXPECT_EQ(complaint(""), "error: parley needs a command: simulate, config or why");
    EXPECT_EQ(complaint("config"), "error: parley config needs a command: print");
    EXPECT_EQ(complaint("simulate --seed"), "error: --seed needs a value");
    EXPECT_EQ(complaint("simulate extra"),
              "error: parley simulate takes nothing more, and \"extra\" was given");
    EXPECT_EQ(complaint("simulate -o xml"), "error: -o: \"xml\" is not one of table or json");
    EXPECT_EQ(complaint("simulate -o tabel"),
              "error: -o: \"tabel\" is not one of table or json; did you mean table?");
}

TEST(Cli, help_says_how_many_rounds_are_made_where_nobody_says) {
    Program program("parley", "test");
    RunFlags flags;
    Command simulate = program.command("simulate", "");
    add_run_flags(simulate, flags, "300");
    std::string words[] = {"parley", "simulate", "--help"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    testing::internal::CaptureStdout();
    EXPECT_EQ(program.run(3, argv), kDone);
    const std::string help = testing::internal::GetCapturedStdout();
    EXPECT_NE(help.find("Stop after this many rounds (default 300)"), help.npos) << help;
    EXPECT_NE(help.find("(default runs/NAME-SEED, or the first of -2, -3, ... that is free)"),
              help.npos)
        << help;
}

TEST(Cli, values_are_checked_as_in_a_file) {
    EXPECT_EQ(complaint("simulate --seed abc"),
              "error: --seed: run.seed must be a whole number of at least 0, not \"abc\"");
    EXPECT_EQ(
        complaint("simulate --rounds 0"),
        "error: --rounds: run.rounds must be a whole number from 1 to 1,000,000,000, not \"0\"");
    EXPECT_EQ(complaint("simulate --profile protype"),
              "error: --profile: policy.profile cannot be \"protype\"; did you mean prototype?");
    EXPECT_EQ(complaint("simulate --set nonsense"),
              "error: --set \"nonsense\" is not KEY=VALUE; write such as --set "
              "policy.guard.headroom=0.2");
}

TEST(Cli, whole_numbers_are_decimal_and_never_wrap) {
    for (const char* wrong : {"-1", "0x10", "+3", "1e3", "2.0", "99999999999999999999"}) {
        EXPECT_EQ(complaint(std::string("why --round ") + wrong),
                  std::string("error: --round must be a whole number of at least 0, not \"") +
                      wrong + "\"");
    }
    EXPECT_EQ(complaint("why --round 18446744073709551615"), "");
    EXPECT_EQ(complaint("why --pairs 0100"), "");
    EXPECT_EQ(complaint("why --pairs 0101"),
              "error: --pairs must be a whole number from 2 to 100, not \"0101\"");
}

TEST(Cli, a_leading_zero_does_not_make_a_number_octal) {
    Program program("parley", "test");
    int number = 0;
    add_whole(program, "--trials", number, "");
    EXPECT_TRUE(program.parse("--trials 010"));
    EXPECT_EQ(number, 10);
}

TEST(Cli, a_damaged_run_is_failure_and_a_wrong_folder_wrong_use) {
    EXPECT_EQ(status_of({ErrorCode::denied, "", {}}), kWrongUse);
    EXPECT_EQ(status_of({ErrorCode::gone, "", {}}), kWrongUse);
    EXPECT_EQ(status_of({ErrorCode::malformed, "", {}}), kFailed);
    EXPECT_EQ(status_of({ErrorCode::unavailable, "", {}}), kFailed);
}

TEST(Cli, names_do_nothing_to_a_terminal) {
    EXPECT_EQ(for_terminal("node-\x1b[31mX\r\n\tb\x7f \u00e9\u0085."),
              "node-?[31mX?\n?b? \u00e9?.");
    EXPECT_EQ(for_terminal(""), "");
}

TEST(Cli, a_pipe_gets_no_colours) { EXPECT_FALSE(wants_colour(-1)); }

TEST(Cli, a_word_of_a_list_is_taken_or_the_one_that_was_meant_is_named) {
    const auto check = one_of({"median", "hyperband", "none"});
    EXPECT_EQ(check("none"), "");
    EXPECT_EQ(check("hyperbnad"),
              "\"hyperbnad\" is not one of median, hyperband or none; did you mean hyperband?");
    EXPECT_EQ(check("zebra"), "\"zebra\" is not one of median, hyperband or none");
}

}  // namespace
}  // namespace parley::app
