#include "model/opt_in.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(OptIn, is_by_name_prefix_or_all) {
    Policy policy;
    const auto in = [&](const char* space) { return opted_in(policy, ActionKind::migrate, space); };
    EXPECT_FALSE(in("shop"));
    policy.allow = {{"shop", {ActionKind::migrate}}};
    EXPECT_TRUE(in("shop"));
    EXPECT_FALSE(in("shop-2"));
    policy.allow = {{"shop*", {ActionKind::migrate}}};
    EXPECT_TRUE(in("shop-2"));
    EXPECT_FALSE(in("sho"));
    policy.allow = {{"*", {ActionKind::throttle}}};
    EXPECT_FALSE(in("shop"));
}

TEST(OptIn, is_known_without_a_namespace_where_it_is_everywhere_or_nowhere) {
    using enum ActionKind;
    Policy policy;
    EXPECT_FALSE(opted_in_somewhere(policy, migrate));
    policy.allow = {{"*", {throttle}}, {"shop*", {migrate}}};
    EXPECT_TRUE(opted_in_somewhere(policy, migrate));
    EXPECT_FALSE(opted_in_everywhere(policy, migrate));
    EXPECT_TRUE(opted_in_everywhere(policy, throttle));
    EXPECT_FALSE(opted_in_somewhere(policy, replicate));
}

}  // namespace
}  // namespace parley::model
