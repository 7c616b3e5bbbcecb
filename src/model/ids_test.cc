#include "model/ids.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(Ids, read_as_people_write_them) {
    const Name shop = Name::of("shop");
    const Name web = Name::of("web");
    EXPECT_EQ((WorkloadId{shop, WorkloadKind::deployment, web}).text(), "shop/web");
    EXPECT_EQ((WorkloadId{shop, WorkloadKind::stateful_set, web}).text(), "shop/stateful_set/web");
    EXPECT_EQ(text_of(NodeId{Name::of("node-07")}), "node-07");
    EXPECT_EQ(text_of(NamespaceId{shop}), "shop");
    EXPECT_EQ(text_of(WholeCluster{}), "cluster");
    EXPECT_EQ((Uid{0x0123456789abcdef, 0xfedcba9876543210}).text(),
              "01234567-89ab-cdef-fedc-ba9876543210");
    EXPECT_EQ((DecisionId{1, 2}).text(), "00000000000000010000000000000002");
}

TEST(Ids, none_is_zero_in_both_halves) {
    EXPECT_TRUE(Uid{}.none());
    EXPECT_FALSE((Uid{0, 1}).none());
    EXPECT_FALSE((Uid{1, 0}).none());
    EXPECT_TRUE(DecisionId{}.none());
    EXPECT_FALSE((DecisionId{0, 1}).none());
}

TEST(RunId, is_of_seed_and_scenario_alone_and_the_same_from_every_build) {
    EXPECT_EQ(run_id_of(7, "tour"), run_id_of(7, "tour"));
    EXPECT_NE(run_id_of(7, "tour"), run_id_of(8, "tour"));
    EXPECT_NE(run_id_of(7, "tour"), run_id_of(7, "mixed"));
    EXPECT_EQ((DecisionId{run_id_of(7, "tour"), 0}).text().substr(0, 16), "05e3e2f93d042af6");
}

}  // namespace
}  // namespace parley::model
