#include "kube/decode/template_pool.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

std::shared_ptr<const PodTemplate> asking(std::int64_t cpu_m) {
    PodTemplate pod;
    pod.request.cpu_m = cpu_m;
    return std::make_shared<const PodTemplate>(pod);
}

TEST(TemplatePool, keeps_one_of_those_that_are_equal) {
    TemplatePool pool;
    const auto first = pool.shared(asking(1));
    EXPECT_EQ(pool.shared(asking(1)), first);
    EXPECT_NE(pool.shared(asking(2)), first);
    PodTemplate tolerant = *first;  // What is not in the hash counts too.
    tolerant.tolerations = {{.key = "gpu", .exists = true, .value = "", .effect = {}}};
    EXPECT_NE(pool.shared(std::make_shared<const PodTemplate>(tolerant)), first);
}

TEST(TemplatePool, forgets_those_that_nobody_keeps) {
    TemplatePool pool;
    const auto kept = pool.shared(asking(0));
    std::weak_ptr<const PodTemplate> lost = pool.shared(asking(1));
    EXPECT_TRUE(lost.expired());
    for (int i = 1; i <= 1000; ++i) pool.shared(asking(i));
    EXPECT_EQ(pool.shared(asking(0)), kept);
}

}  // namespace
}  // namespace parley::kube
