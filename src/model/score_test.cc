#include "model/score.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(TooLittleRead, is_said_below_four_fifths_and_where_there_was_nothing) {
    struct Row {
        std::int64_t read;
        std::int64_t missing;
        std::string said;
    };
    const Row rows[] = {
        {0, 0, "there was nothing to read"},
        {0, 7, "only 0% of its readings were there, 80% are needed"},
        {79, 21, "only 79% of its readings were there, 80% are needed"},
        {7'999, 2'001, "only 79% of its readings were there, 80% are needed"},
        {80, 20, ""},
        {1, 0, ""},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(too_little_read(row.read, row.missing), row.said) << row.read;
    }
}

}  // namespace
}  // namespace parley::model
