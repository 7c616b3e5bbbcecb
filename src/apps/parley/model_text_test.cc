#include "apps/parley/model_text.h"

#include "learn/model_kit_test.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

learn::ModelManifest named(const char* id) {
    learn::ModelManifest manifest = learn::small_manifest();
    manifest.id = id;
    return manifest;
}

TEST(ModelText, a_list_is_a_table) {
    const std::vector<ListedModel> models = {
        listed(named("risk-0123456789ab"), true),
        {.id = "risk-ba9876543210", .problem = "it was damaged"}};
    EXPECT_EQ(
        text_of(models, "models"),
        R"(  ID                   TRAINED               ON                      CALIBRATION  FEATURES
* risk-0123456789ab    2025-03-01T12:00:00Z  simulated               none         2
  risk-ba9876543210    refused: it was damaged
* is in use.
)");
    EXPECT_EQ(text_of(std::vector<ListedModel>{}, "models"), "There is no model in models.\n");
}

TEST(ModelText, none_in_use_is_said) {
    const std::string text =
        text_of(std::vector{listed(named("risk-0123456789ab"), false)}, "models");
    EXPECT_TRUE(text.ends_with("None is in use; the one that ships serves.\n")) << text;
    const std::string broken =
        text_of(std::vector{ListedModel{.id = "a", .in_use = true, .problem = "b"}}, "models");
    EXPECT_TRUE(broken.ends_with("* was put to use; while it is refused, it is not served.\n"))
        << broken;
}

TEST(ModelText, a_model_is_told_whole) {
    learn::ModelManifest manifest = named("risk-0123456789ab");
    manifest.metrics[1].low = manifest.metrics[1].high = std::nan("");
    EXPECT_EQ(text_of(manifest, true), R"(id            risk-0123456789ab, in use
kind          risk
forecasts     30 min, from 2 min on
trained       2025-03-01T12:00:00Z
on            simulated
data          0123abcd
seeds         0 to 99999
calibration   none
signed by     e3b0c44298fc1c14
XGBoost       1.7.4: depth 6, threads 1, seed 5
Figures at the natural base rate (95 % interval)
  auc                     0.7500  (0.7000 to 0.8000)
  brier                   0.0100
Reliability
  predicted  observed  rows
  0.1000     0.1200    1000
Features, version 3
  lease_age                       s
  cpu_use                         share
)");
}

TEST(ModelText, two_models_side_by_side) {
    const learn::ModelManifest a = named("risk-a");
    learn::ModelManifest b = named("risk-b");
    b.metrics[1].name = "log_loss";
    EXPECT_EQ(text_of(compare(a, b)), R"(                          risk-a              risk-b
auc                       0.7500              0.7500
brier                     0.0100              ?
log_loss                  ?                   0.0100
Their features are the same.
)");
    b.inputs.features = {{"cpu_use", "cores"}, {"age", "s"}};
    b.data_fingerprint = "else";
    EXPECT_TRUE(text_of(compare(a, b))
                    .ends_with(
                        R"(Only risk-a wants: lease_age
Only risk-b wants: age
In another unit: cpu_use
They were judged on different data: the figures are not of the same rows.
)"));
    b.inputs.features = {{"cpu_use", "share"}, {"lease_age", "s"}};
    EXPECT_NE(text_of(compare(a, b)).find("the same in another order"), std::string::npos);
}

}  // namespace
}  // namespace parley::app
