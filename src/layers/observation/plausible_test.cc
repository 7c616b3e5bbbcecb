#include "layers/observation/plausible.h"

#include "layers/observation/watched.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::observation {
namespace {

using model::Gap;
using model::Reading;
using model::Source;

const model::Provenance kFrom{.received = {seconds(10).us}, .measured = {seconds(9).us}};

std::string shown(const std::optional<Reading<std::int64_t>>& reading) {
    if (!reading) return "nothing";
    if (const auto* value = reading->value()) return std::to_string(*value);
    return std::string(enum_name(*reading->gap()));
}

TEST(Plausible, a_figure_is_kept_only_where_it_can_be_true) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const struct {
        const char* name;
        std::optional<double> figure;
        std::string whole;
    } cases[] = {
        {"nothing", std::nullopt, "nothing"},
        {"zero is a value", 0.0, "0"},
        {"rounded", 99.5, "100"},
        {"the most", 100.0, "100"},
        {"beyond", 100.0000001, "implausible"},
        {"negative", -0.0000001, "implausible"},
        {"not a number", std::numeric_limits<double>::quiet_NaN(), "implausible"},
        {"infinite", kInf, "implausible"},
        {"minus infinite", -kInf, "implausible"},
        {"huge", 1e308, "implausible"},
        {"denormal", 5e-324, "0"},
    };
    for (const auto& c : cases) EXPECT_EQ(shown(whole(c.figure, 100, kFrom)), c.whole) << c.name;
    EXPECT_EQ(shown(share_ppm(0.5, kFrom)), "500000");
    EXPECT_EQ(shown(share_ppm(1.0, kFrom)), "1000000");
    EXPECT_EQ(shown(share_ppm(1.001, kFrom)), "implausible");
}

TEST(Plausible, a_clock_may_be_a_little_ahead) {
    const TimePoint now{seconds(100).us};
    EXPECT_EQ(wrong_time(now + kAhead, now), std::nullopt);
    EXPECT_EQ(wrong_time(now + kAhead + microseconds(1), now), Gap::from_future);
    EXPECT_EQ(wrong_time({0}, now), std::nullopt) << "old is for the limits to judge";
    EXPECT_EQ(wrong_time({-1}, now), Gap::implausible);
}

TEST(Plausible, a_sample_without_anything_is_empty) {
    const auto of = [](std::optional<double> cpu, std::optional<double> memory) {
        return empty_sample({.cpu_m = cpu, .memory_bytes = memory});
    };
    EXPECT_TRUE(of(0.0, 0.0));
    EXPECT_FALSE(of(0.0, 1.0)) << "idle";
    EXPECT_FALSE(of(0.001, 0.0));
    EXPECT_FALSE(of(0.0, std::nullopt)) << "it tells no memory";
    EXPECT_FALSE(of(std::nullopt, std::nullopt));
}

TEST(Plausible, a_usage_is_ordered) {
    EXPECT_TRUE(plausible({.sum = 10, .p50 = 2, .p90 = 3, .max = 4, .count = 4}));
    EXPECT_FALSE(plausible({.sum = 10, .p50 = 4, .p90 = 3, .max = 4, .count = 4}));
    EXPECT_FALSE(plausible({.sum = 10, .p50 = 2, .p90 = 5, .max = 4, .count = 4}));
    EXPECT_FALSE(plausible({.sum = 3, .p50 = 2, .p90 = 3, .max = 4, .count = 4}));
    EXPECT_FALSE(plausible({.sum = -1, .p50 = -1, .p90 = -1, .max = -1}));
    EXPECT_FALSE(plausible({.count = -1}));
}

TEST(Plausible, counters_never_fall) {
    EXPECT_TRUE(never_falls({.offered = 1}, {.offered = 1}));
    EXPECT_FALSE(never_falls({.offered = 2}, {.offered = 1}));
    EXPECT_FALSE(
        never_falls(model::WorkCounters{.service_ms = 2}, {.offered = 9, .service_ms = 1}));
    EXPECT_FALSE(never_falls(model::NodeCounters{.on_ms = 2}, {.energy_mj = 5, .on_ms = 1}));
}

TEST(Plausible, a_lie_does_not_replace_what_another_source_said) {
    const auto from = [](Source source, std::int64_t at) {
        return model::Provenance{.received = {at}, .measured = {at}, .source = source};
    };
    using R = Reading<std::int64_t>;
    const R good(5, from(Source::prometheus, 10));
    EXPECT_TRUE(replaces(R(6, from(Source::metrics, 10)), good));
    EXPECT_FALSE(replaces(R(6, from(Source::metrics, 9)), good)) << "older";
    EXPECT_FALSE(replaces(R(Gap::implausible, from(Source::metrics, 11)), good));
    EXPECT_TRUE(replaces(R(Gap::implausible, from(Source::prometheus, 11)), good));
    EXPECT_TRUE(replaces(R(6, from(Source::metrics, 1)), R::never()));
}

TEST(Watched, by_prefix_exactly_or_all) {
    const Watched watched({"test-", "=default"});
    EXPECT_TRUE(watched.has(Name::of("test-a")));
    EXPECT_TRUE(watched.has(Name::of("default")));
    EXPECT_FALSE(watched.has(Name::of("default-x")));
    EXPECT_FALSE(watched.has(Name::of("kube-system")));
    EXPECT_TRUE(Watched({"default"}).has(Name::of("default-x"))) << "a plain entry is a prefix";
    EXPECT_TRUE(Watched().has(Name::of("anything")));
}

}  // namespace
}  // namespace parley::observation
