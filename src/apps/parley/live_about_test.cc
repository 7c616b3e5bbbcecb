#include "apps/parley/live_about.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveAbout, off_by_choice_is_no_fault) {
    LiveOptions options;
    options.name = "prod";
    const DashboardRun run = dashboard_run(options, {.no_policy = true, .no_tune = true});
    EXPECT_EQ(run.about.cluster_kind, "Kubernetes, prod");
    ASSERT_EQ(run.about.stages.size(), 3U);
    EXPECT_EQ(run.about.stages[1].state, web::StageState::off);
    EXPECT_EQ(run.about.stages[1].detail, "by --no-policy");
    const DashboardRun other = dashboard_run(options, {});
    EXPECT_EQ(other.about.stages[1].state, web::StageState::skipped);
    EXPECT_FALSE(other.about.cannot.empty());
}

}  // namespace
}  // namespace parley::app
