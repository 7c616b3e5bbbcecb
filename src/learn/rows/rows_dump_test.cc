#include "learn/rows/rows_dump.h"

#include <gtest/gtest.h>

#include <cstring>

namespace parley::learn {
namespace {

TEST(RowsDump, has_a_heading_and_then_the_numbers) {
    const Rows rows{.columns = {{"a\"b", "share"}, {"c", "s"}},
                    .values = {1, 2, 3, 4},
                    .label = {0, 1},
                    .weight = {1, 0.5F},
                    .time = {{0}, {1}},
                    .entity = {7, 8},
                    .group = {0, 0},
                    .event = {kNoEvent, 0}};
    const Split split{.part = {Part::train, Part::test}};
    const std::string bytes = dump_rows(rows, split);
    const std::string heading = "{\"rows\":2,\"columns\":[\"a\\\"b\",\"c\"]}\n";
    ASSERT_TRUE(bytes.starts_with(heading));
    constexpr std::size_t kRows = 2;
    constexpr std::size_t kNumbers = 4 * sizeof(float) + 3 * kRows * sizeof(float);
    ASSERT_EQ(bytes.size(), heading.size() + kNumbers + kRows * (1 + 8 + 4));
    float third = 0;
    std::memcpy(&third, bytes.data() + heading.size() + 8, 4);
    EXPECT_EQ(third, 3);
    const char* parts = bytes.data() + heading.size() + kNumbers;
    EXPECT_EQ(parts[1], '\x03');
    std::int64_t second = 0;
    std::memcpy(&second, parts + 2 + 8, 8);
    EXPECT_EQ(second, 1);
    std::int32_t event = 0;
    std::memcpy(&event, parts + 2 + 16, 4);
    EXPECT_EQ(event, kNoEvent);
}

}  // namespace
}  // namespace parley::learn
