#include "apps/live/live_leading.h"

#include "base/time_text.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveLeading, has_the_epoch_of_whoever_leads_and_times_to_the_second) {
    const TimePoint now = *parse_time("2025-03-01T12:04:00.7Z");
    kube::Leadership known{.leads = true,
                           .epoch = 3,
                           .holder = "me_1_2",
                           .holder_epoch = 3,
                           .since = "2025-03-01T12:03:00.123456Z",
                           .left = seconds(9)};
    EXPECT_EQ(leading_of(known, now), (explanation::Leading{.leads = true,
                                                            .epoch = 3,
                                                            .holder = "me_1_2",
                                                            .since = "2025-03-01T12:03:00Z",
                                                            .ends = "2025-03-01T12:04:09Z"}));
    known.leads = false;
    known.holder = "other";
    known.holder_epoch = 4;
    EXPECT_EQ(leading_of(known, now).epoch, 4U) << "ours is of the last time that we led";
    EXPECT_EQ(leading_of({.trouble = "403"}, now), explanation::Leading{.trouble = "403"});
    known.since = "yesterday";
    EXPECT_EQ(leading_of(known, now).since, "") << "somebody else wrote it";
}

}  // namespace
}  // namespace parley::app
