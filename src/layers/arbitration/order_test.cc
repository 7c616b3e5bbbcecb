#include "layers/arbitration/order.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace parley::arbitration {
namespace {

using namespace model;
using fake::node_id;

Proposal wish(Role role, Action action, Target target, double score = 0.5) {
    return {.role = role, .action = action, .target = target, .score = score};
}

TEST(Order, goes_by_role_target_kind_and_then_by_everything_else) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Proposal> sorted = {
        wish(Role::safety, Throttle{}, node_id(1)),
        wish(Role::safety, Replicate{}, node_id(2)),
        wish(Role::safety, Throttle{}, node_id(2)),
        wish(Role::efficiency, Dvfs{}, node_id(1)),
        wish(Role::admission, Admission{}, WholeCluster{}),
    };
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t j = 0; j < sorted.size(); ++j) {
            EXPECT_EQ(before(sorted[i], sorted[j]), i < j) << i << " " << j;
        }
    }
    const Proposal one = wish(Role::efficiency, Dvfs{}, node_id(1), nan);
    const Proposal two = wish(Role::efficiency, Dvfs{}, node_id(1), 0.5);
    EXPECT_NE(before(one, two), before(two, one));
    EXPECT_FALSE(before(one, one));
}

TEST(Order, goes_by_name_and_not_by_who_was_seen_first) {
    const NodeId later{Name::of("order-zz")};
    const NodeId sooner{Name::of("order-aa")};
    EXPECT_TRUE(
        before(wish(Role::safety, Throttle{}, sooner), wish(Role::safety, Throttle{}, later)));
}

TEST(Order, puts_names_into_words) {
    EXPECT_EQ(in_words({}), "");
    EXPECT_EQ(in_words({"a"}), "a");
    EXPECT_EQ(in_words({"a", "b"}), "a and b");
    EXPECT_EQ(in_words({"a", "b", "c"}), "a, b and c");
}

TEST(Order, counts_rivals_who_wanted_to_change_something) {
    const Overridden lost{"rule", Role::safety, ""};
    const Proposal queue = wish(Role::admission, Admission{AdmissionWish::queue}, WholeCluster{});
    const Proposal admit = wish(Role::admission, Admission{}, WholeCluster{});
    Verdict verdict;
    verdict.judged = {{queue, Accepted{}}, {queue, Refused{}}, {queue, Idle{}}};
    EXPECT_EQ(rivals_in(verdict), 0);
    verdict.judged.push_back({admit, lost});
    EXPECT_EQ(rivals_in(verdict), 0);
    verdict.judged.push_back({queue, lost});
    verdict.judged.push_back({queue, lost});
    EXPECT_EQ(rivals_in(verdict), 2);
}

}  // namespace
}  // namespace parley::arbitration
