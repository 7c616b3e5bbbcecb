#include "apps/live/live_about.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveAbout, says_which_cluster_and_that_only_mode_act_sends) {
    LiveOptions options;
    options.name = "prod";
    const DashboardRun run = dashboard_run(options);
    EXPECT_EQ(run.about.cluster_kind, "Kubernetes, prod");
    EXPECT_EQ(run.about.cannot, std::vector<std::string>{"send anything: it runs in mode observe"});
    options.mode = model::Mode::act;
    EXPECT_TRUE(dashboard_run(options).about.cannot.empty());
}

}  // namespace
}  // namespace parley::app
