#include "apps/dashboard/run_about.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::app {
namespace {

TEST(RunAbout, every_setting_says_where_it_came_from) {
    fake::Disk disk;
    const auto loaded = load_settings(disk, "", {{"run.seed", "--seed", "11", false}});
    ASSERT_TRUE(loaded.has_value());
    const auto views = setting_views(*loaded);
    const auto find = [&](const char* name) {
        return *std::ranges::find(views, name, &web::SettingView::name);
    };
    EXPECT_EQ(find("run.seed").value, "11");
    EXPECT_EQ(find("run.seed").origin, "--seed");
    EXPECT_EQ(find("run.interval").value, "3s");
    EXPECT_EQ(find("run.interval").origin, "default");
    EXPECT_EQ(find("policy.stakes.margin").origin, "default");
    EXPECT_EQ(find("policy.evidence.base").value, "0.0005") << "as config print has it";
}

TEST(RunAbout, is_read_back_and_missing_or_broken_is_nothing) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "run").has_value());
    EXPECT_TRUE(read_about(disk, "run").command.empty());
    web::RunAbout about{.command = {"parley", "demo"}, .cluster_kind = "simulated"};
    about.settings.push_back({"run.seed", "11", "--seed"});
    about.stages.push_back({"ray", web::StageState::off, "--no-policy", ""});
    ASSERT_TRUE(write_about(disk, "run", about).has_value());
    const auto back = read_about(disk, "run");
    EXPECT_EQ(back.command, about.command);
    ASSERT_EQ(back.stages.size(), 1U);
    EXPECT_EQ(back.stages[0].state, web::StageState::off);
    ASSERT_TRUE(write_file_atomically(disk, "run/about.json", "{\"command\":7}").has_value());
    EXPECT_TRUE(read_about(disk, "run").command.empty());
}

}  // namespace
}  // namespace parley::app
