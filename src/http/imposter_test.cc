#include "http/imposter.h"

#include "http/client.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Imposter, remembers_what_it_was_asked) {
    TestLoop loop;
    const Imposter server(loop.executor(), [](const Request& request) {
        return Reply{.status = 201, .headers = {{"X-A", "b"}}, .body = "got " + request.body};
    });
    Client client(loop.executor(), {.url = {false, "127.0.0.1", server.port(), "/p"}}, "tests");
    const Request request{
        .method = "POST", .target = "/x?y=1", .headers = {{"A", "b"}}, .body = "z"};
    const auto answer = loop.ask(client.ask(request, {}));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 201);
    EXPECT_EQ(answer->body, "got z");
    EXPECT_EQ(*answer->header("x-a"), "b");
    ASSERT_EQ(server.requests().size(), 1U);
    EXPECT_EQ(server.requests()[0].method, "POST");
    EXPECT_EQ(server.requests()[0].target, "/p/x?y=1");
    EXPECT_EQ(server.requests()[0].body, "z");
}

}  // namespace
}  // namespace parley::http
