#include "http/message.h"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Message, headers_are_found_in_any_case) {
    const Response answer{200, {{"X-One", "1"}, {"x-ONE", "2"}}, ""};
    ASSERT_NE(answer.header("x-one"), nullptr);
    EXPECT_EQ(*answer.header("x-one"), "1");
    EXPECT_EQ(answer.header("x-on"), nullptr);
}

TEST(Message, a_media_type_is_without_its_parameters) {
    const auto type = [](std::string text) {
        return Response{200, {{"content-type", std::move(text)}}, ""}.media_type();
    };
    EXPECT_EQ(type("application/json"), "application/json");
    EXPECT_EQ(type("Application/JSON ; charset=utf-8"), "application/json");
    EXPECT_EQ(type(""), "");
    EXPECT_EQ(Response{}.media_type(), "");
}

}  // namespace
}  // namespace parley::http
