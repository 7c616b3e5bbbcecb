#include "kube/watch/api_error.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

http::Response answer(int status, std::string body = {}, std::string type = "application/json") {
    return {status, {{"Content-Type", std::move(type)}}, std::move(body)};
}

TEST(ApiError, each_status_says_what_to_do) {
    struct Case {
        int status;
        ErrorCode code;
    };
    const Case cases[] = {
        {301, ErrorCode::malformed},   {400, ErrorCode::malformed},   {401, ErrorCode::denied},
        {403, ErrorCode::denied},      {404, ErrorCode::gone},        {405, ErrorCode::denied},
        {406, ErrorCode::denied},      {408, ErrorCode::unavailable}, {409, ErrorCode::conflict},
        {410, ErrorCode::expired},     {422, ErrorCode::denied},      {429, ErrorCode::unavailable},
        {500, ErrorCode::unavailable}, {503, ErrorCode::unavailable}, {504, ErrorCode::unavailable},
    };
    for (const Case& c : cases) {
        const auto read = read_answer(answer(c.status), "listing pods");
        ASSERT_FALSE(read) << c.status;
        EXPECT_EQ(read.error().code, c.code) << c.status;
        EXPECT_EQ(read.error().message, "listing pods: " + std::to_string(c.status));
    }
    EXPECT_TRUE(read_answer(answer(200), "x"));
    EXPECT_TRUE(read_answer(answer(201, "", "application/json; charset=utf-8"), "x"));
}

TEST(ApiError, of_a_change_that_failed_late_nobody_knows_what_came_of_it) {
    struct Case {
        int status;
        ErrorCode code;
    };
    for (const Case& c :
         {Case{403, ErrorCode::denied}, Case{404, ErrorCode::gone},
          Case{408, ErrorCode::unknown_outcome}, Case{409, ErrorCode::conflict},
          Case{422, ErrorCode::denied}, Case{429, ErrorCode::unavailable},
          Case{500, ErrorCode::unknown_outcome}, Case{503, ErrorCode::unknown_outcome},
          Case{504, ErrorCode::unknown_outcome}}) {
        EXPECT_EQ(write_answer(answer(c.status), "x").error().code, c.code) << c.status;
    }
    http::Response later = answer(503);
    later.headers.push_back({"Retry-After", "1"});
    EXPECT_EQ(write_answer(later, "x").error().code, ErrorCode::unknown_outcome);
    EXPECT_TRUE(write_answer(answer(201), "x"));
}

TEST(ApiError, a_login_page_with_200_is_no_answer) {
    const auto read = read_answer(answer(200, "<html>", "text/html"), "listing pods");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::malformed);
    EXPECT_EQ(read.error().message,
              "listing pods: the answer is \"text/html\", not JSON; is a proxy or a login page in "
              "between?");
    EXPECT_FALSE(read_answer({200, {}, "{}"}, "x"));
}

TEST(ApiError, repeats_what_the_server_says_but_not_for_ever) {
    const auto read = read_answer(
        answer(403,
               R"({"kind":"Status","status":"Failure","message":"pods is forbidden","code":403})"),
        "listing pods");
    EXPECT_EQ(read.error().message, "listing pods: 403, pods is forbidden");
    const auto large = read_answer(
        answer(403, R"({"kind":"Status","code":403,"message":")" + std::string(5000, 'x') + "\"}"),
        "listing pods");
    EXPECT_LT(large.error().message.size(), 400U);
    const auto page = read_answer(answer(502, "<html>secret</html>", "text/html"), "listing pods");
    EXPECT_EQ(page.error().message, "listing pods: 502");
}

TEST(ApiError, what_a_webhook_wrote_does_not_reach_a_terminal_as_it_is) {
    const auto read = read_answer(
        answer(403,
               "{\"kind\":\"Status\",\"code\":403,\"message\":\"admission webhook denied: "
               "\\u001b[2Jgone\\nline\\u0007\"}"),
        "putting a pod");
    EXPECT_EQ(read.error().message, "putting a pod: 403, admission webhook denied: ?[2Jgone line?");
}

TEST(ApiError, a_time_to_come_back_is_kept_where_one_is_named) {
    http::Response busy = answer(429);
    busy.headers.push_back({"retry-after", "7"});
    EXPECT_EQ(read_answer(busy, "x").error().retry_after, seconds(7));
    busy.headers.back().value = "soon";
    EXPECT_EQ(read_answer(busy, "x").error().retry_after, std::nullopt);
    busy.headers.back().value = "99999999999";
    EXPECT_EQ(read_answer(busy, "x").error().retry_after, std::nullopt);
    busy.status = 403;
    busy.headers.back().value = "7";
    EXPECT_EQ(read_answer(busy, "x").error().retry_after, std::nullopt);
}

TEST(ApiError, a_disruption_budget_is_not_a_busy_server) {
    const auto read = read_answer(
        answer(429, R"({"kind":"Status","code":429,"message":"no","details":{"causes":[)"
                    R"({"reason":"DisruptionBudget","message":"needs 2 healthy pods"}]}})"),
        "evicting a pod");
    EXPECT_EQ(read.error().code, ErrorCode::blocked);
}

TEST(ApiError, a_pod_that_two_budgets_select_is_never_evicted) {
    const auto two = [](int status) {
        return answer(status, R"({"kind":"Status","status":"Failure","message":"This pod has more )"
                              R"(than one PodDisruptionBudget, which the eviction subresource )"
                              R"(does not support."})");
    };
    for (const auto& said :
         {read_answer(two(500), "evicting a pod"), write_answer(two(500), "evicting a pod")}) {
        ASSERT_FALSE(said);
        EXPECT_EQ(said.error().code, ErrorCode::blocked) << "surely not applied";
        EXPECT_EQ(said.error().message,
                  "evicting a pod: two or more disruption budgets select it, and the API server "
                  "evicts no such pod; leave it one");
    }
    EXPECT_EQ(write_answer(answer(500, R"({"kind":"Status","message":"no"})"), "x").error().code,
              ErrorCode::unknown_outcome);
    EXPECT_EQ(write_answer(two(503), "x").error().code, ErrorCode::unknown_outcome);
}

}  // namespace
}  // namespace parley::kube
