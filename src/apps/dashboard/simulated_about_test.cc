#include "apps/dashboard/simulated_about.h"

#include "apps/session/session_options.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(SimulatedAbout, says_which_scenario_and_what_its_mode_cannot_do) {
    LoadedSettings loaded{.settings = default_settings()};
    loaded.settings.run.scenario = "calm";
    loaded.settings.run.event_dir = "A";
    auto options = session_options(real_disk(), loaded.settings, false);
    ASSERT_TRUE(options) << options.error().message;
    DashboardRun run = dashboard_run(*options, loaded, seconds(1));
    EXPECT_EQ(run.about.cluster_kind, "simulated, scenario calm");
    EXPECT_TRUE(run.about.cannot.empty());
    EXPECT_FALSE(run.about.settings.empty());
    options->mode = model::Mode::observe;
    run = dashboard_run(*options, loaded, seconds(1));
    EXPECT_EQ(run.about.cannot, std::vector<std::string>{"send anything: mode observe"});
}

}  // namespace
}  // namespace parley::app
