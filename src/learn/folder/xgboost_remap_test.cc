#include "learn/folder/xgboost_remap.h"

#include "brain/xgboost_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace parley::learn {
namespace {

/// Two features; the first in percent at 12.5 and 80, the second at 3.
const std::string kModel = R"({"learner":{"attributes":{"note":"a \"word\""},
 "feature_names":["load","age"],"feature_types":["float","int"],
 "gradient_booster":{"model":{"gbtree_model_param":{"num_trees":"1"},"tree_info":[0],"trees":[{
   "left_children":[1,3,-1,-1,-1],"right_children":[2,4,-1,-1,-1],"split_indices":[0,1,0,0,0],
   "split_conditions":[8E1,3E0,2E0,-1E0,5E-1],"default_left":[1,0,0,0,0],
   "sum_hessian":[4E0,3E0,1E0,1E0,2E0],
   "split_type":[0,0,0,0,0],"tree_param":{"size_leaf_vector":"1"}}]},"name":"gbtree"},
 "learner_model_param":{"base_score":"2.5E-1","num_class":"0","num_feature":"2","num_target":"1"},
 "objective":{"name":"binary:logistic"}},"version":[1,7,6]})";

TEST(XgboostRemap, the_same_trees_ask_for_our_features) {
    const auto bytes = remap_xgboost(kModel, {{2, 100}, {0, 1}}, {"age_h", "other", "cpu"});
    ASSERT_TRUE(bytes) << bytes.error().message;
    const auto before = brain::read_xgboost(kModel);
    const auto after = brain::read_xgboost(*bytes);
    ASSERT_TRUE(after) << after.error().message;
    EXPECT_EQ(after->version, "1.7.6");
    EXPECT_EQ(after->forest.features(), 3U);
    EXPECT_EQ(after->forest.trees().feature_names,
              (std::vector<std::string>{"age_h", "other", "cpu"}));
    EXPECT_EQ(after->forest.trees().base_margin, before->forest.trees().base_margin);
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    for (const float share : {0.0F, 0.79F, 0.8F, 0.81F, 1.0F, kNone}) {
        for (const float age : {0.0F, 2.9F, 3.0F, 9.0F, kNone}) {
            EXPECT_EQ(brain::margin(after->forest, std::vector<float>{age, 7, share}),
                      brain::margin(before->forest, std::vector<float>{share * 100, age}))
                << share << " " << age;
        }
    }
}

TEST(XgboostRemap, a_threshold_sends_every_value_where_it_went) {
    for (const float times : {100.0F, 1000.0F, 0.01F, 1.0F / 60, 3.0F}) {
        for (const float threshold : {-7.3F, -1e-3F, 0.0F, 1e-30F, 0.1F, 12.5F, 80.0F, 3e30F}) {
            const float ours = threshold_before(threshold, times);
            float below = std::nextafter(ours, -std::numeric_limits<float>::infinity());
            EXPECT_GE(ours * times, threshold) << times << " " << threshold;
            EXPECT_LT(below * times, threshold) << times << " " << threshold;
        }
    }
    EXPECT_EQ(threshold_before(0.1F, 1), 0.1F);
}

TEST(XgboostRemap, what_is_not_served_is_refused) { EXPECT_FALSE(remap_xgboost("{}", {}, {})); }

}  // namespace
}  // namespace parley::learn
