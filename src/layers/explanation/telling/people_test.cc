#include "layers/explanation/telling/people.h"

#include "base/time_text.h"
#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

void write(fake::Disk& disk, const std::string& text) {
    ASSERT_TRUE(make_directories(disk, "run"));
    ASSERT_TRUE(write_file_atomically(disk, "run/people.jsonl", text));
}

TEST(People, what_they_did_in_order_and_nothing_else) {
    fake::Disk disk;
    EXPECT_TRUE(read_people(disk, "run")->empty()) << "nobody did anything";
    write(disk,
          "{\"at\":\"2026-01-02T03:04:05Z\",\"what\":\"stop\",\"who\":\"ann\"}\n"
          "no JSON\n{\"what\":7}\n{\"what\":\"looked\"}\n"
          "{\"at\":\"2026-01-02T03:05:05Z\",\"what\":\"clear\",\"who\":\"ben\",\"because\":\"it "
          "is back\"}\n");
    EXPECT_EQ(*read_people(disk, "run"),
              (std::vector<PersonWord>{{"2026-01-02T03:04:05Z", "stop", "ann", ""},
                                       {"2026-01-02T03:05:05Z", "clear", "ben", "it is back"}}));
}

TEST(People, who_lifted_a_stop_is_said_of_the_round_that_knew_of_it) {
    fake::Disk disk;
    EXPECT_EQ(lifted_text(disk, "run", std::nullopt), "");
    write(disk,
          "{\"at\":\"2026-01-02T03:04:05Z\",\"what\":\"clear\",\"who\":\"ann\"}\n"
          "{\"at\":\"2026-01-02T03:14:05Z\",\"what\":\"clear\",\"who\":\"ben\",\"because\":\"it "
          "is back\"}\n");
    const std::string last = " by ben at 2026-01-02T03:14:05Z: it is back";
    EXPECT_EQ(lifted_text(disk, "run", std::nullopt), last);
    EXPECT_EQ(lifted_text(disk, "run", *parse_time("2026-01-02T03:14:06Z")), last);
    EXPECT_EQ(lifted_text(disk, "run", *parse_time("2026-01-02T03:04:06Z")),
              " by ann at 2026-01-02T03:04:05Z")
        << "a record of before has no reason";
    EXPECT_EQ(lifted_text(disk, "run", *parse_time("2026-01-02T03:04:04Z")), "");
}

}  // namespace
}  // namespace parley::explanation
