#include "apps/shelf/feature_list.h"

#include "fake/disk.h"
#include "layers/prediction/node_features.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

Result<std::vector<ListedFeature>> read(const std::string& lines) {
    fake::Disk disk;
    EXPECT_TRUE(write_file_atomically(disk, "list.csv", "feature,serves,unit\n" + lines));
    return read_feature_list(disk, "list.csv", prediction::wanted_features());
}

TEST(FeatureList, says_where_each_goes_and_by_which_factor) {
    const auto list = read("cpu,cpu_share,percent\nage,lease_age,ms\n7,flaps_1h,count\n");
    ASSERT_TRUE(list) << list.error().message;
    ASSERT_EQ(list->size(), 3U);
    const auto names = prediction::wanted_features().features;
    EXPECT_EQ(names[(*list)[0].place].name, "cpu_share");
    EXPECT_EQ((*list)[0].to_ours, 0.01);
    EXPECT_EQ((*list)[1].to_ours, 0.001);
    EXPECT_EQ((*list)[2].feature, "7");
    EXPECT_EQ((*list)[2].to_ours, 1);
}

TEST(FeatureList, refuses_with_the_line) {
    const struct {
        const char* lines;
        const char* says;
    } cases[] = {
        {"", "list.csv:1: it has a heading and no line"},
        {"cpu,cpu_shares,share\n",
         "list.csv:2: no node feature is called \"cpu_shares\"; did you mean cpu_share?"},
        {"cpu,cpu_share,s\n",
         "list.csv:2: cpu_share is in share, and \"s\" cannot be turned into it; give share, "
         "percent, % and ppm"},
        {"cpu,cpu_share,share\ncpu,memory_share,share\n",
         "list.csv:3: the feature \"cpu\" stands there twice"},
        {",cpu_share,share\n", "list.csv:2: feature is missing"},
    };
    for (const auto& each : cases) {
        const auto list = read(each.lines);
        ASSERT_FALSE(list) << each.lines;
        EXPECT_EQ(list.error().message, each.says);
    }
}

}  // namespace
}  // namespace parley::app
