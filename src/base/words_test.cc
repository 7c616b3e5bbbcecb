#include "base/words.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(Words, every_separator_begins_a_part) {
    using Parts = std::vector<std::string>;
    EXPECT_EQ(parts_between("", ','), Parts{""});
    EXPECT_EQ(parts_between("a", ','), Parts{"a"});
    EXPECT_EQ(parts_between("a:b", ','), Parts{"a:b"});
    EXPECT_EQ(parts_between("a,,b,", ','), (Parts{"a", "", "b", ""}));
}

}  // namespace
}  // namespace parley
