#include "kube/picture/picture_nodes.h"

#include "kube/picture/picture_kit_test.h"

namespace parley::kube {
namespace {

NodeRoom room(const NodeBook& book) {
    const auto rooms = book.rooms();
    EXPECT_EQ(rooms.size(), 1U);
    return rooms.at(0);
}

TEST(NodeBook, counts_what_pods_hold) {
    NodeBook book;
    Pod early = make_pod("a", 100, OwnerKind::none, 0);
    book.hold(early, +1);  // Before its node is known.
    book.put(make_node("n1", 1));
    EXPECT_EQ(room(book).free.cpu_m, 3900);
    EXPECT_EQ(room(book).free.memory, (std::int64_t{8} << 30) - (1 << 20));
    EXPECT_EQ(room(book).pods_free, 109);
    Pod done = make_pod("b", 101, OwnerKind::none, 0);
    done.phase = model::PodPhase::failed;
    book.hold(done, +1);
    book.hold(make_pod("c", 102, OwnerKind::none, 0, ""), +1);
    EXPECT_EQ(room(book).pods_free, 109) << "neither ended nor unbound pods hold anything";
    book.hold(early, -1);
    EXPECT_EQ(room(book).free.cpu_m, 4000);
}

TEST(NodeBook, its_version_follows_what_the_scheduler_sees) {
    NodeBook book;
    book.put(make_node("n1", 1));
    const std::uint64_t version = book.version();
    EXPECT_TRUE(book.take_labels_changed());
    Node busy = make_node("n1", 1, 2);
    busy.ready_since = at_s(5);
    book.put(busy);
    EXPECT_EQ(book.version(), version);
    EXPECT_FALSE(book.take_labels_changed());
    Node tainted = make_node("n1", 1, 3);
    tainted.taints = {{"gpu", "", TaintEffect::no_schedule}};
    book.put(tainted);
    EXPECT_GT(book.version(), version);
}

TEST(NodeBook, tells_each_change_once) {
    NodeBook book;
    std::vector<cluster::Change> out;
    book.put(make_node("n1", 1));
    book.put(make_node("n1", 1, 2));
    book.tell_changed({}, out);
    EXPECT_EQ(out.size(), 1U);
    book.tell_changed({}, out);
    EXPECT_EQ(out.size(), 1U);
    book.remove(Kind::node, {1, 1});
    book.tell_gone(out);
    EXPECT_EQ(out.size(), 2U);
    EXPECT_TRUE(book.uid_of(Name::of("n1")).none());
}

TEST(NodeBook, tells_of_a_node_anew_when_its_provider_speaks) {
    NodeBook book;
    std::vector<cluster::Change> out;
    const Name name = Name::of("n1");
    book.set_power(name, {.can_power = true, .power = model::Power::sleep});  // Not known yet.
    book.put(make_node("n1", 1));
    book.tell_changed({}, out);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_EQ(std::get<cluster::NodeChange>(out[0]).row.power, model::Power::sleep);
    EXPECT_TRUE(std::get<cluster::NodeChange>(out[0]).row.can_power);
    book.set_power(name, {.can_clock = true, .clock_ppm = 650'000});
    book.tell_changed({}, out);
    ASSERT_EQ(out.size(), 2U);
    const model::NodeRow& row = std::get<cluster::NodeChange>(out[1]).row;
    EXPECT_EQ(row.power, model::Power::on);
    EXPECT_FALSE(row.can_power);
    EXPECT_TRUE(row.can_clock);
    EXPECT_EQ(row.clock_ppm, 650'000);
    book.put(make_node("n1", 2));  // Another machine of that name.
    book.tell_changed({}, out);
    EXPECT_FALSE(std::get<cluster::NodeChange>(out.back()).row.can_clock);
}

TEST(NodeBook, does_not_tell_of_what_came_and_went) {
    NodeBook book;
    std::vector<cluster::Change> out;
    book.put(make_node("n1", 1));
    book.remove(Kind::node, {1, 1});
    book.tell_changed({}, out);
    book.tell_gone(out);
    EXPECT_TRUE(out.empty());
}

TEST(NodeBook, a_name_stands_for_the_newest_node) {
    NodeBook book;
    book.put(make_node("n1", 1));
    EXPECT_EQ(book.take_renamed().size(), 1U);
    book.put(make_node("n1", 1, 2));
    EXPECT_TRUE(book.take_renamed().empty());
    book.put(make_node("n1", 2));
    EXPECT_EQ(book.take_renamed().size(), 1U);
    book.remove(Kind::node, {1, 1});
    EXPECT_EQ(book.uid_of(Name::of("n1")), (model::Uid{2, 2}));
}

TEST(NodeBook, finds_nodes_by_selector) {
    NodeBook book;
    EXPECT_FALSE(book.any_matches({}));
    book.put(make_node("n1", 1));
    EXPECT_TRUE(book.any_matches({{"kubernetes.io/hostname", "n1"}}));
    EXPECT_FALSE(book.any_matches({{"kubernetes.io/hostname", "n2"}}));
}

TEST(NodeBook, a_list_drops_what_it_does_not_name) {
    NodeBook book;
    std::vector<cluster::Change> out;
    book.put(make_node("n1", 1));
    book.put(make_node("n2", 2));
    book.tell_changed({}, out);
    book.begin_list(Kind::node);
    book.put(make_node("n2", 2));
    EXPECT_EQ(book.end_list(Kind::node), 1U);
    out.clear();
    book.tell_changed({}, out);
    book.tell_gone(out);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<cluster::NodeGone>(out[0]));
}

}  // namespace
}  // namespace parley::kube
