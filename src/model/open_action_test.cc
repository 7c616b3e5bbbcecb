#include "model/open_action.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(ActionState, final_ones_are_left_no_more) {
    using enum ActionState;
    for (const ActionState state : {confirmed, moot, expired, failed, would_send}) {
        EXPECT_TRUE(is_final(state));
    }
    for (const ActionState state : {planned, marked, sent, blocked, unknown, held}) {
        EXPECT_FALSE(is_final(state));
    }
}

}  // namespace
}  // namespace parley::model
