#include "base/name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace parley {
namespace {

TEST(Name, same_text_is_the_same_name) {
    EXPECT_EQ(Name::of("node-07"), Name::of(std::string("node-0") + "7"));
    EXPECT_NE(Name::of("node-07"), Name::of("node-7"));
    EXPECT_EQ(Name(), Name::of(""));
    EXPECT_TRUE(Name::of("").empty());
}

TEST(Name, orders_by_text_not_by_age) {
    const Name late = Name::of("order-b");
    const Name early = Name::of("order-a");
    EXPECT_LT(early, late);
    EXPECT_LT(late.handle(), early.handle());
}

TEST(Name, text_survives_many_more_names) {
    const Name first = Name::of("survivor");
    for (int i = 0; i < 20'000; ++i) (void)Name::of("filler-" + std::to_string(i));
    EXPECT_EQ(first.view(), "survivor");
    EXPECT_EQ(Name::of("filler-19999").view(), "filler-19999");
}

TEST(Name, threads_agree_on_handles) {
    std::vector<std::vector<Name>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen) {
        threads.emplace_back([&mine] {
            for (int i = 0; i < 2'000; ++i) mine.push_back(Name::of("shared-" + std::to_string(i)));
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& mine : seen) EXPECT_TRUE(std::ranges::equal(mine, seen.front()));
}

}  // namespace
}  // namespace parley
