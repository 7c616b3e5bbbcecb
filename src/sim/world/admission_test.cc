#include "sim/world/admission.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

using model::AdmissionWish;

struct Case {
    const char* name;
    AdmissionWish mode = AdmissionWish::queue;
    const char* space = "batch";
    std::int32_t priority = 0;
    std::int64_t now_us = 0;
    AdmissionWish verdict = AdmissionWish::admit;
    std::int32_t given = 0;
};

// The order holds until 100 us.
const Case kCases[] = {
    {.name = "no_order", .mode = AdmissionWish::admit, .verdict = AdmissionWish::admit},
    {.name = "queue", .mode = AdmissionWish::queue, .verdict = AdmissionWish::queue},
    {.name = "reject", .mode = AdmissionWish::reject, .verdict = AdmissionWish::reject},
    {.name = "deprioritize",
     .mode = AdmissionWish::deprioritize,
     .verdict = AdmissionWish::deprioritize,
     .given = -10},
    {.name = "deprioritize_never_raises",
     .mode = AdmissionWish::deprioritize,
     .priority = -50,
     .verdict = AdmissionWish::deprioritize,
     .given = -50},
    {.name = "just_before_the_end",
     .mode = AdmissionWish::reject,
     .now_us = 99,
     .verdict = AdmissionWish::reject},
    {.name = "at_the_end_it_has_expired",
     .mode = AdmissionWish::reject,
     .now_us = 100,
     .verdict = AdmissionWish::admit},
    {.name = "kube_system_is_exempt", .mode = AdmissionWish::reject, .space = "kube-system"},
    {.name = "almost_kube_system_is_not",
     .mode = AdmissionWish::reject,
     .space = "kube-system2",
     .verdict = AdmissionWish::reject},
    {.name = "urgent_is_exempt",
     .mode = AdmissionWish::reject,
     .priority = 1'000'000,
     .given = 1'000'000},
    {.name = "almost_urgent_is_not",
     .mode = AdmissionWish::reject,
     .priority = 999'999,
     .verdict = AdmissionWish::reject,
     .given = 999'999},
};

TEST(Admission, follows_the_order_until_it_expires) {
    for (const Case& c : kCases) {
        const AdmissionOrder order{.mode = c.mode, .until = TimePoint{100}};
        const Admitted got = admit(order, {c.space, c.priority}, TimePoint{c.now_us});
        EXPECT_EQ(got.verdict, c.verdict) << c.name;
        EXPECT_EQ(got.priority, c.given) << c.name;
    }
}

}  // namespace
}  // namespace parley::sim
