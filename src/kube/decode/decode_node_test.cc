#include "kube/decode/decode_node.h"

#include "kube/decode/decode_kit_test.h"

namespace parley::kube {
namespace {

using model::Readiness;

TEST(DecodeNode, reads_what_is_on_the_list) {
    const Node node = read_one<Node>(Kind::node, full_node());
    EXPECT_EQ(node.meta.name, "node-1");
    EXPECT_EQ(node.meta.version, 812U);
    EXPECT_TRUE(node.meta.opt_outs.scale_down_disabled);
    ASSERT_TRUE(node.meta.mark);
    EXPECT_EQ(node.labels.size(), 3U);
    EXPECT_EQ(node.taints,
              (std::vector<Taint>{{"parley.dev/quarantine", "d1", TaintEffect::no_schedule},
                                  {"gpu", "", TaintEffect::no_execute}}));
    EXPECT_TRUE(node.unschedulable);
    EXPECT_EQ(node.ready, Readiness::no);
    EXPECT_EQ(node.ready_since.us, 1'740'830'310'000'000);
    EXPECT_TRUE(node.memory_pressure);
    EXPECT_FALSE(node.disk_pressure || node.pid_pressure);
    EXPECT_EQ(node.allocatable, (Amounts{3920, std::int64_t{15'842'960} << 10}));
    EXPECT_EQ(node.pods_allocatable, 110);
    EXPECT_EQ(node.addresses, (std::vector<std::string>{"10.0.0.7", "node-1"}));
}

TEST(DecodeNode, takes_an_unknown_readiness_for_unknown) {
    const auto ready = [](const char* status) {
        return read_one<Node>(Kind::node,
                              replaced(full_node(), R"("Ready","status":"False")",
                                       std::string(R"("Ready","status":")") + status + "\""))
            .ready;
    };
    EXPECT_EQ(ready("True"), Readiness::yes);
    EXPECT_EQ(ready("Unknown"), Readiness::unknown);
    EXPECT_EQ(ready("Perhaps"), Readiness::unknown);
}

TEST(DecodeNode, refuses_amounts_out_of_range) {
    EXPECT_NE(fault_of(Kind::node, replaced(full_node(), R"("pods":"110")", R"("pods":"3G")")), "");
    EXPECT_NE(fault_of(Kind::node, replaced(full_node(), R"("3920m")", R"("-1")")), "");
    EXPECT_EQ(fault_of(Kind::node, replaced(full_node(), R"("3920m")", R"("1e100")")),
              "node-1: \"1e100\" is too large a quantity");
}

TEST(DecodeNode, keeps_few_addresses) {
    std::string many = R"("addresses":[)";
    for (int i = 0; i < 30; ++i) many += R"({"address":"a"},)";
    const Node node = read_one<Node>(Kind::node, replaced(full_node(), R"("addresses":[)", many));
    EXPECT_EQ(node.addresses.size(), 8U);
}

TEST(TaintEffectOf, knows_three_and_no_more) {
    EXPECT_EQ(taint_effect_of("NoSchedule"), TaintEffect::no_schedule);
    EXPECT_EQ(taint_effect_of("PreferNoSchedule"), TaintEffect::prefer_no_schedule);
    EXPECT_EQ(taint_effect_of("NoExecute"), TaintEffect::no_execute);
    EXPECT_EQ(taint_effect_of("NoWay"), TaintEffect::unknown);
    EXPECT_EQ(taint_effect_of(""), std::nullopt);
}

TEST(DecodeLease, reads_when_it_was_renewed) {
    const Lease lease = read_one<Lease>(Kind::lease, R"({"metadata":{"name":"node-1","namespace":
"kube-node-lease","uid":"u"},"spec":{"holderIdentity":"node-1","leaseDurationSeconds":40,
"renewTime":"2025-03-01T12:00:00.250000Z"}})");
    EXPECT_EQ(lease.meta.name, "node-1");
    EXPECT_EQ(lease.renewed.us, 1'740'830'400'250'000);
}

TEST(DecodeNodeClaim, reads_its_node_and_deletion) {
    const NodeClaim claim = read_one<NodeClaim>(Kind::node_claim, R"({"metadata":{"name":"spot-x",
"uid":"u","deletionTimestamp":"2025-03-01T12:00:00Z"},"spec":{"taints":[]},
"status":{"nodeName":"node-1"}})");
    EXPECT_EQ(claim.node, "node-1");
    EXPECT_TRUE(claim.meta.deleted);
    EXPECT_EQ(
        read_one<NodePool>(Kind::node_pool, R"({"metadata":{"name":"spot","uid":"u"}})").meta.name,
        "spot");
}

}  // namespace
}  // namespace parley::kube
