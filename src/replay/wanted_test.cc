#include "replay/wanted.h"

#include <gtest/gtest.h>

namespace parley::replay {
namespace {

struct Case {
    const char* text;
    const char* expected;  ///< Role, action, target; or the start of the error.
};

std::string parsed(const std::string& text) {
    const auto wanted = parse_wanted(text);
    if (!wanted) return "error: " + wanted.error().message;
    return std::string(enum_name(wanted->role)) + " " + text_of(wanted->action) + " " +
           text_of(wanted->target);
}

TEST(Wanted, actions_as_people_type_them) {
    const Case cases[] = {
        {"replicate:node-07", "safety replicate node-07"},
        {"migrate:node-03", "safety migrate node-03"},
        {"throttle:node-03", "safety throttle node-03"},
        {"power_state:sleep:node-05", "efficiency power_state:sleep node-05"},
        {"power_state:node-05", "efficiency power_state:sleep node-05"},
        {"off:node-05", "efficiency power_state:off node-05"},
        {"memory_balloon:node-02", "efficiency memory_balloon node-02"},
        {"dvfs:node-02", "efficiency dvfs node-02"},
        {"queue", "admission admission:queue cluster"},
        {"admission:reject", "admission admission:reject cluster"},
        {"admission", "admission admission:queue cluster"},
        {"deprioritize", "admission admission:deprioritize cluster"},
        {"resource_cap", "admission resource_cap cluster"},
        {"resource_cap:node-01", "admission resource_cap cluster"},
        {"scale:shop/web", "scaling scale shop/web"},
        {"scale:shop/stateful_set/db", "scaling scale shop/stateful_set/db"},
    };
    for (const Case& each : cases) EXPECT_EQ(parsed(each.text), each.expected) << each.text;
}

TEST(Wanted, what_is_wrong_is_named_with_a_remedy) {
    const Case cases[] = {
        {"", "error: no action is called \"\"; write replicate:NODE"},
        {"noop", "error: no action is called \"noop\""},
        {"wake:node-05",
         "error: no action is called \"wake\"; write replicate:NODE, migrate:NODE, throttle:NODE, "
         "power_state:sleep:NODE, power_state:on:NODE, "},
        {"replicat:node-07", "error: no action is called \"replicat\", did you mean replicate?; "},
        {"migrate", "error: migrate is for a node: migrate:NODE"},
        {"power_state:sleep", "error: power_state is for a node: power_state:NODE"},
        {"migrate:a:b", "error: \"b\" is too much in \"migrate:a:b\"; write"},
        {"queue:node-01", "error: \"node-01\" is too much in \"queue:node-01\""},
        {"scale:web", "error: scale is for a workload: scale:NAMESPACE/NAME"},
        {"scale:shop/zoo/web", "error: scale is for a workload"},
        {"scale:/web", "error: scale is for a workload"},
    };
    for (const Case& each : cases) {
        EXPECT_TRUE(parsed(each.text).starts_with(each.expected)) << parsed(each.text);
    }
}

TEST(Wanted, amounts_do_not_matter_but_targets_and_wishes_do) {
    const Wanted balloon = *parse_wanted("memory_balloon:node-02");
    model::Proposal p{.role = model::Role::efficiency,
                      .action = model::MemoryBalloon{900'000},
                      .target = model::NodeId{Name::of("node-02")}};
    EXPECT_TRUE(is_wanted(balloon, p));
    p.target = model::NodeId{Name::of("node-03")};
    EXPECT_FALSE(is_wanted(balloon, p));
    p.action = model::Dvfs{};
    EXPECT_FALSE(is_wanted(balloon, p));

    const Wanted sleep = *parse_wanted("sleep:node-03");
    p.action = model::PowerState{model::PowerWish::sleep};
    EXPECT_TRUE(is_wanted(sleep, p));
    p.action = model::PowerState{model::PowerWish::off};
    EXPECT_FALSE(is_wanted(sleep, p));

    p.action = model::Admission{model::AdmissionWish::queue, {Name::of("shop")}};
    p.target = model::WholeCluster{};
    EXPECT_TRUE(is_wanted(*parse_wanted("queue"), p));
    EXPECT_FALSE(is_wanted(*parse_wanted("reject"), p));
}

}  // namespace
}  // namespace parley::replay
