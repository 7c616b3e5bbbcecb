#include "config/csv.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::config {
namespace {

std::string error_of(const std::string& text) {
    const auto source = text_source("load.csv", text);
    if (!source) return source.error().message;
    const auto points = parse_csv(*source);
    return points ? "" : points.error().message;
}

TEST(Csv, reads_points_in_order) {
    const auto points = parse_csv(
        {"f", "seconds,value\r\n# a note\r\n0,1.5\r\n\r\n 60.5 , -2e3 ,ignored\r\n120,0"});
    ASSERT_TRUE(points) << points.error().message;
    const std::vector<CsvPoint> wanted = {
        {{}, 1.5}, {Duration{60'500'000}, -2000}, {seconds(120), 0}};
    EXPECT_EQ(*points, wanted);
}

struct Case {
    const char* name;
    std::string text;
    std::string error;
};

class CsvRefuses : public testing::TestWithParam<Case> {};

TEST_P(CsvRefuses, with_place_and_remedy) {
    EXPECT_EQ(error_of(GetParam().text), GetParam().error);
}

const Case kCases[] = {
    {"empty", "", "load.csv: it is empty; write something into it"},
    {"heading_only", "seconds,value\n", "load.csv: it has no point; write lines such as 0,12.5"},
    {"binary", std::string("0,1\n\0", 5),
     "load.csv:2:1: this is not UTF-8 text; is it the right file?"},
    {"one_column", "0,1\n60\n", R"(load.csv:2:1: a line must be a time and a value
    2 | 60
      | ^^ write such as 60,12.5)"},
    {"semicolons", "0;1\n", R"(load.csv:1:1: a line must be a time and a value
    1 | 0;1
      | ^^^ write such as 60,12.5)"},
    {"second_heading", "t,v\nt,v\n", R"(load.csv:2:1: a time must be seconds from 0 to 1e9, not "t"
    2 | t,v
      | ^)"},
    {"negative_time", "-1,2\n", R"(load.csv:1:1: a time must be seconds from 0 to 1e9, not "-1"
    1 | -1,2
      | ^^)"},
    {"time_beyond", "1000000001,2\n",
     R"(load.csv:1:1: a time must be seconds from 0 to 1e9, not "1000000001"
    1 | 1000000001,2
      | ^^^^^^^^^^)"},
    {"nan", "0,1\n1, nan\n", R"(load.csv:2:4: a value must be a finite number, not "nan"
    2 | 1, nan
      |    ^^^)"},
    {"infinite", "0,1e999\n", R"(load.csv:1:3: a value must be a finite number, not "1e999"
    1 | 0,1e999
      |   ^^^^^)"},
    {"no_value", "0,\n", R"(load.csv:1:3: a value must be a finite number, not ""
    1 | 0,
      |   ^)"},
    {"equal_times", "5,1\n5,2\n", R"(load.csv:2:1: times must rise from line to line
    2 | 5,2
      | ^ the one before is later or equal)"},
    {"falling_times", "5,1\n# note\n4.9,2\n", R"(load.csv:3:1: times must rise from line to line
    3 | 4.9,2
      | ^^^ the one before is later or equal)"},
};
INSTANTIATE_TEST_SUITE_P(Table, CsvRefuses, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(Csv, refuses_more_points_than_its_limit) {
    std::string text;
    for (std::size_t i = 0; i < kCsvPointsMax; ++i) text += std::to_string(i) + ",1\n";
    EXPECT_EQ(error_of(text), "");
    const std::string error = error_of(text + "1000000,1\n");
    EXPECT_EQ(error.substr(0, error.find('\n')),
              "load.csv:1000001:1: it has more than 1,000,000 points");
}

}  // namespace
}  // namespace parley::config
