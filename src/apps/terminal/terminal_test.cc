#include "apps/terminal/terminal.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::app {
namespace {

using Keys = std::vector<Key>;

TEST(Keys, letters_are_keys) {
    KeyParser parser;
    EXPECT_EQ(parser.feed("wnqld []\rx"),
              (Keys{Key::why, Key::why_not, Key::quit, Key::live, Key::difference, Key::pause,
                    Key::previous, Key::next, Key::enter, Key::other}));
}

TEST(Keys, arrows_come_in_both_forms) {
    KeyParser parser;
    EXPECT_EQ(parser.feed("\x1b[D\x1b[C\x1bOA\x1bOB\x1b[1;2C"),
              (Keys{Key::left, Key::right, Key::up, Key::down, Key::right}));
}

TEST(Keys, a_sequence_may_come_in_pieces) {
    KeyParser parser;
    EXPECT_EQ(parser.feed("\x1b"), Keys{});
    EXPECT_EQ(parser.feed("["), Keys{});
    EXPECT_EQ(parser.feed("Dq"), (Keys{Key::left, Key::quit}));
}

TEST(Keys, an_escape_that_stays_alone_is_the_key) {
    KeyParser parser;
    EXPECT_EQ(parser.feed("\x1b"), Keys{});
    EXPECT_EQ(parser.settle(), Keys{Key::escape});
    EXPECT_EQ(parser.settle(), Keys{});
    EXPECT_EQ(parser.feed("q"), Keys{Key::quit});
}

TEST(Keys, unknown_and_endless_sequences_are_dropped) {
    KeyParser parser;
    EXPECT_EQ(parser.feed("\x1b[15~"), Keys{Key::other});
    EXPECT_EQ(parser.feed("\x1b[111111111111111111111"), Keys{Key::other});
    EXPECT_EQ(parser.feed("q"), Keys{Key::quit});
}

TEST(Terminal, is_not_taken_where_there_is_none) {
    // Tests have no terminal on both sides, or none of a size worth it.
    if (screen_possible()) GTEST_SKIP() << "run from a terminal";
    EXPECT_FALSE(screen_possible());
}

}  // namespace
}  // namespace parley::app
