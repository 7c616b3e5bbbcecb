#include "layers/observation/snapshot_builder.h"
#include "model/containers.h"

#include <gtest/gtest.h>

namespace parley::observation {
namespace {

using model::Ending;
using model::PodShape;
using model::Uid;

constexpr TimePoint at(std::int64_t s) { return {seconds(s).us}; }
constexpr Uid kNode{1, 1};
constexpr Uid kWork{2, 1};

std::shared_ptr<const PodShape> shape(std::int64_t cpu_m = 100) {
    PodShape both{{{.name = Name::of("app"), .cpu_request_m = cpu_m}, {.name = Name::of("log")}}};
    return std::make_shared<const PodShape>(std::move(both));
}

cluster::PodChange pod(std::uint64_t n, std::shared_ptr<const PodShape> shaped = shape()) {
    cluster::PodChange change{.row = {}, .workload = kWork, .node = kNode};
    change.row.uid = {3, n};
    change.row.created = at(10);
    change.shape = std::move(shaped);
    return change;
}

cluster::PodSample sample(std::uint64_t n, std::int64_t measured, std::int64_t cpu_m) {
    return {.pod = {3, n},
            .measured = at(measured),
            .window = seconds(15),
            .containers = {{Name::of("app"), cpu_m, 2048}, {Name::of("log"), cpu_m + 1, 1024}}};
}

/// A builder with one node and one workload.
struct Built {
    SnapshotBuilder builder{ObservationLimits{}};
    std::uint64_t round = 0;

    Built() {
        model::NodeRow node;
        node.uid = kNode;
        model::WorkloadRow work;
        work.uid = kWork;
        take({cluster::NodeChange{node}, cluster::WorkloadChange{work}});
    }
    void take(std::vector<cluster::Change> changes, std::vector<cluster::PodSample> pods = {}) {
        cluster::Batch batch;
        batch.changes = std::move(changes);
        batch.pods = std::move(pods);
        builder.take(batch, at(100));
    }
    model::Snapshot seen() { return builder.finish(++round, at(100)); }
};

std::vector<model::ContainerSeen> containers(const model::Snapshot& snapshot, Slot slot = 0) {
    const model::PodRow& row = snapshot.pods.at(slot);
    return model::Containers(snapshot, row.node).of(row);
}

TEST(SnapshotContainers, pods_that_ask_alike_share_a_shape) {
    Built built;
    built.take({pod(1), pod(2), pod(3, shape(200)), pod(4, nullptr)});
    const model::Snapshot before = built.seen();
    EXPECT_EQ(before.shapes.size(), 2U);
    EXPECT_EQ(before.pods.at(0).shape, before.pods.at(1).shape);
    EXPECT_EQ(before.pods.at(3).shape, kNoSlot);
    built.take({pod(3, shape()), cluster::PodGone{{3, 1}}, cluster::PodGone{{3, 2}}});
    EXPECT_EQ(built.seen().shapes.size(), 1U) << "one was resized back";
    built.take({cluster::PodGone{{3, 3}}});
    EXPECT_TRUE(built.seen().shapes.empty());
    EXPECT_EQ(before.shapes.size(), 2U) << "what was handed out stays";
}

TEST(SnapshotContainers, use_is_by_container_with_its_time_and_window) {
    Built built;
    built.take({pod(1)}, {sample(1, 90, 5)});
    const auto snapshot = built.seen();
    const auto seen = containers(snapshot);
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].state.use(at(10)), (model::ContainerUse{5, 2048, at(90), seconds(15)}));
    EXPECT_EQ(seen[1].state.use(at(10)), (model::ContainerUse{6, 1024, at(90), seconds(15)}));
}

TEST(SnapshotContainers, use_stays_when_the_pod_changes_and_old_news_are_none) {
    Built built;
    built.take({pod(1)}, {sample(1, 90, 5)});
    cluster::PodChange crashed = pod(1);
    crashed.row.restarts = 3;
    crashed.row.first.ending = Ending::error;
    crashed.containers = {{.at = 1, .restarts = 2, .state = {.ending = Ending::oom_killed}}};
    built.take({crashed}, {sample(1, 80, 9)});
    auto snapshot = built.seen();
    auto seen = containers(snapshot);
    EXPECT_EQ(seen[0].state.use(at(10))->cpu_m, 5);
    EXPECT_EQ(seen[0].state.ending, Ending::error);
    EXPECT_EQ(seen[0].restarts, 1);
    EXPECT_EQ(seen[1].state.use(at(10))->cpu_m, 6);
    EXPECT_EQ(seen[1].state.ending, Ending::oom_killed);
    EXPECT_EQ(seen[1].restarts, 2);
    built.take({pod(1)});
    snapshot = built.seen();
    seen = containers(snapshot);
    EXPECT_EQ(seen[1].restarts, 0) << "it is another sort of news that it has none";
    EXPECT_EQ(seen[1].state.use(at(10))->cpu_m, 6);
}

TEST(SnapshotContainers, what_cannot_be_is_not_taken) {
    Built built;
    cluster::PodSample odd = sample(1, 90, 5);
    odd.containers = {{Name::of("app"), -1, 5}, {Name::of("nobody"), 1, 5}};
    built.take({pod(1), pod(2, nullptr)},
               {odd, sample(1, 131, 5), sample(2, 90, 5), sample(7, 90, 5)});
    const auto snapshot = built.seen();
    EXPECT_FALSE(snapshot.pods.at(0).first.measured.known());
    EXPECT_FALSE(snapshot.pods.at(1).first.measured.known()) << "which container is not known";
    EXPECT_TRUE(snapshot.containers.empty());
}

TEST(SnapshotContainers, leave_nothing_behind_when_their_pod_goes) {
    Built built;
    built.take({pod(1), pod(2)}, {sample(1, 90, 5), sample(2, 90, 7)});
    EXPECT_EQ(built.seen().containers.size(), 2U);
    built.take({cluster::PodGone{{3, 1}}, pod(3)});
    const auto snapshot = built.seen();
    EXPECT_EQ(snapshot.containers.size(), 1U);
    const auto fresh = containers(snapshot, 0);
    EXPECT_EQ(snapshot.pods.at(0).uid, (Uid{3, 3})) << "it got the place";
    EXPECT_FALSE(fresh[0].state.measured.known() || fresh[1].state.measured.known());
}

TEST(SnapshotContainers, go_on_from_an_earlier_snapshot) {
    Built built;
    built.take({pod(1), pod(2)}, {sample(1, 90, 5)});
    SnapshotBuilder next(ObservationLimits{}, built.seen());
    cluster::Batch batch;
    batch.changes = {pod(1), cluster::PodGone{{3, 2}}};
    batch.pods = {sample(1, 95, 8)};
    next.take(batch, at(100));
    auto snapshot = next.finish(9, at(100));
    EXPECT_EQ(snapshot.shapes.size(), 1U);
    EXPECT_EQ(snapshot.containers.size(), 1U);
    EXPECT_EQ(containers(snapshot)[1].state.use(at(10))->cpu_m, 9);
    batch.changes = {cluster::PodGone{{3, 1}}};
    batch.pods.clear();
    next.take(batch, at(100));
    snapshot = next.finish(10, at(100));
    EXPECT_TRUE(snapshot.shapes.empty() && snapshot.containers.empty());
}

}  // namespace
}  // namespace parley::observation
