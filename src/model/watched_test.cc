#include "model/watched.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

struct WatchCase {
    const char* name;
    std::vector<std::string> entries;
    const char* space;
    bool is_watched;
};

class Watches : public testing::TestWithParam<WatchCase> {};

TEST_P(Watches, by_prefix_or_exactly) {
    EXPECT_EQ(watched(GetParam().entries, Name::of(GetParam().space)), GetParam().is_watched);
}

const WatchCase kWatches[] = {
    {"empty_watches_all", {}, "anything", true},
    {"prefix", {"test-"}, "test-a", true},
    {"prefix_itself", {"test-"}, "test-", true},
    {"not_the_prefix", {"test-"}, "tes", false},
    {"a_prefix_takes_more", {"default"}, "default-x", true},
    {"exactly", {"=default"}, "default", true},
    {"exactly_takes_no_more", {"=default"}, "default-x", false},
    {"any_entry", {"=a", "b"}, "bb", true},
    {"no_entry", {"=a", "b"}, "c", false},
};
INSTANTIATE_TEST_SUITE_P(Rows, Watches, testing::ValuesIn(kWatches),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace parley::model
