#include "apps/parley/live_about.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveAbout, says_which_cluster_and_that_it_only_observes) {
    LiveOptions options;
    options.name = "prod";
    const DashboardRun run =
        dashboard_run(options, {{"ray_ppo", web::StageState::off, "by --no-policy", ""}});
    EXPECT_EQ(run.about.cluster_kind, "Kubernetes, prod");
    ASSERT_EQ(run.about.stages.size(), 1U);
    EXPECT_EQ(run.about.stages[0].detail, "by --no-policy");
    EXPECT_FALSE(run.about.cannot.empty());
}

}  // namespace
}  // namespace parley::app
