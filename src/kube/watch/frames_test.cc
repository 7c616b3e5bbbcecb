#include "kube/watch/frames.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::kube {
namespace {

std::vector<std::string> lines_of(Frames& frames) {
    std::vector<std::string> lines;
    while (const auto line = frames.next()) lines.emplace_back(*line);
    return lines;
}

using Lines = std::vector<std::string>;

TEST(Frames, gives_the_same_lines_however_the_bytes_come) {
    const std::string bytes = "one\ntwo\r\n\n{\"a\": \"b\"}\nrest";
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
        Frames frames(100);
        Lines lines;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            ASSERT_TRUE(frames.add(std::string_view(bytes).substr(at, size)));
            for (auto& line : lines_of(frames)) lines.push_back(std::move(line));
        }
        EXPECT_EQ(lines, (Lines{"one", "two", "{\"a\": \"b\"}"})) << size;
        EXPECT_EQ(frames.pending(), 4U);
    }
}

TEST(Frames, a_line_without_end_is_refused_and_many_short_ones_are_not) {
    Frames frames(10);
    ASSERT_TRUE(frames.add("0123456789"));
    EXPECT_FALSE(frames.add("x"));
    Frames many(10);
    std::string bytes;
    for (int i = 0; i < 100; ++i) bytes += "abc\n";
    ASSERT_TRUE(many.add(bytes));
    EXPECT_EQ(lines_of(many).size(), 100U);
}

}  // namespace
}  // namespace parley::kube
