#include "apps/live/live_stop.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using enum StopErrand;

TEST(StopAgreement, whoever_presses_or_lifts_is_followed) {
    struct Look {
        bool file;
        std::optional<bool> object;
        StopErrand errand;
        bool lifted = false;
    };
    const std::vector<std::vector<Look>> courses = {
        {{false, {}, none}, {true, {}, none}},  // Nothing is known of the cluster.
        {{false, false, none},
         {true, false, press_object},
         {true, true, none},
         {false, true, lift_object},
         {false, false, none}},
        {{false, false, none},
         {false, true, press_file},
         {true, true, none},
         {true, false, lift_file},
         {false, false, none}},
        {{true, false, press_object}},  // Pressed while no process ran.
        {{false, true, press_file}},    // By another run, or by hand.
        {{false, true, press_file, false}},
        {{false, true, lift_object, true}},  // Lifted in this run while no process ran.
        {{true, true, none}, {true, {}, none}, {false, {}, none}, {false, true, lift_object}},
    };
    for (std::size_t i = 0; i < courses.size(); ++i) {
        StopAgreement agreement;
        for (std::size_t k = 0; k < courses[i].size(); ++k) {
            const Look& each = courses[i][k];
            EXPECT_EQ(agreement.next(each.file, each.object, each.lifted), each.errand)
                << "course " << i << ", look " << k;
        }
    }
}

}  // namespace
}  // namespace parley::app
