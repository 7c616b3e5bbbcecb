#include "exercise/phases.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::exercise {
namespace {

TEST(Phases, fixed_mode_goes_round) {
    const Choice choice;
    EXPECT_EQ(phase_of(choice, 0, 10'000).name, "idle-power-save");
    EXPECT_EQ(phase_of(choice, 8, 10'000).name, "admission-cap");
    EXPECT_EQ(phase_of(choice, 9, 10'000).name, "idle-power-save");
    EXPECT_EQ(phase_of(choice, 6, 10'000).cpu_m, 3'000);
}

TEST(Phases, random_mode_stays_within_its_ranges_and_never_draws_numbers_of_pods) {
    const Choice choice{.form = Form::selector, .randomize = true};
    std::set<std::string_view> names;
    for (std::int64_t i = 0; i < 400; ++i) {
        const Phase phase = phase_of(choice, i, 10'000);
        names.insert(phase.name);
        if (phase.name == "light-dvfs") {
            EXPECT_GE(phase.cpu_m, 1600);
            EXPECT_LE(phase.cpu_m, 2800);
            EXPECT_GE(phase.memory_mib, 128);
            EXPECT_LE(phase.memory_mib, 512);
        }
        if (phase.name == "admission-cap") {
            EXPECT_EQ(phase.pods, 130);
        }
    }
    EXPECT_EQ(names.size(), 9U);
    EXPECT_EQ(phase_of(choice, 3, 1).cpu_m, phase_of(choice, 3, 1).cpu_m);
}

TEST(Phases, take_the_form_of_the_profile_unless_one_was_asked_for) {
    using model::Profile;
    EXPECT_EQ(form_for(Form::profile, Profile::prototype), Form::selector);
    EXPECT_EQ(form_for(Form::profile, Profile::parley), Form::shortage);
    EXPECT_EQ(form_for(Form::shortage, Profile::prototype), Form::shortage);
    EXPECT_EQ(form_for(Form::selector, Profile::parley), Form::selector);
}

TEST(Phases, know_their_own_by_name) {
    for (const char* own : {"idle-power-save", "light-dvfs", "light-dvfs-2", "admission-cap-16"}) {
        EXPECT_TRUE(named_by_phase(own)) << own;
    }
    for (const char* other :
         {"", "web", "light", "light-dvfs-", "light-dvfs-x", "light-dvfs-2x", "my-light-dvfs"}) {
        EXPECT_FALSE(named_by_phase(other)) << other;
    }
}

}  // namespace
}  // namespace parley::exercise
