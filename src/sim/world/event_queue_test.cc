#include "sim/world/event_queue.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace parley::sim {
namespace {

TEST(EventQueue, gives_events_by_time_then_kind_then_order_of_planning) {
    EventQueue queue;
    queue.push(20, EventKind::pod, 1);
    queue.push(10, EventKind::scrape, 2);
    queue.push(10, EventKind::step, 3);
    queue.push(10, EventKind::step, 4);
    std::vector<std::uint32_t> order;
    while (!queue.empty()) order.push_back(queue.pop().entity);
    EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 4, 2, 1}));
}

TEST(EventQueue, sorts_many_random_events_pushed_and_popped_in_turn) {
    EventQueue queue;
    Ms now = 0;
    std::vector<Ms> popped;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const auto wait = static_cast<Ms>(draw(1, Stream::jitter, 0, i) % 1000);
        queue.push(now + wait, EventKind::pod, static_cast<std::uint32_t>(i));
        if (i % 3 != 0) continue;
        const Event event = queue.pop();
        EXPECT_GE(event.at, now);
        now = event.at;
        popped.push_back(now);
    }
    while (!queue.empty()) popped.push_back(queue.pop().at);
    EXPECT_EQ(popped.size(), 20'000U);
    EXPECT_TRUE(std::ranges::is_sorted(popped));
}

TEST(EventQueue, keeps_kind_entity_and_generation) {
    EventQueue queue;
    queue.push(5, EventKind::node_back, 17, 3);
    const Event event = queue.pop();
    EXPECT_EQ(event.at, 5);
    EXPECT_EQ(event.kind(), EventKind::node_back);
    EXPECT_EQ(event.entity, 17U);
    EXPECT_EQ(event.generation, 3U);
}

}  // namespace
}  // namespace parley::sim
