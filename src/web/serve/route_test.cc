#include "web/serve/route.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Case {
    const char* method;
    const char* target;
    int status;  ///< 0: a route.
    Wanted wanted = Wanted::page;
    const char* run = "";
    std::uint64_t round = 0;  ///< 0: the newest.
    const char* name = "";
};

TEST(Route, every_address_of_the_api) {
    const Case cases[] = {
        {"GET", "/", 0, Wanted::page, "", 0, "/"},
        {"GET", "/tour-7/142/node/node-07?from=141", 0, Wanted::page, "", 0,
         "/tour-7/142/node/node-07"},
        {"HEAD", "/", 0, Wanted::page, "", 0, "/"},
        {"POST", "/", 405},
        {"GET", "/healthz", 0, Wanted::health, "", 0, "/healthz"},
        {"GET", "/readyz?verbose", 0, Wanted::ready, "", 0, "/readyz"},
        {"GET", "/metrics", 0, Wanted::metrics, "", 0, "/metrics"},
        {"GET", "/api/runs", 0, Wanted::runs},
        {"GET", "/api/session", 0, Wanted::session},
        {"POST", "/api/session", 0, Wanted::login},
        {"DELETE", "/api/session", 405},
        {"GET", "/api/runs/tour-7", 0, Wanted::run, "tour-7"},
        {"GET", "/api/runs/a%20b%2Fc", 0, Wanted::run, "a b/c"},
        {"GET", "/api/runs/tour-7/rounds/live", 0, Wanted::round, "tour-7"},
        {"GET", "/api/runs/tour-7/rounds/142", 0, Wanted::round, "tour-7", 142},
        {"GET", "/api/runs/tour-7/rounds/0", 404},
        {"GET", "/api/runs/tour-7/rounds/-1", 404},
        {"GET", "/api/runs/tour-7/rounds/99999999999999999999", 404},
        {"GET", "/api/runs/tour-7/rounds/142/map", 0, Wanted::map, "tour-7", 142},
        {"GET", "/api/runs/tour-7/rounds/142/nodes", 0, Wanted::nodes, "tour-7", 142},
        {"GET", "/api/runs/tour-7/rounds/142/nodes/node-07", 0, Wanted::node, "tour-7", 142,
         "node-07"},
        {"GET", "/api/runs/tour-7/rounds/142/nodes/a/b", 404},
        {"GET", "/api/runs/tour-7/rounds/live/workloads/shop/job/report", 0, Wanted::workload,
         "tour-7", 0, "shop/job/report"},
        {"GET", "/api/runs/tour-7/rounds/142/difference?from=140", 0, Wanted::difference, "tour-7",
         142},
        {"GET", "/api/runs/tour-7/stream", 0, Wanted::stream, "tour-7"},
        {"GET", "/api/runs/tour-7/stop", 405},
        {"POST", "/api/runs/tour-7/stop", 0, Wanted::stop, "tour-7"},
        {"POST", "/api/runs/tour-7/rounds/142", 405},
        {"GET", "/api/runs/tour-7/nothing", 404},
        {"GET", "/api", 404},
        {"GET", "/api/", 404},
        {"GET", "/api/runs/", 404},
        {"GET", "/api/runs//rounds/1", 404},
        {"GET", "/api/runs/%zz", 400},
        {"GET", "/api/runs/a%00b", 400},
        {"GET", "/api/runs/a%2", 400},
        {"GET", "api/runs", 400},
        {"GET", "", 400},
        {"GET", "http://elsewhere/api/runs", 400},
        {"GET", "/api/runs/x/events?find=%zz", 400},
        {"GET", "/api/runs/x/events?find=a&find=b", 400},
    };
    for (const Case& each : cases) {
        const auto parsed = parse_route(each.method, each.target);
        const auto* refused = std::get_if<Refusal>(&parsed);
        ASSERT_EQ(refused != nullptr ? refused->status : 0, each.status) << each.target;
        if (refused != nullptr) {
            EXPECT_FALSE(refused->sentence.empty());
            EXPECT_EQ(refused->allow.empty(), each.status != 405);
            continue;
        }
        const Route& route = std::get<Route>(parsed);
        EXPECT_EQ(route.wanted, each.wanted) << each.target;
        EXPECT_EQ(route.run, each.run) << each.target;
        EXPECT_EQ(route.round.value_or(0), each.round) << each.target;
        EXPECT_EQ(route.name, each.name) << each.target;
    }
}

TEST(Route, a_long_address_is_refused) {
    const std::string longest = "/" + std::string(kTargetBytesMax - 1, 'a');
    EXPECT_TRUE(std::holds_alternative<Route>(parse_route("GET", longest)));
    EXPECT_TRUE(std::holds_alternative<Refusal>(parse_route("GET", longest + "a")));
    std::string many = "/api/runs/x/events?";
    for (int i = 0; i < 40; ++i) many += "k" + std::to_string(i) + "=1&";
    EXPECT_TRUE(std::holds_alternative<Refusal>(parse_route("GET", many)));
}

TEST(Route, the_query_is_decoded) {
    const auto parsed = parse_route("GET", "/api/runs/x/ask?q=why-not+migrate%3Anode-03&round=142");
    const Route& route = std::get<Route>(parsed);
    EXPECT_EQ(route.text("q"), "why-not migrate:node-03");
    EXPECT_EQ(*number_in(route, "round", 7, 1000), 142U);
    EXPECT_EQ(*number_in(route, "other", 7, 1000), 7U);
    EXPECT_FALSE(number_in(route, "round", 7, 141)) << "above what is allowed";
    EXPECT_FALSE(number_in(route, "q", 7, 1000));
}

TEST(Route, everything_below_api_but_logging_in_needs_a_login) {
    for (const auto wanted : {Wanted::runs, Wanted::round, Wanted::stream, Wanted::stop,
                              Wanted::openapi, Wanted::session, Wanted::export_file}) {
        EXPECT_TRUE(needs_login(wanted));
    }
    for (const auto open : {Wanted::page, Wanted::login, Wanted::health, Wanted::metrics}) {
        EXPECT_FALSE(needs_login(open));
    }
}

}  // namespace
}  // namespace parley::web
