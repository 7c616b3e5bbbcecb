#include "base/json_value.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

TEST(JsonValue, an_empty_array_is_of_numbers_and_of_others) {
    const Json none{JsonItems{}};
    EXPECT_TRUE(none.numbers() != nullptr && none.numbers()->empty());
    EXPECT_TRUE(none.items() != nullptr && none.items()->empty());
    const Json numbers{JsonNumbers{1}};
    EXPECT_EQ(numbers.items(), nullptr);
    EXPECT_EQ(numbers.numbers()->size(), 1U);
    EXPECT_EQ(Json{std::string("a")}.numbers(), nullptr);
}

TEST(JsonValue, members_are_found_by_name) {
    Json object;
    object.content = JsonMembers{{"a", "b"}, {Json{1.0}, Json{true}}};
    ASSERT_NE(object.find("b"), nullptr);
    EXPECT_TRUE(*object.find("b")->boolean());
    EXPECT_EQ(object.find("c"), nullptr);
    EXPECT_EQ(Json{}.find("a"), nullptr);
}

TEST(JsonValue, of_equal_names_the_last_counts) {
    Json object;
    object.content = JsonMembers{{"a", "a"}, {Json{1.0}, Json{2.0}}};
    EXPECT_EQ(*object.find("a")->number(), 2);
}

TEST(JsonValue, a_name_that_stands_twice_is_found) {
    EXPECT_EQ(name_twice({{"b", "a", "c"}, {}}), nullptr);
    ASSERT_NE(name_twice({{"b", "a", "b"}, {}}), nullptr);
    EXPECT_EQ(*name_twice({{"b", "a", "b"}, {}}), "b");
}

TEST(JsonValue, numbers_are_counted_without_overflow) {
    JsonLimits limits;
    EXPECT_TRUE(limits.numbers(kJsonNumbersMax));
    EXPECT_FALSE(limits.numbers(1));
    EXPECT_FALSE(limits.numbers(~std::uint64_t{0}));
}

}  // namespace
}  // namespace parley
