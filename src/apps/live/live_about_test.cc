#include "apps/live/live_about.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveAbout, says_which_cluster_and_that_it_only_observes) {
    LiveOptions options;
    options.name = "prod";
    const DashboardRun run = dashboard_run(options);
    EXPECT_EQ(run.about.cluster_kind, "Kubernetes, prod");
    EXPECT_FALSE(run.about.cannot.empty());
}

}  // namespace
}  // namespace parley::app
