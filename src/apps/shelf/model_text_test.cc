#include "apps/shelf/model_text.h"

#include "learn/folder/model_kit_test.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::app {
namespace {

learn::ModelManifest named(const char* id) {
    learn::ModelManifest manifest = learn::small_manifest();
    manifest.id = id;
    return manifest;
}

TEST(ModelText, a_list_is_a_table) {
    const std::vector<ListedModel> models = {
        listed(named("risk-0123456789ab"), {.in_use = true, .shipped = true}),
        {.id = "risk-ba9876543210", .problem = "it was damaged"}};
    EXPECT_EQ(text_of(models),
              R"(  ID                 TRAINED               CALIBRATION  FEATURES  ON
* risk-0123456789ab  2025-03-01T12:00:00Z  none         2         ships with parley; simulated
  risk-ba9876543210  refused: it was damaged
* is in use.
)");
}

TEST(ModelText, one_that_is_in_use_and_refused_is_said) {
    const std::string broken =
        text_of(std::vector{ListedModel{.id = "a", .in_use = true, .problem = "b"}});
    EXPECT_TRUE(broken.ends_with("* is in use; while it is refused, the one that ships serves.\n"))
        << broken;
}

TEST(ModelText, a_model_is_told_whole) {
    learn::ModelManifest manifest = named("risk-0123456789ab");
    manifest.metrics[1].low = manifest.metrics[1].high = std::nan("");
    EXPECT_EQ(text_of(manifest, {.in_use = true}), R"(id            risk-0123456789ab, in use
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
  0.1000     0.1200    1,000
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
