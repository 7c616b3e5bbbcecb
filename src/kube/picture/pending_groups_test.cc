#include "kube/picture/pending_groups.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using model::Cause;

std::shared_ptr<const PodTemplate> asking(std::int64_t cpu_m, const char* app = "web") {
    PodTemplate pod;
    pod.request.cpu_m = cpu_m;
    pod.labels = {{"app", app}};
    return std::make_shared<const PodTemplate>(pod);
}

class Groups : public testing::Test {
protected:
    std::size_t settled(std::uint64_t version, std::size_t most = 100) {
        looked_ = 0;
        last_ = groups_.settle(
            rooms_,
            [this](Name, const PodTemplate&, const Evidence&) {
                ++looked_;
                return Surroundings();
            },
            version, most);
        return last_.size();
    }

    static Node large() {
        Node node;
        node.allocatable = {2'000, 1 << 30};
        node.pods_allocatable = 110;
        return node;
    }

    Node node_ = large();
    std::vector<NodeRoom> rooms_ = {{&node_, {500, 0}, 10}};
    Name shop_ = Name::of("shop");
    PendingGroups groups_;
    std::vector<PendingGroups::Settled> last_;
    int looked_ = 0;
};

TEST_F(Groups, pods_that_wait_alike_are_looked_at_once) {
    for (std::uint64_t i = 1; i <= 5; ++i) groups_.put({0, i}, shop_, asking(900), {});
    EXPECT_EQ(groups_.size(), 1U);
    EXPECT_EQ(settled(1), 5U);
    EXPECT_EQ(looked_, 1);
    for (const auto& each : last_) EXPECT_EQ(each.causes, model::CauseSet().with(Cause::cpu));
    EXPECT_EQ(settled(1), 0U) << "nothing changed";
    EXPECT_EQ(settled(2), 5U) << "the world did";
}

TEST_F(Groups, namespace_template_and_evidence_tell_them_apart) {
    groups_.put({0, 1}, shop_, asking(900), {});
    groups_.put({0, 2}, Name::of("ops"), asking(900), {});
    groups_.put({0, 3}, shop_, asking(901), {});
    groups_.put({0, 4}, shop_, asking(900), {.unschedulable = true});
    groups_.put({0, 5}, shop_, asking(900, "api"), {});
    EXPECT_EQ(groups_.size(), 5U);
}

TEST_F(Groups, a_pod_that_joins_is_told_too) {
    groups_.put({0, 1}, shop_, asking(900), {});
    settled(1);
    groups_.put({0, 2}, shop_, asking(900), {});
    EXPECT_EQ(settled(1), 2U);
}

TEST_F(Groups, a_pod_moves_and_leaves) {
    groups_.put({0, 1}, shop_, asking(900), {});
    groups_.put({0, 1}, shop_, asking(100), {});
    EXPECT_EQ(groups_.size(), 1U);
    EXPECT_EQ(settled(1), 1U);
    EXPECT_TRUE(last_[0].causes.empty());
    groups_.remove({0, 1});
    groups_.remove({0, 1});
    EXPECT_TRUE(groups_.empty());
    EXPECT_EQ(groups_.size(), 0U);
}

TEST_F(Groups, take_turns_when_there_are_many) {
    for (std::uint64_t i = 1; i <= 10; ++i) {
        groups_.put({0, i}, shop_, asking(static_cast<std::int64_t>(i)), {});
    }
    std::set<model::Uid> seen;
    for (int turn = 0; turn < 3; ++turn) {
        EXPECT_LE(settled(1, 4), 4U);
        for (const auto& each : last_) seen.insert(each.pod);
    }
    EXPECT_EQ(seen.size(), 10U);
    EXPECT_EQ(settled(1, 4), 0U);
}

TEST_F(Groups, go_longest_unseen_first_while_the_world_changes) {
    for (std::uint64_t i = 1; i <= 10; ++i) {
        groups_.put({0, i}, shop_, asking(static_cast<std::int64_t>(i)), {});
    }
    std::set<model::Uid> seen;
    for (std::uint64_t turn = 1; turn <= 3; ++turn) {
        EXPECT_EQ(settled(turn, 4), 4U);
        for (const auto& each : last_) seen.insert(each.pod);
    }
    EXPECT_EQ(seen.size(), 10U);
}

TEST_F(Groups, forget_templates_nobody_has) {
    for (std::uint64_t i = 1; i <= 10'000; ++i) {
        groups_.put({0, 1}, shop_, asking(static_cast<std::int64_t>(i)), {});
    }
    EXPECT_EQ(groups_.size(), 1U);
    EXPECT_EQ(settled(1), 1U);
}

}  // namespace
}  // namespace parley::kube
