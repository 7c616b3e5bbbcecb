// The same bits from every build: each preset, g++ 12 among them, runs these against one constant.

#include "base/file.h"
#include "layers/decide.h"
#include "replay/replay.h"
#include "store/run_reader.h"
#include "tests/golden/world_run.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace parley::golden {
namespace {

const std::string kRuns = PARLEY_GOLDEN_FOLDER "/runs";

/// Of 200 rounds of 3 s with seed 7, under the rules of kRulesVersion.
struct Case {
    std::string scenario;
    std::string digest;
};
const Case kCases[] = {
    {"mixed", "d5cac71404424389bd9ae4d2f3c737f53a18ad3fc7777e46971f9c17216e8329"},
    {"failing-node", "4d7880926884deffbcf74755a7f305111b21e6eb42a2aa6736ab5b556b50690c"},
};

/// The folders of all golden runs, whatever rules they were recorded under.
std::vector<std::string> golden_runs() {
    std::vector<std::string> runs;
    const auto names = real_disk().list(kRuns);
    EXPECT_TRUE(names.has_value());
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        if (name.starts_with("v")) runs.push_back(join(kRuns, name));
    }
    EXPECT_FALSE(runs.empty());
    return runs;
}

std::string digest_in(const std::string& run) {
    const auto text = read_file(real_disk(), join(run, "digest.txt"));
    EXPECT_TRUE(text.has_value()) << run;
    return text ? text->substr(0, 64) : "";
}

TEST(WorldDigest, is_the_same_from_every_build) {
    for (const Case& each : kCases) {
        const auto digest = digest_of_run(each.scenario, 7, 200);
        ASSERT_TRUE(digest.has_value()) << digest.error().message;
        EXPECT_EQ(*digest, each.digest)
            << each.scenario
            << ": if what is decided or observed was meant to change, raise kRulesVersion and "
               "write "
               "the new digest here; if only this build differs, something in it is not exact";
    }
}

TEST(WorldDigest, differs_by_seed_and_by_length) {
    const auto digest = digest_of_run("failing-node", 7, 20);
    ASSERT_TRUE(digest.has_value());
    EXPECT_EQ(*digest, digest_of_run("failing-node", 7, 20));
    EXPECT_NE(*digest, digest_of_run("failing-node", 8, 20));
    EXPECT_NE(*digest, digest_of_run("failing-node", 7, 21));
}

TEST(WorldDigest, refuses_a_scenario_that_is_not_built_in) {
    EXPECT_FALSE(digest_of_run("failing", 7, 1).has_value());
}

TEST(GoldenRun, replays_bit_for_bit_in_every_build) {
    for (const std::string& folder : golden_runs()) {
        auto run = store::RunReader::open(real_disk(), folder);
        ASSERT_TRUE(run.has_value()) << run.error().message;
        const auto report = replay::replay(*run, {}, {});
        ASSERT_TRUE(report.has_value()) << report.error().message;
        EXPECT_GT(report->rounds, 0U);
        EXPECT_EQ(run->digest(), digest_in(folder));
        if (!report->same_rules) continue;  // Other rules decide differently.
        EXPECT_EQ(report->differing, 0U)
            << folder << ", round " << report->first_round << ", " << report->path << ": "
            << report->recorded << " became " << report->derived;
    }
}

/// The golden run was recorded by the program with its coroutines; a run without them must give the
/// same.
TEST(GoldenRun, is_recorded_again_by_every_build) {
    for (const std::string& folder : golden_runs()) {
        auto run = store::RunReader::open(real_disk(), folder);
        ASSERT_TRUE(run.has_value()) << run.error().message;
        const store::RunHeader header = run->header();
        if (header.rules_version != kRulesVersion) continue;
        std::uint64_t rounds = 0;
        for (auto round = run->next(); round && *round; round = run->next()) ++rounds;
        const auto digest = digest_of_run(header.scenario, header.seed, rounds);
        ASSERT_TRUE(digest.has_value()) << digest.error().message;
        EXPECT_EQ(*digest, digest_in(folder)) << folder;
    }
}

}  // namespace
}  // namespace parley::golden
