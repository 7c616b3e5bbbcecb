#include "apps/parley/boot_view.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(BootView, off_by_choice_is_no_fault) {
    const auto views = stage_views({{"ray_ppo", StageStatus::disabled, "by --no-policy"},
                                    {"ray_ppo", StageStatus::skipped, "not in this build"},
                                    {"optuna", StageStatus::idle, "nobody asked"},
                                    {"optuna", StageStatus::complete, "3 of 3"},
                                    {"brains", StageStatus::failed, "refused"}});
    ASSERT_EQ(views.size(), 5U);
    EXPECT_EQ(views[0].state, web::StageState::off);
    EXPECT_EQ(views[0].detail, "by --no-policy");
    EXPECT_EQ(views[1].state, web::StageState::skipped);
    EXPECT_EQ(views[2].state, web::StageState::idle);
    EXPECT_EQ(views[3].state, web::StageState::done);
    EXPECT_EQ(views[4].state, web::StageState::failed);
}

}  // namespace
}  // namespace parley::app
