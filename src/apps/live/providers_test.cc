#include "apps/live/providers.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using model::ActionKind;

LoadedSettings with(ProviderSettings provider) {
    LoadedSettings loaded;
    loaded.settings.providers = {std::move(provider)};
    loaded.origins["providers"] = {"act.yaml", {}};
    return loaded;
}

TEST(Providers, are_taken_as_the_settings_name_them) {
    EXPECT_TRUE(providers_of({}).value().empty());
    const auto found = providers_of(with({{"rack7-*"}, {"/bin/sh", "-c"}, {}}));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, (std::vector<kube::Provider>{{{"rack7-*"}, {"/bin/sh", "-c"}, {}}}));
}

TEST(Providers, that_cannot_be_used_are_refused_with_their_place) {
    struct Case {
        ProviderSettings provider;
        const char* says;
    };
    for (const Case& each : std::initializer_list<Case>{
             {{{}, {"/bin/sh"}, {}}, "which nodes it serves"},
             {{{"*"}, {}, {}}, "must name a command"},
             {{{"*"}, {"node-power"}, {}}, "must be an absolute path"},
             {{{"*"}, {"/no/such/program"}, {}}, "providers[0].power: \"/no/such/program\" is no"},
             {{{"*"}, {}, {"/etc/passwd"}}, "providers[0].clock: \"/etc/passwd\" is no program"},
             {{{"*"}, {"/bin"}, {}}, "is no program that can be run"}}) {
        const auto found = providers_of(with(each.provider));
        ASSERT_FALSE(found) << each.says;
        EXPECT_EQ(found.error().code, ErrorCode::denied);
        EXPECT_NE(found.error().message.find(each.says), std::string::npos)
            << found.error().message;
    }
    EXPECT_TRUE(providers_of(with({{}, {}, {}})).error().message.starts_with("act.yaml"));
}

TEST(Providers, are_needed_for_power_and_for_clocks_alone) {
    const std::vector<kube::Provider> power = {{{"*"}, {"/bin/sh"}, {}}};
    const std::vector<kube::Provider> clock = {{{"*"}, {}, {"/bin/sh"}}};
    EXPECT_EQ(lacks_provider(ActionKind::migrate, {}), "");
    EXPECT_EQ(lacks_provider(ActionKind::power_state, power), "");
    EXPECT_EQ(lacks_provider(ActionKind::dvfs, clock), "");
    EXPECT_EQ(lacks_provider(ActionKind::power_state, clock),
              "no provider is named that can switch power; see docs/providers.md");
    EXPECT_EQ(lacks_provider(ActionKind::dvfs, power),
              "no provider is named that can set clocks; see docs/providers.md");
}

}  // namespace
}  // namespace parley::app
