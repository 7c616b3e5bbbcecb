#include "apps/training/recalibrate_node.h"

#include "apps/training/train_kit_test.h"
#include "fake/disk.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using kit::kOn;

/// Ten days of a cluster: too few failures for trees.
NodeTraining small() {
    NodeTraining training = kit::small_training(hours(24), 1);
    training.simulated->first_seed = 501;
    training.simulated->last_seed = 503;
    return training;
}

TEST(RecalibrateNode, keeps_the_trees_that_ship) {
    fake::Disk disk;
    const auto made = recalibrate_node_risk(disk, small(), kOn);
    ASSERT_TRUE(made) << made.error().message;
    const learn::ModelFiles shipped = learn::shipped_risk();
    const auto before = learn::parse_manifest(shipped.manifest);
    EXPECT_EQ(made->model_bytes, shipped.trees);
    EXPECT_EQ(made->manifest.probes.size(), before->probes.size());
    EXPECT_EQ(made->manifest.seeds, before->seeds);
    EXPECT_TRUE(made->manifest.provenance.starts_with(before->provenance + "; recalibrated: "));
    EXPECT_NE(made->manifest.data_fingerprint, before->data_fingerprint);
    EXPECT_NE(made->said.text.find("Trees of " + before->id + ", as they are"), std::string::npos)
        << made->said.text;
    EXPECT_EQ(made->unchanged, made->manifest.calibration == before->calibration);
    const auto key = learn::SigningKey::at(disk, "key");
    const auto id = learn::save_model(disk, "models", made->manifest, made->model_bytes, *key);
    ASSERT_TRUE(id) << id.error().message;
    const auto files = learn::stored_files(disk, "models/" + *id, {.own_key = key->public_key()});
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_TRUE(learn::model_of(*files, prediction::wanted_features()));
}

TEST(RecalibrateNode, runs_that_grew_the_trees_are_refused) {
    fake::Disk disk;
    NodeTraining training = small();
    training.simulated->first_seed = 110;
    training.simulated->last_seed = 112;
    const auto made = recalibrate_node_risk(disk, training, kOn);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message,
              "--simulate: the model that ships was trained on seeds 1 to 110; take others");
}

TEST(RecalibrateNode, an_hour_says_too_little) {
    fake::Disk disk;
    NodeTraining training = small();
    training.simulated->last_seed = training.simulated->first_seed;
    training.simulated->length = hours(1);
    const auto made = recalibrate_node_risk(disk, training, kOn);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("10 of either are needed"), std::string::npos)
        << made.error().message;
}

}  // namespace
}  // namespace parley::app
