#include "layers/prediction/node_features.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace parley::prediction {
namespace {

using namespace kit;
const model::Policy kPolicy;

std::map<std::string, float> features_of(const model::RoundInput& in, Slot slot,
                                         const model::NodeFold* past = nullptr,
                                         const model::NodeTrail* trail = nullptr) {
    std::vector<float> row(node_feature_list().size());
    node_features({in.snapshot.nodes.at(slot), past, in.now, true, kPolicy}, trail,
                  Neighbours(in, kPolicy, {}), row);
    std::map<std::string, float> out;
    for (std::size_t i = 0; i < row.size(); ++i) {
        out[std::string(node_feature_list()[i].name)] = row[i];
    }
    return out;
}

TEST(NodeFeatures, have_names_of_their_own_and_units) {
    std::set<std::string_view> names;
    for (const Feature& feature : node_feature_list()) {
        EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
        EXPECT_FALSE(feature.unit.empty()) << feature.name;
    }
}

TEST(NodeFeatures, what_was_never_seen_is_missing_and_not_zero) {
    model::RoundInput in = input();
    model::NodeRow row = node("node-01", 1);
    row.lease = gap<TimePoint>(model::Gap::not_reported);
    in.snapshot.nodes.put(0, row);
    const auto seen = features_of(in, 0);
    for (const char* name : {"lease_age", "lease_age_3m", "restarts_10m", "restarted_pods_10m",
                             "flaps_1h", "cpu_share", "cpu_share_10m", "memory_share", "disk_share",
                             "net_share", "pressure_15m"}) {
        EXPECT_TRUE(std::isnan(seen.at(name))) << name;
    }
    EXPECT_EQ(seen.at("memory_pressure"), 0.0F);
}

TEST(NodeFeatures, are_what_the_node_shows) {
    model::RoundInput in = input();
    model::NodeRow row = node("node-01", 1);
    row.lease = read(kNow - seconds(12));
    row.cpu_used_m = read<std::int64_t>(2'500);
    row.memory_used = read<std::int64_t>(50, minutes(2));  // Older than allowed.
    row.disk_used_ppm = read<std::int64_t>(300'000);
    row.cpu_requested_m = 7'500;
    row.pods = 4;
    row.pods_unhealthy = 1;
    row.disk_pressure = true;
    row.ready_since = kNow - minutes(20);
    in.snapshot.nodes.put(0, row);
    model::NodeFold past;
    past.flaps[0] = kNow - minutes(5);
    model::NodeTrail trail{.uid = row.uid, .restarts_10m = 1.5};
    trail.cpu_10m = {.value = 0.4, .at = kNow, .known = true};
    const auto seen = features_of(in, 0, &past, &trail);
    EXPECT_FLOAT_EQ(seen.at("lease_age"), 12.0F);
    EXPECT_FLOAT_EQ(seen.at("cpu_share"), 0.25F);
    EXPECT_TRUE(std::isnan(seen.at("memory_share")));
    EXPECT_FLOAT_EQ(seen.at("disk_share"), 0.3F);
    EXPECT_FLOAT_EQ(seen.at("cpu_requested"), 0.75F);
    EXPECT_FLOAT_EQ(seen.at("unhealthy_share"), 0.25F);
    EXPECT_EQ(seen.at("disk_pressure"), 1.0F);
    EXPECT_EQ(seen.at("flaps_1h"), 1.0F);
    EXPECT_FLOAT_EQ(seen.at("restarts_10m"), 1.5F);
    EXPECT_FLOAT_EQ(seen.at("cpu_share_10m"), 0.4F);
    EXPECT_TRUE(std::isnan(seen.at("memory_share_10m")));
    EXPECT_FLOAT_EQ(seen.at("ready_for"), 1'200.0F);
}

TEST(NodeFeatures, our_own_marks_move_none) {
    const std::function<void(model::NodeRow&)> cases[] = {
        [](auto& n) { n.quarantined = true; },
        [](auto& n) { n.avoided = true; },
        [](auto& n) { n.mark = model::Mark{}; },
        [](auto& n) { n.cordoned = true; },
    };
    model::RoundInput in = input();
    for (Slot slot = 0; slot < 3; ++slot) {
        in.snapshot.nodes.put(slot, node("node-0" + std::to_string(slot), slot + 1));
    }
    const auto before = features_of(in, 1);
    for (const auto& change : cases) {
        model::RoundInput marked = in;
        change(marked.snapshot.nodes.edit(1));
        for (const auto& [name, value] : features_of(marked, 1)) {
            const float was = before.at(name);
            EXPECT_TRUE(value == was || (std::isnan(value) && std::isnan(was))) << name;
        }
    }
}

TEST(NodeFeatures, neighbours_do_not_count_the_node_itself) {
    model::RoundInput in = input();
    for (Slot slot = 0; slot < 5; ++slot) {
        model::NodeRow row = node("node-0" + std::to_string(slot), slot + 1);
        row.rack = Name::of(slot < 3 ? "r1" : "r2");
        in.snapshot.nodes.put(slot, row);
    }
    in.snapshot.nodes.edit(0).ready = model::Readiness::no;
    in.snapshot.nodes.edit(1).lease = read(kNow - seconds(16));
    EXPECT_FLOAT_EQ(features_of(in, 0).at("bad_share"), 0.25F);
    EXPECT_FLOAT_EQ(features_of(in, 2).at("bad_share"), 0.5F);
    EXPECT_FLOAT_EQ(features_of(in, 0).at("rack_bad_share"), 0.5F);
    EXPECT_FLOAT_EQ(features_of(in, 3).at("rack_bad_share"), 0.0F);
}

}  // namespace
}  // namespace parley::prediction
