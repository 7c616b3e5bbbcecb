#include "tuner/parzen.h"

#include "base/file.h"
#include "base/json_read.h"
#include "tuner/journal_fold.h"
#include "tuner/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace parley::tuner {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> lines_of(const std::string& name) {
    const auto text = read_file(real_disk(), std::string(PARLEY_GOLDEN_FOLDER) + "/" + name);
    EXPECT_TRUE(text) << name;
    std::vector<std::string> lines;
    for (std::size_t at = 0; text && at < text->size();) {
        const std::size_t end = text->find('\n', at);
        lines.push_back(text->substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::vector<double> numbers(const Json& list) {
    std::vector<double> values;
    for (const Json& item : *list.items()) values.push_back(*item.number());
    return values;
}

void expect_close(const std::vector<double>& ours, const Json& theirs, const std::string& where) {
    const std::vector<double> expected = numbers(theirs);
    ASSERT_EQ(ours.size(), expected.size());
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (ours[i] != expected[i]) EXPECT_NEAR(ours[i], expected[i], 1e-9) << where << " " << i;
    }
}

// The table is made by tests/tuner/densities_test.py --write, which also compares 200 histories.
TEST(ParzenEstimator, gives_the_densities_of_optuna) {
    JournalFold fold;
    for (const std::string& line : lines_of("tuner_densities.log")) {
        ASSERT_TRUE(fold.apply(line)) << line;
    }
    const auto queries = lines_of("tuner_densities.jsonl");
    EXPECT_EQ(queries.size(), 12u);
    for (const std::string& line : queries) {
        const Json query = *parse_python_json(line);
        const Study* study = fold.find(*query.find("study")->text());
        ASSERT_NE(study, nullptr) << line;
        Space space;
        const auto& [names, axes] = *query.find("space")->members();
        for (std::size_t i = 0; i < names.size(); ++i) {
            space.emplace_back(names[i], std::make_shared<const Distribution>(
                                             *distribution_from_json(*axes[i].text())));
        }
        std::vector<std::vector<double>> points;
        for (const Json& column : *query.find("points")->items()) points.push_back(numbers(column));
        Sampler sampler({});
        const auto number = static_cast<std::int64_t>(*query.find("number")->number());
        const auto found = sampler.densities(*study, number, space, points);
        expect_close(found.good, *query.find("good"), study->name + " good");
        expect_close(found.other, *query.find("other"), study->name + " other");
    }
}

Observations one_axis(const Distribution& distribution, const std::vector<double>& values) {
    Observations observations({Axis(distribution)});
    for (std::size_t row = 0; row < values.size(); ++row) observations.set(row, {{values[row]}});
    return observations;
}

double integral(const Distribution& distribution, const std::vector<double>& values,
                const std::vector<double>& cells, double size) {
    const Observations observations = one_axis(distribution, values);
    ParzenEstimator estimator;
    estimator.fit(observations, std::vector<std::uint8_t>(values.size(), 1));
    double sum = 0;
    for (const double log : estimator.log_density({cells})) sum += std::exp(log) * size;
    return sum;
}

TEST(ParzenEstimator, its_density_sums_to_one) {
    std::vector<double> fine;
    for (int i = 0; i < 20'000; ++i) fine.push_back((i + 0.5) / 20'000);
    EXPECT_NEAR(integral(FloatRange{}, {0.1, 0.2, 0.9, 0.9}, fine, 1.0 / 20'000), 1, 1e-6);
    EXPECT_NEAR(integral(FloatRange{}, {}, fine, 1.0 / 20'000), 1, 1e-6);
    std::vector<double> whole;
    for (int i = 0; i <= 9; ++i) whole.push_back(i);
    EXPECT_NEAR(integral(IntRange{.low = 0, .high = 9}, {3, 3, 4, 9}, whole, 1), 1, 1e-12);
    EXPECT_NEAR(integral(Choices{{"0", "1", "2"}}, {1, 1, 0}, {0, 1, 2}, 1), 1, 1e-12);
    std::vector<double> from_one(whole.begin() + 1, whole.end());
    EXPECT_NEAR(integral(IntRange{.low = 1, .high = 9, .log = true}, {3, 1}, from_one, 1), 1,
                1e-12);
}

TEST(ParzenEstimator, nothing_is_outside) {
    const Observations observations = one_axis(FloatRange{}, {0.5});
    ParzenEstimator estimator;
    estimator.fit(observations, std::vector<std::uint8_t>{1});
    const auto found = estimator.log_density({{-0.1, 0.0, 1.0, 1.1, std::nan("")}});
    EXPECT_EQ(found[0], -kInfinity);
    EXPECT_TRUE(std::isfinite(found[1]) && std::isfinite(found[2]));
    EXPECT_EQ(found[3], -kInfinity);
    EXPECT_EQ(found[4], -kInfinity);
}

TEST(ParzenEstimator, the_newest_25_weigh_most_and_the_oldest_least) {
    std::vector<double> values(40, 0.5);
    const Observations observations = one_axis(FloatRange{}, values);
    ParzenEstimator estimator;
    estimator.fit(observations, std::vector<std::uint8_t>(40, 1));
    const auto& weights = estimator.weights();
    ASSERT_EQ(weights.size(), 41u);
    EXPECT_NEAR(weights[0] / weights[40], 1.0 / 40, 1e-12);
    EXPECT_NEAR(weights[14] / weights[40], 1, 1e-12);
    EXPECT_EQ(weights[15], weights[40]);
    double sum = 0;
    for (const double weight : weights) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ParzenEstimator, fitting_again_is_fitting_anew) {
    const Distribution range = FloatRange{.low = -1, .high = 1};
    Observations observations = one_axis(range, {0.1, -0.7, 0.1, 0.9});
    ParzenEstimator again;
    again.fit(observations, std::vector<std::uint8_t>{1, 1, 0, 1});
    observations.set(1, {{0.3}});
    observations.clear(3);
    observations.set(4, {{-0.2}});
    const std::vector<std::uint8_t> member = {1, 1, 1, 1, 1};
    again.fit(observations, member);
    const Observations same = one_axis(range, {0.1, 0.3, 0.1, -0.2});
    ParzenEstimator anew;
    anew.fit(same, member);
    const std::vector<std::vector<double>> points = {{-1, -0.5, 0, 0.1, 0.77}};
    EXPECT_EQ(again.log_density(points), anew.log_density(points));
}

TEST(ParzenEstimator, a_row_that_moved_with_the_same_width_is_seen) {
    std::vector<double> values;
    for (int i = 0; i < 10; ++i) values.push_back(0.99 + 0.0001 * i);  // All of the least width.
    Observations observations = one_axis(FloatRange{}, values);
    const std::vector<std::uint8_t> member(10, 1);
    ParzenEstimator again;
    again.fit(observations, member);
    observations.set(3, {{0.98}});
    again.fit(observations, member);
    values[3] = 0.98;
    const Observations same = one_axis(FloatRange{}, values);
    ParzenEstimator anew;
    anew.fit(same, member);
    EXPECT_EQ(again.log_density({{0.5, 0.99}}), anew.log_density({{0.5, 0.99}}));
}

TEST(Axis, suggests_only_what_may_be_suggested) {
    const Axis step(FloatRange{.low = 0, .high = 0.3, .step = 0.1});
    EXPECT_EQ(step.suggestion(0.06), 0.1);
    EXPECT_EQ(step.suggestion(9), 0.3);
    const Axis log(IntRange{.low = 1, .high = 100, .log = true});
    EXPECT_EQ(log.suggestion(log.place(42)), 42);
    EXPECT_EQ(log.suggestion(log.to), 100);
    EXPECT_EQ(log.suggestion(log.from), 1);
}

}  // namespace
}  // namespace parley::tuner
