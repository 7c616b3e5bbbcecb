#include "model/reading.h"

#include "base/codec.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

template <class T>
concept falls_back = requires(T t) { t.value_or(0); };
template <class T>
concept dereferences = requires(T t) { *t; };
template <class T>
concept adds = requires(T t) { t + t; };
template <class T>
concept compares = requires(T t) { t < t; };
template <class T>
concept equates = requires(T t) { t == t; };
template <class T>
concept tests_as_bool = requires(T t) { t ? 1 : 0; };

// Also checked for a type that has it, so that a mistake in the concept does not look like success.
static_assert(falls_back<std::optional<int>> && !falls_back<Reading<int>>);
static_assert(dereferences<std::optional<int>> && !dereferences<Reading<int>>);
static_assert(adds<int> && !adds<Reading<int>>);
static_assert(compares<std::optional<int>> && !compares<Reading<int>>);
static_assert(equates<std::optional<int>> && !equates<Reading<int>>);
static_assert(tests_as_bool<std::optional<int>> && !tests_as_bool<Reading<int>>);
static_assert(std::is_default_constructible_v<std::optional<int>> &&
              !std::is_default_constructible_v<Reading<int>>);
static_assert(!std::is_convertible_v<Reading<int>, int> &&
              !std::is_convertible_v<int, Reading<int>>);

const Provenance kFrom{.received = {seconds(10).us}, .measured = {seconds(7).us}};

TEST(Reading, holds_a_value_or_the_reason_for_none) {
    const Reading<int> value(0, kFrom);
    ASSERT_NE(value.value(), nullptr);
    EXPECT_EQ(*value.value(), 0);
    EXPECT_EQ(value.gap(), nullptr);

    const Reading<int> gap(Gap::too_old, kFrom);
    EXPECT_EQ(gap.value(), nullptr);
    ASSERT_NE(gap.gap(), nullptr);
    EXPECT_EQ(*gap.gap(), Gap::too_old);
}

TEST(Reading, is_as_old_as_the_older_of_both_clocks) {
    EXPECT_EQ(Reading<int>(1, kFrom).age({seconds(12).us}), seconds(5));
    const Provenance ahead{.received = {seconds(10).us}, .measured = {seconds(99).us}};
    EXPECT_EQ(Reading<int>(1, ahead).age({seconds(12).us}), seconds(2));
}

TEST(Reading, is_fresh_up_to_its_limit_and_not_beyond) {
    const Reading<int> reading(1, kFrom);
    EXPECT_NE(reading.fresh({seconds(12).us}, seconds(5)), nullptr);
    EXPECT_EQ(reading.fresh({seconds(12).us + 1}, seconds(5)), nullptr);
}

TEST(Reading, survives_the_codec_and_refuses_both_or_neither) {
    for (const auto& reading : {Reading<int>(42, kFrom), Reading<int>(Gap::implausible, kFrom)}) {
        Reading<int> back = Reading<int>::never();
        const std::string bytes = encode(reading);
        ByteReader in(bytes);
        read_value(in, back, false);
        EXPECT_FALSE(in.failed());
        EXPECT_TRUE(same(back, reading));
    }
    EXPECT_FALSE(Reading<int>::from_parts({.value = 1, .gap = Gap::too_old, .from = kFrom}));
    EXPECT_FALSE(Reading<int>::from_parts({.value = {}, .gap = {}, .from = kFrom}));
}

}  // namespace
}  // namespace parley::model
