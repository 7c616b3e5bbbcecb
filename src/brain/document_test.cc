#include "brain/document.h"

#include <gtest/gtest.h>

namespace parley::brain {
namespace {

TEST(Document, an_empty_array_is_of_numbers_and_of_others) {
    const Value none{Items{}};
    EXPECT_TRUE(none.numbers() != nullptr && none.numbers()->empty());
    EXPECT_TRUE(none.items() != nullptr && none.items()->empty());
    const Value numbers{Numbers{1}};
    EXPECT_EQ(numbers.items(), nullptr);
    EXPECT_EQ(numbers.numbers()->size(), 1U);
    EXPECT_EQ(Value{std::string("a")}.numbers(), nullptr);
}

TEST(Document, members_are_found_by_name) {
    Value object;
    object.content = Members{{"a", "b"}, {Value{1.0}, Value{true}}};
    ASSERT_NE(object.find("b"), nullptr);
    EXPECT_TRUE(*object.find("b")->boolean());
    EXPECT_EQ(object.find("c"), nullptr);
    EXPECT_EQ(Value{}.find("a"), nullptr);
}

TEST(Document, a_name_that_stands_twice_is_found) {
    EXPECT_EQ(name_twice({{"b", "a", "c"}, {}}), nullptr);
    ASSERT_NE(name_twice({{"b", "a", "b"}, {}}), nullptr);
    EXPECT_EQ(*name_twice({{"b", "a", "b"}, {}}), "b");
}

TEST(Document, numbers_are_counted_without_overflow) {
    DocumentLimits limits;
    EXPECT_TRUE(limits.numbers(kDocumentNumbersMax));
    EXPECT_FALSE(limits.numbers(1));
    EXPECT_FALSE(limits.numbers(~std::uint64_t{0}));
}

}  // namespace
}  // namespace parley::brain
