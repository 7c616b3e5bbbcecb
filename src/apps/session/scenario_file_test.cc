#include "apps/session/scenario_file.h"

#include "base/diff.h"
#include "base/json.h"
#include "config/print.h"
#include "sim/scenario/builtin_scenarios.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace parley::app {
namespace {

namespace fs = std::filesystem;

class ScenarioFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "parley-scenario-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    std::string error_of(const std::string& text) {
        const auto scenario = load_scenario(real_disk(), write("mine.yaml", text), 1);
        if (scenario) return "";
        std::string message = scenario.error().message;
        const std::string prefix = folder_.string() + "/";
        for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix)) {
            message.erase(at, prefix.size());
        }
        return message;
    }

    fs::path folder_;
};

TEST_F(ScenarioFiles, a_file_says_only_what_matters) {
    const auto scenario = load_scenario(real_disk(), write("mine.yaml", R"(
nodes: [{count: 3, cpu_m: 4000m, memory_mib: 16Gi}]
workloads:
  - {space: shop, name: web, replicas: 4, service: {rate: {base: 20}}}
)"),
                                        1);
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_EQ((*scenario)->name, "mine");  // After its file.
    EXPECT_EQ((*scenario)->nodes[0].cpu_m, 4000);
    EXPECT_EQ((*scenario)->nodes[0].memory_mib, 16'384);
    EXPECT_EQ((*scenario)->workloads[0].service->rate.base, 20);
    EXPECT_EQ((*scenario)->workloads[0].pod.cpu_request_m, 250);
    EXPECT_EQ((*scenario)->sources.size(), 2U);
}

TEST_F(ScenarioFiles, series_come_from_csv_files_beside_it) {
    write("load.csv", "seconds,value\n0,10\n60,20.5\n");
    const auto scenario = load_scenario(
        real_disk(),
        write("mine.yaml",
              "nodes: [{count: 3}]\nworkloads: [{service: {rate: {file: load.csv}}}]\n"),
        1);
    ASSERT_TRUE(scenario) << scenario.error().message;
    const sim::Series& rate = (*scenario)->workloads[0].service->rate;
    EXPECT_EQ(rate.kind, sim::SeriesKind::points);
    ASSERT_EQ(rate.points.size(), 2U);
    EXPECT_EQ(rate.points[1].at, seconds(60));
    EXPECT_EQ(rate.points[1].value, 20.5);
}

TEST_F(ScenarioFiles, a_scenario_with_a_csv_series_reads_back_as_it_is_printed) {
    write("load.csv", "0,10\n60,20.5\n");
    const auto scenario = load_scenario(
        real_disk(),
        write("mine.yaml",
              "nodes: [{count: 3}]\nworkloads: [{service: {rate: {file: load.csv}}}]\n"
              "jobs: [{per_hour: {file: load.csv}}]\nenergy_price: {file: load.csv}\n"),
        1);
    ASSERT_TRUE(scenario) << scenario.error().message;
    const sim::Scenario whole = without_files(**scenario);
    for (const std::string& name :
         {write("shown.yaml", config::print_yaml(whole)), write("shown.json", to_json(whole))}) {
        const auto again = load_scenario(real_disk(), name, 1);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(**again, whole);
    }
}

TEST_F(ScenarioFiles, a_wrong_key_has_its_place_and_the_nearest_right_one) {
    EXPECT_EQ(error_of("nodes:\n  - cont: 3\n"), R"(mine.yaml:2:5: no setting is called "cont"
    2 |   - cont: 3
      |     ^^^^ did you mean count?)");
}

TEST_F(ScenarioFiles, what_makes_no_world_has_its_place_too) {
    const std::string error = error_of("name: x\nnodes:\n  - count: 3\n    zones: 0\n");
    EXPECT_EQ(error.substr(0, error.find('\n')),
              "mine.yaml:4:12: nodes[0].zones must be from 1 to 100");
}

TEST_F(ScenarioFiles, what_follows_from_two_values_has_the_place_of_the_one_to_change) {
    const std::string error = error_of(
        "nodes: [{count: 3}]\nworkloads:\n  - service:\n      rate:\n"
        "        base: 10000\n        scale: 2000\n");
    EXPECT_EQ(error.substr(0, error.find('\n')),
              "mine.yaml:6:16: workloads[0].service.rate.scale times the highest value must be "
              "from 0 to 10000000");
}

TEST_F(ScenarioFiles, errors_in_a_series_name_the_series) {
    EXPECT_EQ(error_of("nodes: [{count: 3}]\nworkloads:\n  - service:\n      rate:\n"
                       "        file: none.csv\n"),
              R"(mine.yaml:5:15: none.csv: there is no such file; check the path
    5 |         file: none.csv
      |               ^^^^^^^^)");
    write("bad.csv", "0,1\n0,2\n");
    EXPECT_EQ(error_of("nodes: [{count: 3}]\njobs: [{per_hour: {file: bad.csv}}]\n"),
              R"(bad.csv:2:1: times must rise from line to line
    2 | 0,2
      | ^ the one before is later or equal)");
    write("good.csv", "0,1\n");
    EXPECT_EQ(error_of("nodes: [{count: 3}]\n"
                       "energy_price: {file: good.csv, points: [{at: 0s, value: 1}]}\n"),
              R"(mine.yaml:2:22: a series has either points or a file
    2 | energy_price: {file: good.csv, points: [{at: 0s, value: 1}]}
      |                      ^^^^^^^^ remove one)");
}

TEST_F(ScenarioFiles, an_unknown_name_gets_the_nearest_one) {
    const auto near = load_scenario(real_disk(), "toor", 1);
    EXPECT_EQ(near.error().message,
              "no scenario is called \"toor\"; did you mean tour? A file is named by its path, "
              "such as ./mine.yaml");
    const auto far = load_scenario(real_disk(), "xyzzyxyzzy", 1);
    EXPECT_EQ(far.error().message,
              "no scenario is called \"xyzzyxyzzy\"; 'parley scenario list' shows them. A file is "
              "named by its path, such as ./mine.yaml");
}

TEST_F(ScenarioFiles, every_built_in_one_prints_and_reads_back_as_the_same) {
    ASSERT_FALSE(sim::builtin_scenarios().empty());
    for (const sim::BuiltinScenario& each : sim::builtin_scenarios()) {
        const auto built_in = load_scenario(real_disk(), each.name, 3);
        ASSERT_TRUE(built_in) << built_in.error().message;
        const auto again =
            load_scenario(real_disk(), write("again.yaml", config::print_yaml(**built_in)), 3);
        ASSERT_TRUE(again) << again.error().message;
        const auto difference = first_difference(**built_in, **again);
        EXPECT_FALSE(difference) << each.name << ": " << difference->path << " " << difference->left
                                 << " " << difference->right;
    }
}

}  // namespace
}  // namespace parley::app
