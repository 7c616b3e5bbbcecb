#include "layers/execution/rest.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

const Target kNode = node_id("node-1");

TEST(Rest, lasts_twice_as_long_each_time_up_to_a_day) {
    Ledger ledger;
    TimePoint now = kNow;
    for (const std::int64_t expected : {30, 60, 120, 240, 480, 960, 1440, 1440, 1440}) {
        rest(ledger, kNode, now);
        EXPECT_EQ(ledger.cool_downs.back(),
                  (CoolDown{kNode, ActionKind::noop, now + minutes(expected)}));
        now = ledger.cool_downs.back().until;
        drop_cool_downs(ledger, now);
    }
    EXPECT_LE(ledger.cool_downs.size(), 7U) << "the ledger does not grow for ever";
}

TEST(Rest, is_not_prolonged_while_it_lasts) {
    Ledger ledger;
    rest(ledger, kNode, kNow);
    rest(ledger, kNode, kNow + minutes(30) - microseconds(1));
    EXPECT_EQ(ledger.cool_downs.size(), 1U);
    rest(ledger, kNode, kNow + minutes(30));
    EXPECT_EQ(ledger.cool_downs.size(), 2U);
}

TEST(Rest, counts_each_target_for_itself_and_no_other_cool_down) {
    Ledger ledger;
    rest(ledger, kNode, kNow);
    rest(ledger, node_id("node-2"), kNow);
    EXPECT_EQ(ledger.cool_downs.back().until, kNow + minutes(30));
    ledger.cool_downs = {{kNode, ActionKind::migrate, kNow + minutes(5)}};
    rest(ledger, kNode, kNow);
    EXPECT_EQ(ledger.cool_downs.back().until, kNow + minutes(30));
}

TEST(Rest, is_forgotten_a_day_after_the_last_one_and_then_all_at_once) {
    Ledger ledger;
    rest(ledger, kNode, kNow);
    const TimePoint second = kNow + hours(20);
    drop_cool_downs(ledger, second);
    rest(ledger, kNode, second);
    const TimePoint over = second + hours(1);
    EXPECT_EQ(ledger.cool_downs.back().until, over);
    ledger.cool_downs.push_back({kNode, ActionKind::migrate, over});
    drop_cool_downs(ledger, over + hours(24) - microseconds(1));
    EXPECT_EQ(ledger.cool_downs.size(), 2U) << "the first counts as long as the second does";
    drop_cool_downs(ledger, over + hours(24));
    EXPECT_TRUE(ledger.cool_downs.empty());
}

}  // namespace
}  // namespace parley::execution
