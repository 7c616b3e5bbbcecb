#include "kube/watch/own_writes.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

const model::Uid kNode{1, 1};
const model::Uid kPod{2, 2};
const model::Uid kWeb{3, 3};

/// A picture of one node, one pod and one Deployment, each in the version asked for.
struct Bench {
    Picture picture;
    Duration boot = hours(1);
    OwnWrites own{[this] { return boot; }};

    void show(std::uint64_t version) {
        Node node;
        node.meta.uid = kNode;
        node.meta.version = version;
        picture.put(node, {});
        Pod pod;
        pod.uid = kPod;
        pod.version = version;
        picture.put(pod, {});
        Work work;
        work.kind = Kind::deployment;
        work.meta.uid = kWeb;
        work.meta.version = version;
        picture.put(work, {});
    }
};

TEST(OwnWrites, an_object_is_held_until_the_watch_shows_our_version_or_a_newer_one) {
    struct Case {
        Kind kind;
        model::Uid uid;
    };
    for (const Case& each :
         {Case{Kind::node, kNode}, Case{Kind::pod, kPod}, Case{Kind::deployment, kWeb}}) {
        for (const std::uint64_t shown : {42U, 43U}) {
            Bench bench;
            bench.show(41);
            EXPECT_EQ(bench.own.unshown(bench.picture), "");
            bench.own.wrote(each.kind, each.uid, 42, "it");
            EXPECT_EQ(bench.own.unshown(bench.picture), "it");
            bench.show(shown);
            EXPECT_EQ(bench.own.unshown(bench.picture), "");
        }
    }
}

TEST(OwnWrites, an_older_write_does_not_settle_a_newer_one) {
    Bench bench;
    bench.show(41);
    bench.own.wrote(Kind::node, kNode, 44, "node a");
    bench.own.wrote(Kind::node, kNode, 42, "node a");
    bench.show(43);
    EXPECT_EQ(bench.own.unshown(bench.picture), "node a");
    bench.show(44);
    EXPECT_EQ(bench.own.unshown(bench.picture), "");
}

TEST(OwnWrites, what_is_never_shown_is_held_for_fifteen_seconds) {
    Bench bench;
    bench.show(41);
    bench.own.wrote(Kind::node, kNode, 42, "node a");
    bench.boot = bench.boot + seconds(15) - microseconds(1);
    EXPECT_EQ(bench.own.unshown(bench.picture), "node a");
    bench.boot = bench.boot + microseconds(1);
    EXPECT_EQ(bench.own.unshown(bench.picture), "");
}

TEST(OwnWrites, what_the_picture_does_not_have_is_not_waited_for) {
    Bench bench;
    bench.show(41);
    bench.own.wrote(Kind::pod, kPod, 42, "pod a");
    bench.own.wrote(Kind::node, {9, 9}, 42, "node that nobody sees");
    EXPECT_EQ(bench.own.unshown(bench.picture), "pod a");
    bench.picture.remove(Kind::pod, kPod);
    EXPECT_EQ(bench.own.unshown(bench.picture), "") << "an evicted pod is gone";
}

}  // namespace
}  // namespace parley::kube
