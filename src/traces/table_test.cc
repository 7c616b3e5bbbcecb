#include "traces/table.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace parley::traces {
namespace {

constexpr std::array<std::string_view, 2> kWanted = {"b", "a"};

TEST(Table, finds_columns_by_name) {
    auto table = Table::open("t",
                             "\xef\xbb\xbf"
                             "a,x,b\r\n1,?,2\r\n\r\n3,?,",
                             kWanted);
    ASSERT_TRUE(table) << table.error().message;
    ASSERT_TRUE(*table->next());
    EXPECT_EQ(*table->number(0), 2);
    EXPECT_EQ(*table->whole(1, 0, 9), 1);
    ASSERT_TRUE(*table->next());
    EXPECT_EQ(table->line(), 4U);
    EXPECT_TRUE(table->missing(0));
    EXPECT_TRUE(std::isnan(*table->number_or_missing(0)));
    EXPECT_EQ(table->text(1), "3");
    EXPECT_FALSE(*table->next());
    EXPECT_FALSE(*table->next());
}

TEST(Table, fields_may_stand_in_quotation_marks) {
    auto table =
        Table::open("t", "\"b\", \"x, y\" ,a\r\n\"2\",\"1,\"\"5\"\"\", 7 \n,,\"\"\n", kWanted);
    ASSERT_TRUE(table) << table.error().message;
    ASSERT_TRUE(*table->next());
    EXPECT_EQ(*table->number(0), 2);
    EXPECT_EQ(*table->whole(1, 0, 9), 7);
    ASSERT_TRUE(*table->next());
    EXPECT_TRUE(table->missing(0) && table->missing(1));
    constexpr std::array<std::string_view, 1> kName = {"x, y"};
    auto again = Table::open("t", "\"x, y\",a\n\"1,\"\"5\"\"\",2\n", kName);
    ASSERT_TRUE(again && *again->next());
    EXPECT_EQ(again->text(0), "1,\"5\"");
}

TEST(Table, other_separators_are_told_by_the_heading) {
    for (const char* text : {"a;\tb\n1;\t2\n", "a\tb\n1\t2\n"}) {
        auto table = Table::open("t", text, kWanted);
        ASSERT_TRUE(table) << table.error().message;
        ASSERT_TRUE(*table->next());
        EXPECT_EQ(*table->number(0), 2);
    }
}

TEST(Table, what_is_missing_is_said_in_many_words) {
    for (const char* word : {"", "NA", "NaN", "nan", "null", "None", "\"\"", "\"NA\""}) {
        const std::string text = std::string("a,b\n1,") + word + "\n";
        auto table = Table::open("t", text, kWanted);
        ASSERT_TRUE(table && *table->next()) << word;
        EXPECT_TRUE(std::isnan(*table->number_or_missing(0))) << word;
        EXPECT_TRUE(std::isnan(*table->amount_or_missing(0))) << word;
        EXPECT_FALSE(table->number(0)) << word;
    }
    auto table = Table::open("t", "a,b\n1,-2\n", kWanted);
    ASSERT_TRUE(table && *table->next());
    EXPECT_EQ(*table->number_or_missing(0), -2);
    EXPECT_EQ(table->amount_or_missing(0).error().message,
              "t:2: b must not be below 0, and is \"-2\"");
}

struct Case {
    const char* name;
    std::string text;
    std::string error;
};

class TableRefuses : public testing::TestWithParam<Case> {};

/// Reads all lines and both columns.
std::string error_of(const std::string& text) {
    auto table = Table::open("t", text, kWanted);
    if (!table) return table.error().message;
    while (true) {
        const auto more = table->next();
        if (!more) return more.error().message;
        if (!*more) return "";
        const auto number = table->number_or_missing(0);
        if (!number) return number.error().message;
        const auto whole = table->whole(1, 0, 9);
        if (!whole) return whole.error().message;
    }
}

TEST_P(TableRefuses, with_its_line) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

const Case kCases[] = {
    {"empty", "", "t:1: it is empty"},
    {"other_heading", "a,c\n", "t:1: its heading has no column \"b\"; is it the right file?"},
    {"too_few", "a,b\n1,2\n1\n", "t:3: it has 1 fields, its heading 2"},
    {"too_many", "a,b\n1,2,3\n", "t:2: it has 3 fields, its heading 2"},
    {"column_twice", "a,b,a\n1,2,3\n",
     "t:1: its heading has the column \"a\" twice; leave one of them out"},
    {"quoted", "a,b\n\"1,5\",2\n", "t:2: a must be a whole number from 0 to 9, not \"1,5\""},
    {"quote_open", "a,b\n1,\"2\n",
     "t:2: a field in quotation marks does not end with one on the same line; write it on one "
     "line"},
    {"quote_and_more", "a,b\n\"1\"5,2\n",
     "t:2: a field in quotation marks does not end with one on the same line; write it on one "
     "line"},
    {"word", "a,b\n1,x\n", "t:2: b must be a number, not \"x\""},
    {"nan_where_a_number_must_be", "a,b\nnan,2\n",
     "t:2: a must be a whole number from 0 to 9, not \"nan\""},
    {"infinite", "a,b\n1,1e999\n", "t:2: b must be a number, not \"1e999\""},
    {"beyond_float", "a,b\n1,1e39\n", "t:2: b is too large: \"1e39\""},
    {"fraction", "a,b\n1.5,2\n", "t:2: a must be a whole number from 0 to 9, not \"1.5\""},
    {"outside", "a,b\n10,2\n", "t:2: a must be a whole number from 0 to 9, not \"10\""},
    {"wide_heading", std::string(300, ','), "t:1: its heading has too many columns"},
    {"wide_line", "a,b\n" + std::string(300, ','), "t:2: it has 257 fields, its heading 2"},
    {"good", "a,b\n1,2\n", ""},
};
INSTANTIATE_TEST_SUITE_P(Table, TableRefuses, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace parley::traces
