#include "model/pod.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(PodName, keeps_a_short_tail_out_of_the_interned_names) {
    const PodName name = PodName::of("web-7f9c4d-", "x2x9q");
    EXPECT_EQ(name.text(), "web-7f9c4d-x2x9q");
    EXPECT_EQ(name.stem.view(), "web-7f9c4d-");
    EXPECT_EQ(name.stem, PodName::of("web-7f9c4d-", "abcde").stem);
}

TEST(PodName, takes_a_tail_of_twelve_and_no_more) {
    EXPECT_EQ(PodName::of("a-", "123456789012").stem.view(), "a-");
    EXPECT_EQ(PodName::of("a-", "123456789012").text(), "a-123456789012");
    EXPECT_EQ(PodName::of("a-", "1234567890123").stem.view(), "a-1234567890123");
    EXPECT_EQ(PodName::of("a-", "1234567890123").text(), "a-1234567890123");
    EXPECT_EQ(PodName::of("bare", "").text(), "bare");
}

TEST(CauseSet, knows_what_is_a_shortage) {
    EXPECT_TRUE(CauseSet{}.empty());
    for (const Cause cause : {Cause::cpu, Cause::memory, Cause::pods}) {
        EXPECT_TRUE(CauseSet{}.with(cause).shortage());
    }
    const CauseSet others = CauseSet{}.with(Cause::selector).with(Cause::our_hold);
    EXPECT_FALSE(others.shortage());
    EXPECT_TRUE(others.has(Cause::selector));
    EXPECT_FALSE(others.has(Cause::taint));
    EXPECT_TRUE(others.with(Cause::cpu).shortage());
    EXPECT_FALSE(CauseSet{}.with(Cause::cpu).with(Cause::impossible).shortage());
}

}  // namespace
}  // namespace parley::model
