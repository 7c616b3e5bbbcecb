#include "prometheus/reply.h"

#include <gtest/gtest.h>

namespace parley::prometheus {
namespace {

const char* const kEmpty = R"({"status":"success","data":{"resultType":"vector","result":[]}})";
const char* const kRefused = R"({"status":"error","errorType":"bad_data","error":"parse error"})";
const char* const kSlow = R"({"status":"error","errorType":"timeout","error":"query timed out"})";

http::Response reply(int status, const char* type, const std::string& body) {
    http::Response out{.status = status, .body = body};
    if (type != nullptr) out.headers.push_back({"Content-Type", type});
    return out;
}

struct Case {
    const char* name;
    http::Response reply;
    std::string trouble;  ///< Empty: an answer.
    ErrorCode code = ErrorCode::malformed;
    bool all = true;  ///< Other queries need not be tried.
};

class ReplySays : public testing::TestWithParam<Case> {};

TEST_P(ReplySays, what_is_wrong) {
    const Case& c = GetParam();
    const auto answer = read_reply(c.reply, {});
    EXPECT_EQ(answer ? "" : answer.error().message, c.trouble);
    if (!answer) EXPECT_EQ(answer.error().code, c.code);
    EXPECT_EQ(concerns_all(c.reply), c.all);
}

const char* const kJson = "application/json";

const Case kCases[] = {
    {"fine", reply(200, kJson, kEmpty), "", {}, false},
    {"with_a_charset", reply(200, "application/json; charset=utf-8", kEmpty), "", {}, false},
    // F15e.
    {"login_page", reply(200, "text/html", "<html>Log in</html>"),
     "the answer is \"text/html\", not JSON; is a proxy or a login page in between?"},
    {"login_page_that_says_json", reply(200, kJson, "<html>Log in</html>"),
     "this is no answer of Prometheus, or a part of one", ErrorCode::malformed, false},
    {"no_type", reply(200, nullptr, kEmpty),
     "the answer is of no type, not JSON; is a proxy or a login page in between?"},
    {"query_refused", reply(400, kJson, kRefused), "400, it refuses the query: parse error",
     ErrorCode::denied, false},
    {"query_refused_422", reply(422, kJson, kRefused), "422, it refuses the query: parse error",
     ErrorCode::denied, false},
    {"query_too_slow", reply(503, kJson, kSlow), "503, it refuses the query: query timed out",
     ErrorCode::unavailable, false},
    {"proxy_without_server", reply(503, "text/html", "<h1>secret inside</h1>"), "503",
     ErrorCode::unavailable},
    {"bad_gateway", reply(502, nullptr, ""), "502", ErrorCode::unavailable},
    {"overloaded", reply(429, nullptr, ""), "429", ErrorCode::unavailable},
    {"not_let_in", reply(401, "text/plain", "who are you?"),
     "401, we are not let in; check token, user or headers", ErrorCode::denied},
    {"forbidden", reply(403, kJson, R"({"kind":"Status"})"),
     "403, we are not let in; check token, user or headers", ErrorCode::denied},
    {"not_here", reply(404, "text/plain", ""),
     "404, there is no Prometheus here; is a path missing in the address?", ErrorCode::gone},
    {"redirect", reply(302, "text/html", ""),
     "302, it sends elsewhere, and that is not followed; give the address itself",
     ErrorCode::denied},
    {"no_content", reply(204, kJson, ""), "204", ErrorCode::malformed},
    // F15c: it may be a part of the truth.
    {"warnings",
     reply(200, kJson,
           R"({"status":"success","data":{"resultType":"vector","result":[]},)"
           R"("warnings":["no store for 2 of 3 shards"]})"),
     "it warns that the answer is incomplete: no store for 2 of 3 shards", ErrorCode::malformed,
     false},
};
INSTANTIATE_TEST_SUITE_P(All, ReplySays, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Reply, says_when_to_come_again) {
    http::Response busy = reply(429, nullptr, "");
    busy.headers.push_back({"Retry-After", "7"});
    EXPECT_EQ(read_reply(busy, {}).error().retry_after, seconds(7));
    for (const char* text : {"301", "-1", "Wed, 21 Oct 2015 07:28:00 GMT", ""}) {
        busy.headers.back().value = text;
        EXPECT_EQ(read_reply(busy, {}).error().retry_after, std::nullopt) << text;
    }
    http::Response refused = reply(400, nullptr, "");
    refused.headers.push_back({"Retry-After", "7"});
    EXPECT_EQ(read_reply(refused, {}).error().retry_after, std::nullopt);
}

}  // namespace
}  // namespace parley::prometheus
