#include "layers/observation/shapes.h"

#include <gtest/gtest.h>

namespace parley::observation {
namespace {

using model::PodShape;

PodShape shape(const char* name, std::int64_t cpu_m) {
    return {{{.name = Name::of(name), .cpu_request_m = cpu_m}}};
}

TEST(Shapes, equal_ones_are_kept_once) {
    Table<PodShape> table;
    Shapes shapes;
    const PodShape a = shape("a", 100);
    const PodShape b = shape("a", 200);
    const Slot first = shapes.hold(table, &a);
    EXPECT_EQ(shapes.hold(table, &a), first);
    EXPECT_NE(shapes.hold(table, &b), first);
    EXPECT_EQ(table.size(), 2U);
    EXPECT_EQ(table.at(first), a);
    EXPECT_EQ(shapes.hold(table, nullptr), kNoSlot);
}

TEST(Shapes, one_goes_with_the_last_pod_that_has_it) {
    Table<PodShape> table;
    Shapes shapes;
    const PodShape a = shape("a", 100);
    const Slot slot = shapes.hold(table, &a);
    shapes.hold(table, &a);
    shapes.release(table, slot);
    EXPECT_TRUE(table.has(slot));
    shapes.release(table, slot);
    EXPECT_TRUE(table.empty());
    shapes.release(table, kNoSlot);
    const PodShape b = shape("b", 1);
    EXPECT_EQ(shapes.hold(table, &b), slot) << "the place is free";
}

TEST(Shapes, go_on_with_a_table) {
    Table<PodShape> table;
    const PodShape a = shape("a", 100);
    const Slot slot = table.insert(a);
    Shapes shapes(table);
    shapes.hold_again(slot);
    shapes.hold_again(kNoSlot);
    EXPECT_EQ(shapes.hold(table, &a), slot);
    shapes.release(table, slot);
    shapes.release(table, slot);
    EXPECT_TRUE(table.empty());
}

}  // namespace
}  // namespace parley::observation
