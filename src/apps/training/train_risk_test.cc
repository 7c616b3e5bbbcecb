#include "apps/training/train_risk.h"

#include "apps/training/train_kit_test.h"
#include "fake/disk.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using kit::kOn;

NodeTraining small() { return kit::small_training(hours(5), 20); }

TEST(TrainRisk, makes_a_model_that_the_loop_would_serve) {
    fake::Disk disk;
    const auto made = train_node_risk(disk, small(), kOn);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->manifest.probes.size(), learn::kProbeRows);
    EXPECT_EQ(made->manifest.inputs, prediction::wanted_features());
    EXPECT_EQ(made->manifest.seeds, (std::vector<learn::SeedRange>{{1, 22}}));
    EXPECT_TRUE(made->manifest.provenance.starts_with("simulated: scenario mixed"));
    const auto key = learn::SigningKey::at(disk, "key");
    ASSERT_TRUE(key);
    const auto id = learn::save_model(disk, "models", made->manifest, made->model_bytes, *key);
    ASSERT_TRUE(id) << id.error().message;
    const auto files = learn::stored_files(disk, "models/" + *id, {.own_key = key->public_key()});
    ASSERT_TRUE(files) << files.error().message;
    const auto model = learn::model_of(*files, prediction::wanted_features());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->facts.horizons_s, std::vector<double>{1'800});
    EXPECT_EQ((*model)->facts.gap_s, 120);
    // Bins of the reliability curve used to hold the share of rows instead of their number.
    double rows = 0;
    for (const learn::ReliabilityBin& bin : made->manifest.reliability) rows += bin.rows;
    EXPECT_GT(rows, 1'000);
}

TEST(TrainRisk, too_few_failures_are_refused) {
    fake::Disk disk;
    NodeTraining training = small();
    training.simulated->last_seed = 2;
    training.simulated->length = hours(1);
    const auto made = train_node_risk(disk, training, kOn);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("50 are needed; give more data, or fit the calibration of "
                                        "the model that ships: parley train risk --recalibrate"),
              std::string::npos)
        << made.error().message;
}

TEST(TrainRisk, can_be_ended_while_trees_are_made) {
    fake::Disk disk;
    NodeTraining training = small();
    const auto made = train_node_risk(disk, training, [&](std::uint64_t, std::uint64_t total) {
        return total != 2 * static_cast<std::uint64_t>(training.flags.rounds);
    });
    EXPECT_FALSE(made);
}

}  // namespace
}  // namespace parley::app
