#include "web/serve/api.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Api {
    fake::Disk disk;
    Runs runs;

    Api() {
        runs.push_back(
            std::make_shared<ServedRun>(disk, RunPlace{"demo", ""}, kit::header({}), RunHooks{}));
        for (std::uint64_t n = 1; n <= 30; ++n) runs[0]->take(kit::seen(kit::round_at(n)));
    }
    Answer get(const std::string& target) {
        const auto parsed = parse_route("GET", target);
        if (const auto* refused = std::get_if<Refusal>(&parsed)) return answer_with(*refused);
        return answer(runs, std::get<Route>(parsed));
    }
};

struct Case {
    const char* target;
    int status;
    const char* holds;
};

TEST(Api, answers_what_is_asked) {
    Api api;
    const Case cases[] = {
        {"/api/runs", 200, "\"current\":\"demo\""},
        {"/api/runs", 200, R"({"role":"safety","letter":"A","title":"A safety","here":true})"},
        {"/api/runs/demo", 200, "\"interval_s\":3"},
        {"/api/runs/dema", 404, "Is it demo?"},
        {"/api/runs/demo/rounds/live", 200, "\"round\":30"},
        {"/api/runs/demo/rounds/10", 200, "A safety won: replicate node-07"},
        {"/api/runs/demo/rounds/31", 404, "the newest is 30"},
        {"/api/runs/demo/rounds/10/map", 200, "\"sorted\":\"zone, name\""},
        {"/api/runs/demo/rounds/10/difference", 200, "\"from\":9"},
        {"/api/runs/demo/rounds/10/difference?from=40", 404, "newest"},
        {"/api/runs/demo/rounds/10/difference?from=x", 400, "from"},
        {"/api/runs/demo/rounds/10/nodes?limit=1", 200, "\"total\":12"},
        {"/api/runs/demo/rounds/10/nodes?limit=1001", 400, "limit"},
        {"/api/runs/demo/rounds/10/nodes/node-07", 200, "\"moments\""},
        {"/api/runs/demo/rounds/10/nodes/node-77", 404, "Is it node-07?"},
        {"/api/runs/demo/rounds/10/workloads", 200, "shop/web"},
        {"/api/runs/demo/rounds/10/workloads/shop/web", 200, "\"pods_total\":4"},
        {"/api/runs/demo/rounds/10/workloads/shop/none", 404, "Nothing of that name"},
        {"/api/runs/demo/strip?from=5&to=7", 200, "\"round\":7"},
        {"/api/runs/demo/ribbon?pixels=3", 200, "\"cells\":\"AAA\""},
        {"/api/runs/demo/scores", 200, "\"weights\":\"A x 1"},
        {"/api/runs/demo/decisions", 200, "\"total\":6"},
        {"/api/runs/demo/events?kinds=decision", 200, "\"kind\":\"decision\""},
        {"/api/runs/demo/events?kinds=decision,none", 400, "There is no kind"},
        {"/api/runs/demo/names?prefix=node-0", 200, "node-01"},
        {"/api/runs/demo/ask", 400, "why node-07"},
        {"/api/runs/demo/ask?q=why", 200, "Nothing is recorded"},
        {"/api/runs/demo/export?what=events&format=csv", 200, "seq,at,t"},
        {"/api/runs/demo/export?what=all", 400, "what is"},
        {"/api/runs/demo/export?format=xml", 400, "format is"},
        {"/api/openapi.json", 200, "\"openapi\":\"3.1.0\""},
    };
    for (const Case& each : cases) {
        const Answer got = api.get(each.target);
        EXPECT_EQ(got.status, each.status) << each.target << ": " << got.body;
        EXPECT_NE(got.body.find(each.holds), std::string::npos) << each.target << ": " << got.body;
    }
}

TEST(Api, an_error_says_what_and_what_to_do) {
    const Answer busy = answer_with(Error{ErrorCode::unavailable, "Being read.", {}});
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.body,
              "{\"error\":{\"sentence\":\"Being read.\",\"remedy\":\"Ask again in a "
              "second.\"}}\n");
    EXPECT_EQ(answer_with(Error{ErrorCode::malformed, "x", {}}).status, 409);
}

}  // namespace
}  // namespace parley::web
