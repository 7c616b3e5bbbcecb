#include "learn/folder/model_bytes.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

TEST(ModelBytes, one_file_is_itself) {
    const std::vector<std::string> one{"12\nabc"};
    EXPECT_EQ(join_files(one), one.front());
    EXPECT_EQ(*split_files(one.front(), 1), std::vector<std::string_view>{one.front()});
}

TEST(ModelBytes, several_come_back_whatever_is_in_them) {
    const std::vector<std::string> files{"3\n", std::string("\0\n9", 3), "", "last"};
    const std::string joined = join_files(files);
    const auto again = split_files(joined, 4);
    ASSERT_TRUE(again) << again.error().message;
    for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ((*again)[i], files[i]);
}

TEST(ModelBytes, what_does_not_fit_is_refused) {
    for (const char* bytes : {"", "3", "9\nabc", "x\nabc", "1\nab1\nc", "-1\n",
                              "99999999999999999999999\nabc", "1\na"}) {
        EXPECT_FALSE(split_files(bytes, 2)) << bytes;
    }
    EXPECT_TRUE(split_files("1\na0\n", 2));
}

}  // namespace
}  // namespace parley::learn
