#include "experiment/worlds.h"

#include "sim/scenario/builtin_scenarios.h"

#include <gtest/gtest.h>

namespace parley::experiment {
namespace {

TEST(Worlds, ones_own_comes_first_and_unknown_names_are_refused) {
    const auto mine = std::make_shared<const sim::Scenario>(*sim::builtin_scenario("calm", 7));
    const OwnScenarios own{{"./mine.yaml", mine}};
    EXPECT_EQ(world_of(own, "./mine.yaml", 1)->get(), mine.get());
    EXPECT_EQ(world_of(own, "./mine.yaml", 2)->get(), mine.get());
    const auto built_in = world_of(own, "mixed", 3);
    ASSERT_TRUE(built_in);
    EXPECT_EQ((*built_in)->name, "mixed");
    const auto none = world_of(own, "no-such", 3);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message,
              "no scenario is called \"no-such\"; parley scenario list shows those there are");
}

}  // namespace
}  // namespace parley::experiment
