#include "apps/terminal/command.h"

#include "apps/terminal/cli.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using Words = std::vector<std::string>;

/// What is wrong with a line, or "".
std::string wrong(Program& program, const std::string& line) {
    const auto understood = program.parse(line);
    return understood ? "" : understood.error().message;
}

/// The status of a program that was started with these words, and what it printed.
std::pair<int, std::string> done(Program& program, Words words) {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = program.run(static_cast<int>(words.size()), argv.data());
    std::string out = testing::internal::GetCapturedStdout();
    return {status, out + testing::internal::GetCapturedStderr()};
}

TEST(Flag, keeps_what_was_given) {
    Program program("parley", "test");
    std::string run;
    std::optional<std::string> node;
    Words names;
    Words noted;
    double share = 0;
    bool lines = false;
    program.text("RUN", run, "A folder").required();
    const Flag one = program.text("--node", node, "").noted_in(noted);
    const Flag more = program.texts("-n,--name", names, "").by_commas().noted_in(noted);
    program.number("--share", share, "");
    program.on("--lines", lines, "");
    EXPECT_EQ(wrong(program, "a -n x,y -n z --share 0.5 --lines"), "");
    EXPECT_EQ(run, "a");
    EXPECT_EQ(node, std::nullopt);
    EXPECT_EQ(names, (Words{"x", "y", "z"}));
    EXPECT_EQ(share, 0.5);
    EXPECT_TRUE(lines);
    EXPECT_FALSE(one.given());
    EXPECT_TRUE(more.given());
    EXPECT_EQ(more.name(), "--name");
    EXPECT_EQ(noted, (Words{"--name", "--name", "--name"}));
    EXPECT_TRUE(program.given("--lines"));
    EXPECT_FALSE(program.given("--node"));
    EXPECT_EQ(program.given(), (Words{"RUN", "--name", "--share", "--lines"}));
}

TEST(Flag, refuses_what_cannot_be) {
    Program program("parley", "test");
    std::string run;
    std::string form;
    bool all = false;
    double taken = 0;
    const Flag place = program.text("RUN", run, "");
    program.on("--all", all, "").excludes(place);
    program.text("--form", form, "").check(one_of({"round", "square"}));
    program.taken_number("--every", 0.1, 10, [&](double value) { taken = value; }, "");
    EXPECT_EQ(wrong(program, "a --all"), "RUN excludes --all");
    EXPECT_EQ(wrong(program, "--form squar"),
              "--form: \"squar\" is not one of round or square; did you mean square?");
    EXPECT_EQ(wrong(program, "--every 0.01"),
              "--every: Value 0.01 not in range 0.100000 to 10.000000");
    EXPECT_EQ(wrong(program, "--every 2"), "");
    EXPECT_EQ(taken, 2);
}

TEST(Flag, what_takes_a_text_says_what_is_wrong_with_it) {
    Program program("parley", "test");
    Words lists;
    program.taken(
        "--even",
        [](const std::string& text) {
            return text.size() % 2 == 0 ? std::string() : "--even is odd: " + text;
        },
        "");
    program.taken_list("--list", [&](const Words& all) { lists = all; }, "").by_commas();
    EXPECT_EQ(wrong(program, "--even ab --list x,y"), "");
    EXPECT_EQ(lists, (Words{"x", "y"}));
    EXPECT_EQ(wrong(program, "--even abc"), "--even is odd: abc");
}

TEST(Flag, given_again_it_adds) {
    Program program("parley", "test");
    Words keys;
    Words sets;
    program.texts("--trust", keys, "").take_all();
    program.texts("--set", sets, "").repeated();
    EXPECT_EQ(wrong(program, "--set a=1 --set b=2 --trust k l"), "");
    EXPECT_EQ(sets, (Words{"a=1", "b=2"}));
    EXPECT_EQ(keys, (Words{"k", "l"}));
}

TEST(Command, what_is_chosen_is_done_and_what_it_misses_is_named) {
    Program program("parley", "test");
    program.needs_command();
    bool enough = false;
    Command group = program.command("model", "Models");
    group.needs_command();
    group.command("list", "List them").runs([] { return 7; });
    program.command("why", "Why")
        .runs([] { return 8; }, [&] { return enough ? "" : "RUN, a run folder,"; });
    EXPECT_EQ(done(program, {"parley", "model", "list"}), std::pair(7, std::string()));
    EXPECT_EQ(
        done(program, {"parley", "why"}),
        std::pair(kWrongUse, std::string("error: RUN, a run folder, is required\n"
                                         "Nothing was done. All options: parley why --help\n")));
    enough = true;
    EXPECT_EQ(done(program, {"parley", "why"}).first, 8);
}

TEST(Flag, what_is_required_is_shown_so_though_another_flag_stands_in_for_it) {
    Program program("parley", "test");
    Command why = program.command("why", "Why");
    std::string run;
    bool schema = false;
    Flag place = why.text("RUN", run, "A run folder");
    place.required_unless(why.on("--schema", schema, "Print the schema"));
    EXPECT_EQ(wrong(program, "why"), "RUN is required");
    EXPECT_EQ(wrong(program, "why A"), "");
    const std::string help = done(program, {"parley", "why", "--help"}).second;
    EXPECT_NE(help.find("Usage: parley why [OPTIONS] RUN\n"), help.npos) << help;
    EXPECT_EQ(wrong(program, "why --schema"), "");
}

TEST(Command, what_is_hidden_is_not_offered_to_whoever_names_none) {
    Program program("parley", "test");
    program.needs_command();
    program.command("demo", "Start here");
    program.command("load", "Not for people").hide();
    program.command("why", "Why");
    EXPECT_EQ(wrong(program, ""), "parley needs a command: demo or why");
    EXPECT_EQ(wrong(program, "lod"), "there is no command \"lod\"; there are demo and why");
    EXPECT_EQ(wrong(program, "load"), "") << "it is there all the same";
}

TEST(Command, help_lists_it_under_its_headings_unless_it_is_hidden) {
    Program program("parley", "What it is.");
    program.version("--version", "parley 9", "Print the version");
    Command demo = program.command("demo", "Start here");
    demo.alias("show");
    program.command("load", "Not for people").hide();
    program.footer("The end.");
    std::string place;
    {
        const OptionGroup heading(demo, "Dashboard");
        demo.text("--listen", place, "Serve it here").type("ADDR:PORT");
    }
    demo.text("--other", place, "Another");
    const auto [status, text] = done(program, {"parley", "--help"});
    EXPECT_EQ(status, kDone);
    EXPECT_NE(text.find("What it is."), text.npos);
    EXPECT_NE(text.find("demo, show"), text.npos) << text;
    EXPECT_EQ(text.find("load"), text.npos) << text;
    EXPECT_TRUE(text.ends_with("The end.\n")) << text;
    const std::string of_demo = done(program, {"parley", "demo", "--help"}).second;
    EXPECT_NE(of_demo.find("Dashboard:\n  --listen ADDR:PORT"), of_demo.npos) << of_demo;
    EXPECT_LT(of_demo.find("--other"), of_demo.find("Dashboard:")) << of_demo;
    EXPECT_EQ(done(program, {"parley", "--version"}), std::pair(kDone, std::string("parley 9\n")));
}

}  // namespace
}  // namespace parley::app
