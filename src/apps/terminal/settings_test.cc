#include "apps/terminal/settings.h"

#include "config/print.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace parley::app {
namespace {

namespace fs = std::filesystem;

class SettingsFiles : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "parley-settings-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        path_ = (folder_ / "prod.yaml").string();
    }
    void TearDown() override { fs::remove_all(folder_); }

    Result<LoadedSettings> load(const std::string& text, const std::vector<FlagValue>& flags = {}) {
        std::ofstream(path_, std::ios::binary) << text;
        return load_settings(real_disk(), path_, flags);
    }
    std::string error_of(const std::string& text, const std::vector<FlagValue>& flags = {}) {
        const auto loaded = load(text, flags);
        if (loaded) return "";
        const std::string& message = loaded.error().message;
        const std::string prefix = folder_.string() + "/";
        return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    }

    fs::path folder_;
    std::string path_;
};

TEST_F(SettingsFiles, flags_win_over_the_file_and_the_file_over_defaults) {
    const auto loaded = load("run:\n  seed: 1\n  interval: 5s\npolicy: {guard: {headroom: 0.3}}\n",
                             {{"run.seed", "--seed", "2"}});
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->settings.run.seed, 2U);
    EXPECT_EQ(loaded->settings.run.interval, seconds(5));
    EXPECT_EQ(loaded->settings.policy.guard.headroom, 0.3);
    EXPECT_EQ(loaded->settings.run.scenario, "tour");
    EXPECT_EQ(loaded->origins.at("run.seed").text(), "--seed");
    EXPECT_EQ(loaded->origins.at("run.interval").text(), path_ + ":3");
    EXPECT_FALSE(loaded->origins.contains("run.scenario"));
}

TEST_F(SettingsFiles, providers_are_commands_for_nodes) {
    const auto loaded =
        load("providers:\n  - nodes: [rack7-*, \"*\"]\n    power: [/bin/power, --fast]\n");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->settings.providers,
              (std::vector<ProviderSettings>{{{"rack7-*", "*"}, {"/bin/power", "--fast"}, {}}}));
    EXPECT_EQ(loaded->origins.at("providers[0].power").text(), path_ + ":3");
    EXPECT_NE(error_of("providers:\n  - {nodes: [a], powr: [/x]}\n"), "");
    EXPECT_NE(error_of("providers: /bin/power\n"), "");
}

TEST_F(SettingsFiles, an_error_is_shown_as_the_interface_says) {
    EXPECT_EQ(error_of("# production\nrun:\n  intervall: 3s\n"),
              R"(prod.yaml:3:3: no setting is called "intervall"
    3 |   intervall: 3s
      |   ^^^^^^^^^ did you mean interval?)");
    EXPECT_EQ(error_of("policy: {risk: {urgent: 10}}\n"),
              R"(prod.yaml:1:25: policy.risk.urgent must be a number from 0 to 1, not "10"
    1 | policy: {risk: {urgent: 10}}
      |                         ^^)");
}

TEST_F(SettingsFiles, what_is_looser_than_the_guard_allows_is_refused_and_what_is_tighter_taken) {
    const std::string hint =
        "that is the guard's own limit, which settings may tighten and never loosen";
    EXPECT_EQ(error_of("policy:\n  guard:\n    headroom: 0.01\n"),
              "prod.yaml:3:15: policy.guard.headroom must be a number from 0.05 to 1, not "
              "\"0.01\"\n    3 |     headroom: 0.01\n      |               ^^^^ " +
                  hint);
    EXPECT_EQ(error_of("{}\n", {*parse_set("policy.guard.breaker_quiet=1s")}),
              "--set policy.guard.breaker_quiet: policy.guard.breaker_quiet must be a time from "
              "10m to 1d, not \"1s\"; " +
                  hint);
    EXPECT_EQ(error_of("{}\n", {*parse_set("policy.guard.allowance_one_in=9")}),
              "--set policy.guard.allowance_one_in: policy.guard.allowance_one_in must be a whole "
              "number from 10 to 1,000,000, not \"9\"; " +
                  hint);
    EXPECT_EQ(error_of("policy: {stakes: {rounds_of: 4}}\n"),
              "prod.yaml:1: policy.stakes.rounds_over is 2 of 4 rounds, but what disrupts must "
              "hold in at least two of three: write 3 or more; " +
                  hint);
    EXPECT_EQ(error_of("policy: {stakes: {rounds_of: 4, rounds_over: 3}}\n"), "");
    EXPECT_EQ(error_of("policy: {efficiency: {rounds_of: 6,\n  rounds_idle: 2}}\n"),
              "prod.yaml:2: policy.efficiency.rounds_idle is 2 of 6 rounds, but what disrupts must "
              "hold in at least two of three: write 4 or more; " +
                  hint);
    EXPECT_EQ(error_of("policy: {guard: {allowance_one_in: 10, warmup_rounds: 30}}\n"), "");
}

TEST_F(SettingsFiles, a_flag_is_named_in_its_error) {
    EXPECT_EQ(error_of("run: {}\n", {{"run.seed", "--seed", "abc"}}),
              R"(--seed: run.seed must be a whole number of at least 0, not "abc")");
    EXPECT_EQ(error_of("run: {}\n", {{"run.mode", "--mode", "acts"}}),
              R"(--mode: run.mode cannot be "acts"; did you mean act?)");
    EXPECT_EQ(error_of("run: {}\n", {{"run.mode", "--mode", "bogus"}}),
              R"(--mode: run.mode cannot be "bogus"; it is one of observe, dry-run or act)")
        << "as --help writes it";
    EXPECT_EQ(error_of("run: {}\n", {{"run.mode", "--mode", "dryrun"}}),
              R"(--mode: run.mode cannot be "dryrun"; did you mean dry-run?)");
    EXPECT_EQ(error_of("run: {}\n", {{"run.mode", "--mode", "dry-run"}}), "");
    EXPECT_EQ(error_of("run: {}\n", {*parse_set("run.mode=bogus")}),
              "--set run.mode: run.mode cannot be \"bogus\"; it is one of observe, dry_run or act");
    EXPECT_EQ(error_of("run: {}\n", {*parse_set("policy.guard.headrom=1")}),
              "--set policy.guard.headrom: no setting is called \"headrom\"; did you mean "
              "headroom?");
}

TEST_F(SettingsFiles, set_takes_yaml) {
    const auto loaded = load("run: {}\n", {*parse_set("policy.namespaces=[=default, test-]"),
                                           *parse_set("run.rounds=5")});
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->settings.policy.namespaces, (std::vector<std::string>{"=default", "test-"}));
    EXPECT_EQ(loaded->settings.run.rounds, 5U);
    EXPECT_FALSE(parse_set("novalue"));
    EXPECT_FALSE(parse_set("=x"));
    EXPECT_FALSE(parse_set("x="));
}

TEST_F(SettingsFiles, set_refuses_what_is_no_text) {
    EXPECT_EQ(error_of("run: {}\n", {*parse_set("policy.namespaces=[a,\x86"
                                                "b]")}),
              "--set policy.namespaces:1:4: this is not UTF-8 text; is it the right file?");
}

TEST_F(SettingsFiles, profile_prototype_brings_its_predictor_unless_one_is_named) {
    const auto plain = load("policy: {profile: prototype}\n");
    EXPECT_EQ(plain->settings.policy.predictor, model::PredictorKind::formula);
    EXPECT_EQ(plain->origins.at("policy.predictor").text(), "profile prototype");
    EXPECT_TRUE(names_predictor(*plain));
    EXPECT_FALSE(names_predictor(*load("policy: {profile: parley}\n")));
    const auto named = load("policy: {profile: prototype, predictor: evidence}\n");
    EXPECT_EQ(named->settings.policy.predictor, model::PredictorKind::evidence);
    const auto other = load("policy: {profile: parley}\n");
    EXPECT_EQ(other->settings.policy.predictor, model::PredictorKind::evidence);
}

TEST_F(SettingsFiles, what_is_printed_reads_back_as_the_same) {
    const auto loaded = load("run: {rounds: 9, mode: dry-run}\npolicy: {allow: []}\n");
    ASSERT_TRUE(loaded) << loaded.error().message;
    const auto again = load(config::print_yaml(loaded->settings, &loaded->origins));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->settings, loaded->settings);
}

TEST_F(SettingsFiles, the_simulated_cluster_allows_every_kind_everywhere) {
    const Settings settings = default_settings();
    ASSERT_EQ(settings.policy.allow.size(), 1U);
    EXPECT_EQ(settings.policy.allow[0].space, "*");
    EXPECT_EQ(settings.policy.allow[0].kinds.size(), 9U);
}

/// Calls f(path) for every number and time of a struct, lists left out.
template <class T, class F>
void for_each_number(const T& value, const std::string& path, const F& f) {
    if constexpr (TimeLike<T> || std::same_as<T, double> || Integer<T>) {
        f(path);
    } else if constexpr (DescribedStruct<T>) {
        for_each_member(value, [&](std::string_view name, const auto& member) {
            for_each_number(member, path + "." + std::string(name), f);
        });
    }
}

TEST(Settings, nothing_is_withheld_on_a_real_cluster_unless_somebody_asks) {
    EXPECT_EQ(default_live_settings().policy.risk.holdout, 0);
    EXPECT_EQ(default_settings().policy.risk.holdout, 0.1);
}

TEST(SettingBounds, every_number_of_the_policy_has_them_and_none_is_left_over) {
    std::vector<std::string> paths;
    for_each_number(model::Policy{}, "policy", [&](const std::string& path) {
        paths.push_back(path);
        EXPECT_TRUE(std::ranges::count(setting_bounds(), path, &config::Bound::path) == 1) << path;
    });
    for (const config::Bound& bound : setting_bounds()) {
        const bool known = std::ranges::find(paths, bound.path) != paths.end();
        EXPECT_TRUE(known || bound.path.starts_with("run.")) << bound.path;
    }
}

TEST(SettingBounds, defaults_lie_within_them) {
    const auto source = config::text_source("defaults", config::print_yaml(default_settings()));
    const auto root = config::parse_yaml(*source);
    Settings settings;
    config::Origins origins;
    const auto done = config::Reader(*source, origins, setting_bounds()).read(*root, settings, "");
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(settings, default_settings());
}

}  // namespace
}  // namespace parley::app
