#include "apps/tuning/tune_limit.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

constexpr TuneProgress kTrials{.what = "trials"};
constexpr TuneProgress kFresh{.what = "runs on fresh seeds"};

TEST(TuneLimit, without_a_limit_it_goes_on) {
    TuneLimit limit({});
    EXPECT_EQ(limit.go(kTrials), Go::on);
    EXPECT_EQ(limit.go(kFresh), Go::on);
}

TEST(TuneLimit, when_time_is_over_no_trial_begins_and_what_was_found_is_judged) {
    TuneLimit limit(microseconds(1));
    while (limit.go(kTrials) == Go::on) {
    }
    EXPECT_EQ(limit.go(kTrials), Go::wind_up);
    EXPECT_EQ(limit.go(kFresh), Go::on);
    EXPECT_EQ(limit.go(kTrials), Go::wind_up) << "time does not come back";
}

TEST(TuneLimit, before_its_time_it_goes_on) {
    TuneLimit limit(hours(1));
    EXPECT_EQ(limit.go(kTrials), Go::on);
}

}  // namespace
}  // namespace parley::app
