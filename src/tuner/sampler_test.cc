#include "tuner/sampler.h"

#include "tuner/study.h"
#include "tuner/test_study.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace parley::tuner {
namespace {

Space mixed_space() {
    return {{"x", shared(FloatRange{.low = -5, .high = 5})},
            {"y", shared(FloatRange{.low = 1e-3, .high = 1, .log = true})},
            {"s", shared(FloatRange{.low = 0, .high = 1, .step = 0.25})},
            {"n", shared(IntRange{.low = 1, .high = 9, .step = 2})},
            {"m", shared(IntRange{.low = 1, .high = 100, .log = true})},
            {"c", shared(Choices{{"0", "1", "2"}})},
            {"one", shared(IntRange{.low = 4, .high = 4})}};
}

double cost(const std::vector<Param>& params) {
    return params[0].value * params[0].value + params[2].value + params[5].value;
}

Study grown(std::uint64_t seed, int trials, const Space& space) {
    Study study = empty_study();
    Sampler sampler({.seed = seed});
    for (int i = 0; i < trials; ++i) {
        Trial trial;
        trial.number = i;
        auto params = sampler.suggest(study, trial, space);
        const double value = cost(params);
        add(study, value, std::move(params));
    }
    return study;
}

std::vector<double> values(const std::vector<Param>& params) {
    std::vector<double> all;
    for (const Param& param : params) all.push_back(param.value);
    return all;
}

TEST(Sampler, suggests_only_what_the_space_contains) {
    const Study study = grown(1, 60, mixed_space());
    for (const Trial& trial : study.trials) {
        ASSERT_EQ(trial.params.size(), 7u);
        for (const Param& param : trial.params) {
            EXPECT_TRUE(contains(*param.distribution, param.value))
                << trial.number << " " << param.name << " " << param.value;
        }
        EXPECT_EQ(trial.params[6].value, 4);
    }
}

TEST(Sampler, the_same_seed_gives_the_same_suggestions_and_another_others) {
    const Study a = grown(7, 30, mixed_space());
    const Study b = grown(7, 30, mixed_space());
    const Study c = grown(8, 30, mixed_space());
    for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(values(a.trials[i].params), values(b.trials[i].params)) << i;
        EXPECT_NE(values(a.trials[i].params), values(c.trials[i].params)) << i;
    }
}

TEST(Sampler, one_that_followed_and_one_that_comes_late_agree) {
    Study study = grown(3, 40, mixed_space());
    Sampler followed({.seed = 5});
    for (std::size_t kept = 12; kept <= 40; ++kept) {
        Study part = study;
        part.trials.resize(kept);
        // The last one still runs, with its parameters known or not.
        part.trials.back().state = TrialState::running;
        if (kept % 2 == 0) {
            part.trials.back().system_attributes = relative_attributes(part.trials.back().params);
            part.trials.back().params.clear();
        }
        const auto number = static_cast<std::int64_t>(kept);
        Sampler late({.seed = 5});
        EXPECT_EQ(values(followed.joint(part, number)), values(late.joint(part, number))) << kept;
    }
}

TEST(Sampler, learns_where_it_is_good) {
    const Study study = grown(2, 150, mixed_space());
    double late = 0;
    double early = 0;
    for (std::size_t i = 0; i < 10; ++i) early += study.trials[i].values[0];
    for (std::size_t i = 140; i < 150; ++i) late += study.trials[i].values[0];
    EXPECT_LT(late, early / 4);
}

TEST(Sampler, what_is_fixed_is_taken) {
    const Study study = grown(2, 20, mixed_space());
    Trial trial;
    trial.number = 20;
    trial.system_attributes = {{"fixed_params", R"({"x": 4.5, "c": 2})"}};
    const auto params = Sampler({}).suggest(study, trial, mixed_space());
    EXPECT_EQ(params[0].value, 4.5);
    EXPECT_EQ(params[5].value, 2);
}

TEST(Sampler, conditional_parameters_fall_into_groups) {
    const Space left = {{"kind", shared(Choices{{"0", "1"}})}, {"a", shared(FloatRange{})}};
    const Space right = {{"kind", left[0].second}, {"b", shared(FloatRange{.low = 2, .high = 3})}};
    Study study = empty_study();
    Sampler sampler({.seed = 1});
    for (int i = 0; i < 40; ++i) {
        Trial trial;
        trial.number = i;
        auto params = sampler.suggest(study, trial, i % 2 == 0 ? left : right);
        ASSERT_TRUE(contains(*params[1].distribution, params[1].value));
        const double value = params[1].value;
        add(study, value, std::move(params));
    }
    std::set<std::string> names;
    for (const Param& param : sampler.joint(study, 40)) names.insert(param.name);
    EXPECT_EQ(names, (std::set<std::string>{"a", "b", "kind"}));
}

TEST(Sampler, a_range_that_changed_is_drawn_anew) {
    Study study = empty_study();
    for (int i = 0; i < 20; ++i) add(study, i, {{"x", shared(FloatRange{}), 0.05 * i}});
    Trial trial;
    trial.number = 20;
    const Space moved = {{"x", shared(FloatRange{.low = 5, .high = 6})}};
    const auto params = Sampler({}).suggest(study, trial, moved);
    EXPECT_TRUE(contains(*moved[0].second, params[0].value)) << params[0].value;
}

TEST(Sampler, whatever_a_file_holds_is_survived) {
    Study study = empty_study();
    const double strange[] = {std::nan(""), INFINITY, -INFINITY, -1, 0, 1e308, 5e-324};
    for (int i = 0; i < 30; ++i) {
        const double value = strange[i % 7];
        add(study, strange[(i + 3) % 7],
            {{"y", shared(FloatRange{.low = 1e-3, .high = 1, .log = true}), value},
             {"n", shared(IntRange{.low = 0, .high = 9}), value},
             {"c", shared(Choices{{"0", "1"}}), value}});
    }
    const Space space = {{"y", study.trials[0].params[0].distribution},
                         {"n", study.trials[0].params[1].distribution},
                         {"c", study.trials[0].params[2].distribution}};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Trial trial;
        trial.number = 30;
        for (const Param& param : Sampler({.seed = seed}).suggest(study, trial, space)) {
            EXPECT_TRUE(contains(*param.distribution, param.value)) << param.name << param.value;
        }
    }
}

TEST(Sampler, an_even_draw_reaches_both_ends) {
    const Distribution whole = IntRange{.low = 1, .high = 3};
    std::set<double> seen;
    for (std::uint64_t i = 0; i < 64; ++i) seen.insert(draw_evenly(whole, i << 58));
    EXPECT_EQ(seen, (std::set<double>{1, 2, 3}));
    EXPECT_EQ(draw_evenly(whole, ~std::uint64_t{0}), 3);
    EXPECT_EQ(draw_evenly(FloatRange{.low = 2, .high = 3}, 0), 2);
}

}  // namespace
}  // namespace parley::tuner
