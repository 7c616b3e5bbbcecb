#include "apps/live/may_act.h"

#include "config/origin.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using model::ActionKind;
using model::Mode;

/// What `--mode act` with a file that allows this says.
LoadedSettings acting(std::vector<model::OptIn> allow) {
    LoadedSettings loaded{.settings = default_live_settings(), .origins = {}};
    loaded.settings.run.mode = Mode::act;
    loaded.settings.policy.allow = std::move(allow);
    loaded.origins["run.mode"] = {.name = "--mode", .place = {}};
    return loaded;
}

std::string answer(const LoadedSettings& loaded) {
    const auto fine = check_acting(loaded, {});
    return fine ? "yes" : fine.error().message;
}

TEST(MayAct, a_file_with_all_settings_of_a_simulation_gives_no_hands) {
    LoadedSettings loaded{.settings = default_settings(), .origins = {}};
    loaded.origins["run.mode"] = {.name = "mine.yaml", .place = {.line = 7}};
    EXPECT_EQ(answer(loaded),
              "run.mode is act by mine.yaml:7, which is not enough on a real cluster; say --mode "
              "act, too, if this run is to change it");
    loaded.origins["run.mode"] = {.name = "--mode", .place = {}};
    EXPECT_EQ(answer(loaded),
              "policy.allow names every namespace; on a real cluster they are named one by one, or "
              "by a prefix such as test-*");
    EXPECT_FALSE(check_asked_for(loaded));
    loaded.settings.run.mode = Mode::dry_run;
    EXPECT_EQ(answer(loaded), "yes") << "nothing is sent";
}

TEST(MayAct, namespaces_and_kinds_are_named) {
    EXPECT_EQ(answer(acting({{"shop", {ActionKind::migrate}}, {"test-*", {ActionKind::throttle}}})),
              "yes");
    EXPECT_EQ(answer(acting({})).substr(0, 45), "--mode act without policy.allow would never a");
    EXPECT_TRUE(check_asked_for(acting({}))) << "`check` says so in its own words";
    EXPECT_EQ(answer(acting({{"shop", {ActionKind::migrate}}, {"", {ActionKind::migrate}}}))
                  .substr(0, 40),
              "policy.allow names every namespace; on a");
}

TEST(MayAct, what_cannot_be_carried_out_is_refused_at_start) {
    EXPECT_EQ(answer(acting({{"shop", {ActionKind::scale}}})),
              "policy.allow names scale in namespace shop, which this build cannot carry out on a "
              "real cluster; take it out");
    EXPECT_EQ(answer(acting({{"shop", {ActionKind::power_state}}})).substr(0, 54),
              "policy.allow names power_state in namespace shop, but ");
}

}  // namespace
}  // namespace parley::app
