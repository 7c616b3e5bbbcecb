#include "apps/terminal/standard_streams.h"

#include "apps/terminal/cli.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace parley::app {
namespace {

/// While it lives, a descriptor of the program is another file.
class Instead {
public:
    Instead(int place, int other) : place_(place), kept_(::dup(place)) { ::dup2(other, place); }
    ~Instead() {
        ::dup2(kept_, place_);
        ::close(kept_);
    }
    Instead(const Instead&) = delete;
    Instead& operator=(const Instead&) = delete;

private:
    int place_;
    int kept_;
};

TEST(StandardStreams, no_file_takes_the_place_of_one_that_was_closed) {
    const Instead input(STDIN_FILENO, STDIN_FILENO);
    ::close(STDIN_FILENO);
    keep_standard_streams();
    EXPECT_NE(::fcntl(STDIN_FILENO, F_GETFD), -1);
    const int next = ::open("/dev/null", O_RDONLY);
    EXPECT_GT(next, STDERR_FILENO);
    ::close(next);
}

TEST(StandardStreams, what_was_written_leaves_the_status_as_it_is) {
    EXPECT_EQ(status_when_printed(kDone), kDone);
    EXPECT_EQ(status_when_printed(kWrongUse), kWrongUse);
}

/// Prints a word to `place` and gives the status and what was said of it.
std::pair<int, std::string> printed_to(int place, int status) {
    std::fflush(stdout);
    const Instead output(STDOUT_FILENO, place);
    testing::internal::CaptureStderr();
    std::fputs("a word", stdout);
    const int said = status_when_printed(status);
    std::clearerr(stdout);
    std::cout.clear();
    return {said, testing::internal::GetCapturedStderr()};
}

TEST(StandardStreams, a_full_disk_is_a_failure_and_is_said) {
    const int full = ::open("/dev/full", O_WRONLY);
    ASSERT_GE(full, 0);
    const auto [done, text] = printed_to(full, kDone);
    EXPECT_EQ(done, kFailed);
    EXPECT_TRUE(text.starts_with("error: what was printed could not be written")) << text;
    EXPECT_EQ(printed_to(full, kWrongUse).first, kWrongUse);
    ::close(full);
}

TEST(StandardStreams, a_reader_who_left_is_no_failure) {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ::close(pipe[0]);
    const auto [status, text] = printed_to(pipe[1], kDone);
    EXPECT_EQ(status, kDone);
    EXPECT_EQ(text, "");
    ::close(pipe[1]);
}

}  // namespace
}  // namespace parley::app
