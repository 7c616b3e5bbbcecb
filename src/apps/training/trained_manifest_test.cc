#include "apps/training/trained_manifest.h"

#include "apps/training/train_kit_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace parley::app {
namespace {

TEST(TrainedManifest, begins_with_where_the_model_comes_from) {
    NodeTraining training = kit::small_training(hours(3), 7);
    training.flags.seed = 5;
    learn::BoosterParameters parameters;
    parameters.threads = 2;
    const learn::ModelManifest manifest =
        begun_manifest(training, brain::ModelKind::demand, parameters);
    EXPECT_EQ(manifest.kind, brain::ModelKind::demand);
    EXPECT_EQ(manifest.provenance, provenance_of(training));
    EXPECT_EQ(manifest.seeds, (std::vector<learn::SeedRange>{{1, 22}}));
    EXPECT_EQ(manifest.threads, 2U);
    EXPECT_EQ(manifest.seed, 5U);
    EXPECT_FALSE(manifest.xgboost.empty());
    EXPECT_FALSE(manifest.parameters.empty());
    training.simulated.reset();
    training.runs = {"a"};
    EXPECT_TRUE(begun_manifest(training, brain::ModelKind::risk, parameters).seeds.empty());
}

TEST(TrainedManifest, says_how_good_the_model_is_and_how_many_rows_each_bin_has) {
    learn::RiskQuality quality;
    quality.auc = {.value = 0.9, .low = 0.8, .high = 0.95};
    quality.brier = 0.1;
    quality.weight = 2'000;
    quality.bins = {{.forecast = 0.2, .observed = 0.25, .share = 0.5}};
    learn::ModelManifest manifest;
    manifest.reliability = {{0, 0, 0}, {1, 1, 1}};
    set_quality(quality, manifest);
    const auto named = [&](const char* name) {
        return *std::ranges::find(manifest.metrics, name, &learn::ModelMetric::name);
    };
    EXPECT_EQ(named("auc").value, 0.9);
    EXPECT_EQ(named("auc").high, 0.95);
    EXPECT_TRUE(std::isnan(named("brier").low)) << "it has no interval";
    ASSERT_EQ(manifest.reliability.size(), 1U) << "what stood there before is gone";
    EXPECT_EQ(manifest.reliability[0].rows, 1'000);
}

}  // namespace
}  // namespace parley::app
