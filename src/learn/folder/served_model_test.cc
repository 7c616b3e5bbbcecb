#include "learn/folder/served_model.h"

#include "fake/disk.h"
#include "learn/folder/model_kit_test.h"
#include "model/demand.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

brain::FeatureList own_features() { return parse_manifest(shipped_risk().manifest)->inputs; }

TEST(ServedModel, what_ships_is_whole_and_says_that_it_was_simulated) {
    const auto model = model_of(shipped_risk(), own_features());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE((*model)->facts.provenance.starts_with("simulated"));
    EXPECT_NE((*model)->calibration.kind, brain::CalibrationKind::none);
}

TEST(ServedModel, the_files_of_the_shelf_are_given_only_if_they_are_trusted) {
    fake::Disk disk;
    const auto key = SigningKey::at(disk, "own.key");
    ASSERT_TRUE(key);
    const auto id = save_model(disk, "models", small_manifest(), kSmallModel, *key);
    ASSERT_TRUE(id) << id.error().message;
    const auto files = stored_files(disk, join("models", *id), {.own_key = key->public_key()});
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_EQ(files->trees, kSmallModel);
    const auto model = model_of(*files, kSmallInputs);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->facts.id, *id);
    EXPECT_FALSE(stored_files(disk, join("models", *id), {}));
}

TEST(ServedModel, a_byte_that_was_changed_is_noticed) {
    ModelFiles files = shipped_risk();
    files.trees[files.trees.size() / 2] ^= 1;
    EXPECT_FALSE(model_of(files, own_features()));
}

TEST(ServedModel, another_list_of_features_is_refused_by_name) {
    brain::FeatureList other = own_features();
    other.features.back().name = "something_else";
    const auto model = model_of(shipped_risk(), other);
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find("something_else"), std::string::npos);
}

TEST(ServedModel, a_run_keeps_what_it_was_served_by) {
    fake::Disk disk;
    const auto model = model_of(shipped_risk(), own_features());
    const std::string id = (*model)->facts.id;
    ASSERT_TRUE(keep_model(disk, "run", id, shipped_risk()));
    ASSERT_TRUE(keep_model(disk, "run", id, shipped_risk()));
    const auto kept = kept_model(disk, "run", id, own_features());
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ((*kept)->facts, (*model)->facts);
    const auto other = kept_model(disk, "run", "risk-0", own_features());
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("this run was served by"), std::string::npos);
}

TEST(ServedModel, the_model_of_demand_that_ships_is_whole_and_says_that_it_is_simulated) {
    const auto features = parse_manifest(shipped_demand().manifest)->inputs;
    const auto model = demand_model_of(shipped_demand(), features);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE((*model)->facts.provenance.starts_with("simulated"));
    EXPECT_EQ((*model)->horizons.size(), model::kDemandHorizons);
    fake::Disk disk;
    const std::string id = (*model)->facts.id;
    ASSERT_TRUE(keep_model(disk, "run", id, shipped_demand()));
    const auto kept = kept_demand(disk, "run", id, features);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ((*kept)->facts.id, id);
}

TEST(ServedModel, one_of_the_other_kind_is_refused) {
    const auto risk = demand_model_of(shipped_risk(), own_features());
    ASSERT_FALSE(risk);
    EXPECT_NE(risk.error().message.find("is one of risk, not of demand"), std::string::npos);
}

}  // namespace
}  // namespace parley::learn
