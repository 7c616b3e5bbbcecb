#include "brain/xgboost_file.h"

#include "base/json_value.h"
#include "base/math.h"

#include <gtest/gtest.h>

namespace parley::brain {
namespace {

/// Two features, one split by the first at 0.5, values -1 and 2.
const std::string kModel = R"({"learner":{"attributes":{},
 "feature_names":["load","age"],"feature_types":["float","int"],
 "gradient_booster":{"model":{"gbtree_model_param":{"num_trees":"1"},"tree_info":[0],"trees":[{
   "left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],
   "split_conditions":[5E-1,-1E0,2E0],"default_left":[1,0,0],"sum_hessian":[4E0,1E0,3E0],
   "split_type":[0,0,0],"tree_param":{"size_leaf_vector":"1"}}]},"name":"gbtree"},
 "learner_model_param":{"base_score":"[2.5E-1]","num_class":"0","num_feature":"2","num_target":"1"},
 "objective":{"name":"binary:logistic"}},"version":[3,2,0]})";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = kModel;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// The same, saved by a version that does not clip its base score.
std::string of_1_7(const std::string& base_score) {
    std::string text = changed("[2.5E-1]", base_score);
    return text.replace(text.find("[3,2,0]"), 7, "[1,7,6]");
}

TEST(XgboostFile, a_model_is_read) {
    const auto model = read_xgboost(kModel);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->version, "3.2.0");
    const Trees& trees = model->forest.trees();
    EXPECT_EQ(trees.objective, Objective::logistic);
    EXPECT_EQ(trees.feature_names, (std::vector<std::string>{"load", "age"}));
    EXPECT_EQ(trees.base_margin, -static_cast<float>(math::log(3.0)));
    EXPECT_EQ(margin(model->forest, std::vector<float>{0.4F, 0}), trees.base_margin - 1);
}

TEST(XgboostFile, versions_write_the_base_score_differently) {
    const struct {
        const char* name;
        std::string from;
        std::string to;
        float margin;
    } cases[] = {
        {"array", "[2.5E-1]", "[5E-1]", 0},
        {"scalar", "[2.5E-1]", "5E-1", 0},
    };
    for (const auto& c : cases) {
        const auto model = read_xgboost(changed(c.from, c.to));
        ASSERT_TRUE(model) << c.name << ": " << model.error().message;
        EXPECT_EQ(model->forest.trees().base_margin, c.margin) << c.name;
    }
    const auto middle = read_xgboost(changed("binary:logistic", "reg:absoluteerror"));
    ASSERT_TRUE(middle) << middle.error().message;
    EXPECT_EQ(middle->forest.objective(), Objective::squared_error);
    const auto square = read_xgboost(changed("binary:logistic", "reg:squarederror"));
    ASSERT_TRUE(square) << square.error().message;
    EXPECT_EQ(square->forest.trees().base_margin, 0.25F);
    EXPECT_EQ(square->forest.objective(), Objective::squared_error);
}

// As each of these versions of XGBoost gives it for such a file.
TEST(XgboostFile, a_base_score_near_the_edge_is_taken_as_its_version_takes_it) {
    const struct {
        const char* version;
        const char* score;
        float margin;
    } cases[] = {
        {"[1,7,6]", "1E-7", -16.11809539794922F},
        {"[2,1,4]", "1E-7", -16.11809539794922F},
        {"[3,0,5]", "1E-7", -16.11809539794922F},
        {"[3,1,3]", "[1E-7]", -16.11809539794922F},
        {"[3,2,0]", "[1E-7]", -13.815509796142578F},
        {"[3,2,0]", "[1E-6]", -13.815509796142578F},
        {"[3,2,0]", "[2E-6]", -13.122361183166504F},
        {"[3,2,1]", "[5E-7]", -13.815509796142578F},
        {"[3,2,0]", "[9.999995E-1]", 13.745160102844238F},
        {"[3,1,3]", "[9.999995E-1]", 14.556090354919434F},
        {"[3,2,0]", "[0E0]", -13.815509796142578F},
    };
    for (const auto& c : cases) {
        std::string text = changed("[2.5E-1]", c.score);
        text.replace(text.find("[3,2,0]"), 7, c.version);
        const auto model = read_xgboost(text);
        ASSERT_TRUE(model) << c.version << c.score << ": " << model.error().message;
        EXPECT_EQ(model->forest.trees().base_margin, c.margin) << c.version << " " << c.score;
    }
    EXPECT_FALSE(read_xgboost(changed("[2.5E-1]", "[1.5E0]")));
    EXPECT_FALSE(read_xgboost(changed("[2.5E-1]", "[-1E-9]")));
}

TEST(XgboostFile, files_newer_than_known_ones_are_refused) {
    for (const char* newer : {"[3,3,0]", "[4,0,0]", "[3,10,1]"}) {
        const auto model = read_xgboost(changed("[3,2,0]", newer));
        ASSERT_FALSE(model) << newer;
        EXPECT_NE(model.error().message.find("files are known up to 3.2"), std::string::npos)
            << model.error().message;
    }
    EXPECT_TRUE(read_xgboost(changed("[3,2,0]", "[3,2,9]")));
    EXPECT_TRUE(read_xgboost(changed("[3,2,0]", "[1,3,0]")));
    // Without a version only what all versions take alike.
    std::string none = changed(",\"version\":[3,2,0]", "");
    EXPECT_TRUE(read_xgboost(none));
    none.replace(none.find("[2.5E-1]"), 8, "[2.5E-7]");
    const auto model = read_xgboost(none);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find("does not say which one saved it"), std::string::npos);
}

TEST(XgboostFile, objectives_whose_margin_is_the_answer_are_served) {
    for (const char* plain : {"reg:pseudohubererror", "reg:quantileerror"}) {
        const auto model = read_xgboost(changed("binary:logistic", plain));
        ASSERT_TRUE(model) << model.error().message;
        EXPECT_EQ(model->forest.objective(), Objective::squared_error);
        EXPECT_EQ(model->forest.trees().base_margin, 0.25F);
    }
    const auto odds = read_xgboost(changed("binary:logistic", "reg:logistic"));
    ASSERT_TRUE(odds) << odds.error().message;
    EXPECT_EQ(odds->forest.objective(), Objective::logistic);
}

TEST(XgboostFile, before_1_6_sides_were_written_in_words) {
    const auto old = read_xgboost(changed("[1,0,0],\"sum", "[true,false,false],\"sum"));
    ASSERT_TRUE(old) << old.error().message;
    EXPECT_EQ(old->forest.trees(), read_xgboost(kModel)->forest.trees());
    EXPECT_FALSE(read_xgboost(changed("[1,0,0],\"sum", "[true,false],\"sum")));
    EXPECT_FALSE(read_xgboost(changed("[1,0,0],\"sum", "[true,null,false],\"sum")));
}

struct Case {
    const char* name;
    std::string bytes;
    std::string error;
};

class XgboostFileRefused : public testing::TestWithParam<Case> {};

TEST_P(XgboostFileRefused, in_one_sentence) {
    const auto model = read_xgboost(GetParam().bytes);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, GetParam().error);
}

const Case kCases[] = {
    {"empty", "",
     "it is no model in JSON or UBJSON; save it with XGBoost's save_model as .json or .ubj"},
    {"dump", "[{}]",
     "it is no model in JSON or UBJSON; save it with XGBoost's save_model as .json or .ubj"},
    {"old_binary", std::string("binf\0\0\0\0", 8),
     "it is in XGBoost's old binary format; save it as .json or .ubj"},
    {"other_json", "{\"a\":1}",
     "it has no text at learner.gradient_booster.name; is it a model that XGBoost saved?"},
    {"broken_json", "{\"a\":", "byte 5: this is no JSON value"},
    {"broken_ubjson", "{L", "byte 2: the file ends within a value"},
    {"dart", changed("\"gbtree\"}", "\"dart\"}"), "its booster is \"dart\"; only gbtree is served"},
    {"objective", changed("binary:logistic", "rank:ndcg"),
     "its objective is \"rank:ndcg\"; only binary:logistic, reg:logistic, reg:squarederror, "
     "reg:absoluteerror, reg:pseudohubererror and reg:quantileerror are served"},
    {"classes", changed("\"num_class\":\"0\"", "\"num_class\":\"3\""),
     "it has 3 outputs; only models with one are served"},
    {"targets", changed("\"num_target\":\"1\"", "\"num_target\":\"2\""),
     "it has 2 outputs; only models with one are served"},
    {"count", changed("\"num_target\":\"1\"", "\"num_target\":\"x\""),
     "learner.learner_model_param.num_target: \"x\" is not a whole number from zero up"},
    {"base_scores", changed("[2.5E-1]", "[5E-1,5E-1]"),
     "its base_score has several values; only models with one output are served"},
    {"no_probability", changed("[2.5E-1]", "2E0"),
     "its base_score is \"2E0\", which is no probability"},
    {"certain", of_1_7("1E-45"), "its base_score is \"1E-45\", too near to 0 or 1"},
    {"features", changed("\"num_feature\":\"2\"", "\"num_feature\":\"5000\""),
     "it has 5000 features, not 1 to 4096"},
    {"names", changed("\"load\",", ""), "it names 1 features but has 2"},
    {"long_name", changed("load", std::string(257, 'x')),
     "a feature's name is no text of 1 to 256 bytes"},
    {"categorical", changed("\"float\"", "\"c\""),
     "it has categorical features, which are not served; encode them as numbers"},
    {"no_trees", changed("\"trees\"", "\"wood\""),
     "it has no trees at learner.gradient_booster.model"},
    {"trees_missing", changed("\"num_trees\":\"1\"", "\"num_trees\":\"2\""),
     "it says that it has 2 trees and holds 1; a part of it is missing"},
    {"part_of_a_feature", changed("\"split_indices\":[0,", "\"split_indices\":[0.5,"),
     "tree 0, node 0: it splits by feature 4294967295 of 2"},
    {"tree", changed("[1,-1,-1]", "[1,7,-1]"), "tree 0: node 1 has a child that is not there"},
};
INSTANTIATE_TEST_SUITE_P(Table, XgboostFileRefused, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(XgboostFile, cut_anywhere_it_is_refused) {
    for (std::size_t size = 0; size < kModel.size(); ++size) {
        EXPECT_FALSE(read_xgboost(std::string_view(kModel).substr(0, size))) << size;
    }
}

TEST(XgboostFile, too_large_a_file_is_refused_unread) {
    const std::string large(kJsonBytesMax + 1, ' ');
    const auto model = read_xgboost(large);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "it is larger than 256 MiB");
}

}  // namespace
}  // namespace parley::brain
