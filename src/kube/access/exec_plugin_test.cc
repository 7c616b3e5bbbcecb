#include "kube/access/exec_plugin.h"

#include "base/clock.h"
#include "kube/access/kubeconfig_kit_test.h"
#include "kube/access/kubeconfig_load.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace parley::kube {
namespace {

class Plugin : public testing::Test {
protected:
    /// Runs a script; what it wrote, or the error.
    std::string run(const std::string& body) {
        run_.path = scratch_.script("plugin", body);
        return run_again();
    }
    std::string run_again() const {
        const auto output = run_plugin(run_);
        return output ? output->reveal() : scratch_.shown(message_of(output));
    }

    Scratch scratch_;
    PluginRun run_{.environment = process_environment(), .limit = seconds(20)};
};

TEST_F(Plugin, gets_arguments_and_variables_and_no_shell_in_between) {
    run_.args = {Secret("a b"), Secret("$HOME; echo *"), Secret("")};
    run_.environment = {{"X", "y z"}};
    EXPECT_EQ(run("printf '[%s]' \"$@\" \"$X\" \"${HOME-none}\"\n"),
              "[a b][$HOME; echo *][][y z][none]");
}

TEST_F(Plugin, has_no_terminal_and_no_input) {
    EXPECT_EQ(run("cat; (: </dev/tty) 2>/dev/null && echo terminal; echo done\n"), "done\n");
}

TEST_F(Plugin, has_our_input_when_it_may_ask) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ASSERT_EQ(::write(ends[1], "typed\n", 6), 6);
    const int before = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    ASSERT_EQ(::dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    run_.interactive = true;
    EXPECT_EQ(run("read -r line; echo got $line\n"), "got typed\n");
    run_.interactive = false;
    ASSERT_EQ(::write(ends[1], "more\n", 5), 5);
    EXPECT_EQ(run("read -r line; echo got $line\n"), "got\n");
    ::dup2(before, STDIN_FILENO);
    for (const int each : {before, ends[0], ends[1]}) ::close(each);
}

TEST_F(Plugin, inherits_no_file_of_ours) {
    const int ours = ::open("/dev/null", O_RDONLY);  // Without close-on-exec, as Asio's sockets.
    ASSERT_GE(ours, 3);
    EXPECT_EQ(run("for f in 3 4 5 6 7 8 9; do (: <&$f) 2>/dev/null && echo $f; done; echo end\n"),
              "end\n");
    ::close(ours);
}

TEST_F(Plugin, is_not_hindered_by_signals_that_we_block_or_ignore) {
    sigset_t blocked;
    sigset_t before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    const auto handler = ::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(run("kill -TERM $$; echo survived\n"), "it was ended by signal 15");
    EXPECT_EQ(run("kill -PIPE $$; echo survived\n"), "it was ended by signal 13");
    ::signal(SIGPIPE, handler);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(Plugin, may_fail_and_say_why_but_not_what_is_secret) {
    EXPECT_EQ(run("echo 'Unable to locate credentials.' >&2; echo " + kCanary + "; exit 255\n"),
              "it failed with exit status 255; run it by hand to see why: Unable to locate "
              "credentials.");
    EXPECT_EQ(run("printf 'a\\n\\033[31mtoken=" + kCanary + " is bad\\n' >&2; exit 1\n"),
              "it failed with exit status 1; run it by hand to see why: a token=(hidden) is bad");
    EXPECT_EQ(run("exit 3\n"), "it failed with exit status 3; run it by hand to see why");
    const std::string much =
        run("i=0; while [ $i -lt 3000 ]; do echo line-$i >&2; i=$((i+1)); done; exit 1\n");
    EXPECT_TRUE(much.ends_with("line-2998 line-2999")) << much;
    EXPECT_LT(much.size(), 500U);
    const std::string long_word = run("printf '%05000d" + kCanary + "' 7 >&2; exit 1\n");
    EXPECT_LT(long_word.size(), 500U);
}

TEST_F(Plugin, may_write_a_megabyte_and_not_more) {
    EXPECT_EQ(run("head -c 1048576 /dev/zero | tr '\\0' x\n"), std::string(1 << 20, 'x'));
    EXPECT_EQ(run("head -c 2097152 /dev/zero | tr '\\0' x\n"),
              "it wrote more than 1048576 bytes; is it a credential plugin?");
    const TimePoint before = wall_now();
    EXPECT_EQ(run("yes\n"), "it wrote more than 1048576 bytes; is it a credential plugin?");
    EXPECT_LT(wall_now() - before, seconds(10));
}

TEST_F(Plugin, may_write_much_to_both_at_once) {
    EXPECT_EQ(run("head -c 500000 /dev/zero >&2; head -c 500000 /dev/zero | tr '\\0' x; head -c "
                  "500000 /dev/zero >&2\n"),
              std::string(500'000, 'x'));
}

TEST_F(Plugin, is_killed_with_its_children_when_it_hangs) {
    run_.limit = milliseconds(1500);  // Long enough to start a shell on a busy machine.
    const TimePoint before = wall_now();
    EXPECT_EQ(run("sleep 60 & echo $! > \"$0.child\"; echo waiting >&2; wait\n"),
              "it took longer than 1s500ms; run it by hand to see what it waits for: waiting");
    EXPECT_LT(wall_now() - before, seconds(10));
    const pid_t child = std::stoi(scratch_.read("plugin.child"));
    bool gone = false;
    for (int i = 0; i < 200 && !gone; ++i) {  // Until init has taken it.
        gone = ::kill(child, 0) != 0 ||
               scratch_.read("../../proc/" + std::to_string(child) + "/stat").find(") Z") !=
                   std::string::npos;
        if (!gone) ::poll(nullptr, 0, 10);
    }
    EXPECT_TRUE(gone);
}

TEST_F(Plugin, is_killed_when_it_hangs_with_its_output_closed) {
    run_.limit = milliseconds(200);
    EXPECT_EQ(run("exec >&- 2>&-; sleep 60\n"),
              "it took longer than 200ms; run it by hand to see what it waits for");
}

TEST_F(Plugin, has_ended_when_it_ends_though_a_helper_holds_its_output) {
    const TimePoint before = wall_now();
    EXPECT_EQ(run("sleep 30 & echo $! > \"$0.child\"; echo done\n"), "done\n");
    EXPECT_LT(wall_now() - before, seconds(15));
    ::kill(std::stoi(scratch_.read("plugin.child")), SIGKILL);
}

TEST_F(Plugin, may_be_none_at_all) {
    run_.path = scratch_.path("none");
    EXPECT_EQ(run_again(),
              "it cannot be started: No such file or directory; run it by hand to see why");
    run_.path = scratch_.script("bad", "");
    scratch_.write("bad", "#!/no/such/interpreter\n");
    EXPECT_EQ(run_again(),
              "it cannot be started: No such file or directory; run it by hand to see why");
    run_.environment["BIG"] = std::string(200'000, 'x');
    EXPECT_EQ(run("echo\n"),
              "it cannot be started: Argument list too long; run it by hand to see why");
}

TEST(PluginRun, lays_variables_over_those_of_the_process) {
    const PluginRun run = plugin_run(
        "/p",
        {.args = {Secret("a")}, .env = {{"A", Secret("2")}, {"KUBERNETES_EXEC_INFO", Secret("x")}}},
        {{"A", "1"}, {"B", "1"}}, "{}");
    EXPECT_EQ(run.environment,
              (Environment{{"A", "2"}, {"B", "1"}, {"KUBERNETES_EXEC_INFO", "{}"}}));
    EXPECT_EQ(run.args.at(0).reveal(), "a");
}

class Finding : public testing::Test {
protected:
    std::string find(const std::string& command, const AllowedPrograms& allowed = {}) const {
        const auto path =
            find_program({.command = command, .install_hint = hint_}, environment_, allowed);
        return scratch_.shown(path ? *path : message_of(path));
    }

    Scratch scratch_;
    std::string hint_;
    Environment environment_ = {{"PATH", "relative::" + scratch_.path("none") + ":" +
                                             scratch_.path("a") + ":" + scratch_.path("b")}};
};

TEST_F(Finding, takes_the_first_program_in_the_absolute_folders_of_path) {
    scratch_.script("b/aws", "");
    EXPECT_EQ(find("aws"), "DIR/b/aws");
    scratch_.write("a/aws", "no program");
    EXPECT_EQ(find("aws"), "DIR/b/aws");
    scratch_.script("a/aws", "");
    EXPECT_EQ(find("aws"), "DIR/a/aws");
    EXPECT_EQ(find(scratch_.path("a/../b/aws")), "DIR/b/aws");
    environment_["PATH"] = ".::" + std::filesystem::proximate(scratch_.path("b")).string();
    EXPECT_EQ(find("aws"), "the credential plugin \"aws\" is in no folder of PATH; install it");
    environment_.clear();
    EXPECT_EQ(find("aws"), "the credential plugin \"aws\" is in no folder of PATH; install it");
}

TEST_F(Finding, gives_the_install_hint_on_one_plain_line) {
    hint_ = "\nGet it:\n\n  \x1b[1mbrew install x\x1b[0m\n";
    EXPECT_EQ(find("aws"),
              "the credential plugin \"aws\" is in no folder of PATH; its kubeconfig says: "
              "Get it: ?[1mbrew install x?[0m");
    EXPECT_EQ(find(scratch_.path("aws")),
              "the credential plugin \"DIR/aws\" does not exist; its "
              "kubeconfig says: Get it: ?[1mbrew install x?[0m");
    hint_ = std::string(100'000, 'x');
    EXPECT_LT(find("aws").size(), 700U);
}

TEST_F(Finding, refuses_what_is_no_program) {
    EXPECT_EQ(find(scratch_.write("x", "")),
              "the credential plugin \"DIR/x\" is no program that can be run; try chmod +x");
    EXPECT_EQ(find(scratch_.folder()),
              "the credential plugin \"DIR\" is no program that can be run; try chmod +x");
}

TEST_F(Finding, runs_only_what_is_allowed) {
    const std::string path = scratch_.script("b/aws", "");
    const std::string no =
        "the kubeconfig runs the program \"DIR/b/aws\", which is not allowed; allow it "
        "with --allow-exec DIR/b/aws";
    const auto allow = [](const std::string& text) { return AllowedPrograms({text}); };
    EXPECT_EQ(find("aws", allow(path)), "DIR/b/aws");
    EXPECT_EQ(find(path, allow(path)), "DIR/b/aws");
    EXPECT_EQ(find("aws", allow("aws")), "DIR/b/aws");
    EXPECT_EQ(find("aws", allow(scratch_.path("b/./../b/aws"))), "DIR/b/aws");
    EXPECT_EQ(find("aws", AllowedPrograms(std::vector<std::string>{})), no);
    EXPECT_EQ(find("aws", allow("")), no);
    EXPECT_EQ(find("aws", allow("gcloud")), no);
    EXPECT_EQ(find("aws", allow(scratch_.path("a/aws"))), no);
    // A name allows only the program that PATH finds for it, not every one of that name.
    const std::string other = scratch_.script("other/aws", "");
    EXPECT_NE(find(other, allow("aws")), "DIR/other/aws");
}

}  // namespace
}  // namespace parley::kube
