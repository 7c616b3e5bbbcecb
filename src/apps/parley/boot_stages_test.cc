#include "apps/parley/boot_stages.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(BootStages, what_is_off_by_choice_is_told_from_what_is_missing) {
    struct Case {
        BootFlags flags;
        const char* text;
    };
    const Case cases[] = {
        {{},
         "brains    skipped: not in this build; evidence drives decisions\n"
         "ray_ppo   skipped: not in this build\n"
         "optuna    skipped: not in this build\n"},
        {{.trials = 3},
         "brains    skipped: not in this build; evidence drives decisions\n"
         "ray_ppo   skipped: not in this build\n"
         "optuna    skipped: not in this build; --trials 3 is void\n"},
        {{.no_policy = true, .no_tune = true, .trials = 3},
         "brains    skipped: not in this build; evidence drives decisions\n"
         "ray_ppo   disabled: by --no-policy\n"
         "optuna    disabled: by --no-tune; --trials 3 is void\n"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(print(boot_stages(c.flags, model::PredictorKind::evidence)), c.text);
    }
}

}  // namespace
}  // namespace parley::app
