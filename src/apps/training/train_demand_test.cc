#include "apps/training/train_demand.h"

#include "apps/training/train_kit_test.h"
#include "fake/disk.h"
#include "layers/prediction/demand_features.h"
#include "learn/folder/served_model.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using kit::kOn;

NodeTraining small() { return kit::small_training(hours(3), 15); }

TEST(TrainDemand, makes_a_model_that_the_loop_would_serve) {
    fake::Disk disk;
    const auto made = train_node_demand(disk, small(), kOn);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->manifest.forests.size(), model::kDemandHorizons);
    EXPECT_EQ(made->manifest.inputs, prediction::wanted_demand_features());
    EXPECT_EQ(made->manifest.seeds, (std::vector<learn::SeedRange>{{1, 22}}));
    EXPECT_NE(made->said.text.find("60 min"), std::string::npos) << made->said.text;
    const auto key = learn::SigningKey::at(disk, "key");
    ASSERT_TRUE(key);
    const auto id = learn::save_model(disk, "models", made->manifest, made->model_bytes, *key);
    ASSERT_TRUE(id) << id.error().message;
    EXPECT_TRUE(id->starts_with("demand-"));
    const auto stored = learn::open_model(disk, "models/" + *id, {.own_key = key->public_key()});
    ASSERT_TRUE(stored) << stored.error().message;
    EXPECT_EQ(stored->forests.size(), model::kDemandHorizons);
    const auto model =
        learn::demand_model_of({learn::print_manifest(stored->manifest), stored->bytes},
                               prediction::wanted_demand_features());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ((*model)->facts.horizons_s, (std::vector<double>{60, 300, 900, 3'600}));
    EXPECT_GT(brain::half_width((*model)->horizons[3], 0.1), 0);
}

TEST(TrainDemand, a_short_record_is_refused) {
    fake::Disk disk;
    NodeTraining training = small();
    training.simulated->last_seed = 1;
    training.simulated->length = hours(1);
    const auto made = train_node_demand(disk, training, kOn);
    ASSERT_FALSE(made);
}

TEST(TrainDemand, can_be_ended_while_trees_are_made) {
    fake::Disk disk;
    NodeTraining training = small();
    const std::uint64_t rounds = 15 * model::kDemandHorizons;
    const auto made = train_node_demand(
        disk, training, [&](std::uint64_t, std::uint64_t total) { return total != rounds; });
    EXPECT_FALSE(made);
}

}  // namespace
}  // namespace parley::app
