#include "learn/rounds/demand_sources.h"

#include "fake/disk.h"
#include "sim/scenario/builtin_scenarios.h"
#include "store/run_writer.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <cstring>

namespace parley::learn {
namespace {

void record(Disk& disk, const std::string& folder, store::RecordLevel level,
            std::uint32_t served = 0) {
    auto scenario = sim::builtin_scenario("mixed", 11);
    trial::RunSetup setup{.scenario = std::make_shared<const sim::Scenario>(*std::move(scenario)),
                          .seed = 11,
                          .interval = seconds(30),
                          .policy = trial::open_policy(),
                          .mode = model::Mode::observe};
    const store::RunHeader header{.record = level, .policy = setup.policy};
    auto writer = store::RunWriter::create(disk, folder, header, {});
    ASSERT_TRUE(writer);
    trial::WorldRun run(std::move(setup));
    ASSERT_TRUE((*writer)->keep_start(run.memory()));
    for (int i = 0; i < 240; ++i) {  // Two hours.
        run.decide_round();
        model::Decision decision = run.decision();
        decision.forecast.demand.features = served;
        ASSERT_TRUE((*writer)->keep_round(run.input(), decision, run.memory()));
    }
    ASSERT_TRUE((*writer)->finish({}));
}

TEST(DemandOfRuns, a_record_gives_the_rows_that_the_run_itself_gives) {
    fake::Disk disk;
    record(disk, "a", store::RecordLevel::full);
    const auto recorded = demand_of_runs(disk, {"a"}, {}, {});
    ASSERT_TRUE(recorded) << recorded.error().message;
    const auto simulated = demand_of_simulation(
        {.first_seed = 11, .last_seed = 11, .length = hours(2), .interval = seconds(30)}, {}, {});
    ASSERT_TRUE(simulated);
    for (std::size_t h = 0; h < model::kDemandHorizons; ++h) {
        const Rows& a = recorded->horizons[h].rows;
        const Rows& b = simulated->horizons[h].rows;
        EXPECT_GT(a.size(), 0U);
        EXPECT_EQ(a.label, b.label);
        ASSERT_EQ(a.values.size(), b.values.size());
        EXPECT_EQ(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)),
                  0);
    }
}

TEST(DemandOfRuns, what_keeps_no_inputs_or_was_served_by_other_features_is_refused) {
    fake::Disk disk;
    record(disk, "a", store::RecordLevel::decisions);
    const auto rows = demand_of_runs(disk, {"a"}, {}, {});
    ASSERT_FALSE(rows);
    EXPECT_NE(rows.error().message.find("record with --record full"), std::string::npos);
    EXPECT_FALSE(demand_of_runs(disk, {"nowhere"}, {}, {}));
    record(disk, "b", store::RecordLevel::full, 99);
    const auto mixed = demand_of_runs(disk, {"b"}, {}, {});
    ASSERT_FALSE(mixed);
    EXPECT_NE(mixed.error().message.find("version 99"), std::string::npos) << mixed.error().message;
}

TEST(DemandOfSimulation, refuses_seeds_of_tests_and_scripted_load) {
    const auto seeds = demand_of_simulation({.first_seed = 99'999, .last_seed = 100'000}, {}, {});
    ASSERT_FALSE(seeds);
    EXPECT_NE(seeds.error().message.find("below 100000"), std::string::npos);
    const auto script = demand_of_simulation({.scenario = "failing-node"}, {}, {});
    ASSERT_FALSE(script);
    EXPECT_NE(script.error().message.find("never training data"), std::string::npos);
    EXPECT_FALSE(demand_of_simulation({.scenario = "nothing"}, {}, {}));
}

}  // namespace
}  // namespace parley::learn
