#include "learn/rounds/risk_sources.h"

#include "fake/disk.h"
#include "sim/scenario/builtin_scenarios.h"
#include "store/run_writer.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace parley::learn {
namespace {

void record(Disk& disk, const std::string& folder, std::uint64_t seed, store::RecordLevel level) {
    auto scenario = sim::builtin_scenario("mixed", seed);
    trial::RunSetup setup{.scenario = std::make_shared<const sim::Scenario>(*std::move(scenario)),
                          .seed = seed,
                          .interval = seconds(15),
                          .policy = trial::open_policy(),
                          .mode = model::Mode::observe};
    const store::RunHeader header{.record = level, .policy = setup.policy};
    auto writer = store::RunWriter::create(disk, folder, header, {});
    ASSERT_TRUE(writer);
    trial::WorldRun run(std::move(setup));
    ASSERT_TRUE((*writer)->keep_start(run.memory()));
    for (int i = 0; i < 720; ++i) {  // Three hours.
        run.decide_round();
        ASSERT_TRUE((*writer)->keep_round(run.input(), run.decision(), run.memory()));
    }
    ASSERT_TRUE((*writer)->finish({}));
}

TEST(RowsOfRuns, a_record_gives_the_rows_that_the_run_itself_gives) {
    fake::Disk disk;
    record(disk, "a", 11, store::RecordLevel::full);
    const auto recorded = rows_of_runs(disk, {"a"}, {}, {});
    ASSERT_TRUE(recorded) << recorded.error().message;
    const auto simulated =
        rows_of_simulation({.first_seed = 11, .last_seed = 11, .length = hours(3)}, {}, {});
    ASSERT_TRUE(simulated);
    EXPECT_GT(recorded->events, 0);
    EXPECT_EQ(recorded->rows.label, simulated->rows.label);
    ASSERT_EQ(recorded->rows.values.size(), simulated->rows.values.size());
    EXPECT_EQ(std::memcmp(recorded->rows.values.data(), simulated->rows.values.data(),
                          recorded->rows.values.size() * sizeof(float)),
              0);
}

TEST(RowsOfRuns, a_copy_of_a_run_is_refused_as_it_would_stand_on_both_sides_of_the_split) {
    fake::Disk disk;
    record(disk, "a", 11, store::RecordLevel::full);
    record(disk, "copy", 11, store::RecordLevel::full);
    record(disk, "b", 12, store::RecordLevel::full);
    EXPECT_TRUE(rows_of_runs(disk, {"a", "b"}, {}, {}));
    EXPECT_EQ(rows_of_runs(disk, {"a", "b", "copy"}, {}, {}).error().message,
              "copy is the same run as a, by its digest; name each run once");
}

TEST(RowsOfRuns, what_keeps_no_inputs_is_refused_with_the_reason) {
    fake::Disk disk;
    record(disk, "a", 3, store::RecordLevel::decisions);
    const auto rows = rows_of_runs(disk, {"a"}, {}, {});
    ASSERT_FALSE(rows);
    EXPECT_NE(rows.error().message.find("record with --record full"), std::string::npos);
    EXPECT_FALSE(rows_of_runs(disk, {"nowhere"}, {}, {}));
}

TEST(RowsOfSimulation, refuses_seeds_of_tests_and_scripted_failures) {
    const auto seeds = rows_of_simulation({.first_seed = 99'999, .last_seed = 100'000}, {}, {});
    ASSERT_FALSE(seeds);
    EXPECT_NE(seeds.error().message.find("below 100000"), std::string::npos);
    const auto script = rows_of_simulation({.scenario = "failing-node"}, {}, {});
    ASSERT_FALSE(script);
    EXPECT_NE(script.error().message.find("never training data"), std::string::npos);
    EXPECT_FALSE(rows_of_simulation({.scenario = "nothing"}, {}, {}));
}

TEST(RowsOfSimulation, each_seed_is_a_group) {
    const auto rows =
        rows_of_simulation({.first_seed = 4, .last_seed = 5, .length = hours(1)}, {}, {});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->rows.group.front(), 4);
    EXPECT_EQ(rows->rows.group.back(), 5);
}

TEST(RowsOfSimulation, every_failure_has_the_family_of_its_fault) {
    const auto rows =
        rows_of_simulation({.first_seed = 1, .last_seed = 3, .length = hours(12)}, {}, {});
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->families.size(), static_cast<std::size_t>(rows->events));
    EXPECT_GT(std::ranges::count(rows->families, "sudden"), 0);
    EXPECT_GT(std::ranges::count(rows->families, "degrading"), 0);
    EXPECT_EQ(std::ranges::count(rows->families, "none"), 0);
}

}  // namespace
}  // namespace parley::learn
