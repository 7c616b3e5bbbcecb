#include "web/serve/connection.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(Connection, a_login_holds_a_token) {
    EXPECT_EQ(token_in(R"({"token":"a.b.c"})"), "a.b.c");
    for (const char* bad :
         {"", "{}", "[]", "null", R"({"token":7})", R"({"token":"a")", "token=a"}) {
        EXPECT_EQ(token_in(bad), std::nullopt) << bad;
    }
}

TEST(Connection, heads_carry_the_doors_headers) {
    const std::size_t length = 3;
    const std::string head = head_text(200, "application/json", &length, true, {{"X-More", "1"}});
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n"));
    EXPECT_NE(head.find("Content-Length: 3\r\n"), std::string::npos);
    EXPECT_NE(head.find("X-More: 1\r\n"), std::string::npos);
    EXPECT_NE(head.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
    EXPECT_NE(head_text(204, "x", nullptr, true, {}).find("keep-alive"), std::string::npos);
    EXPECT_EQ(head_text(204, "x", nullptr, true, {}).find("\r\nContent-Type: "), std::string::npos);
}

TEST(Connection, a_token_that_was_used_names_the_remedy) {
    EXPECT_EQ(refusal_of(Tried::used).sentence, "This link was used or has expired.");
    EXPECT_EQ(refusal_of(Tried::used).remedy, "A new one: parley link.");
    EXPECT_EQ(refusal_of(Tried::too_often).status, 429);
    EXPECT_EQ(refusal_of(Tried::wrong).status, 401);
}

}  // namespace
}  // namespace parley::web
