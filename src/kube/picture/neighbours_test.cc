#include "kube/picture/neighbours.h"

#include "kube/picture/picture_kit_test.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

std::string shown(const DomainCounts& counts) {
    std::string out;
    for (const auto& [value, pods] : counts) out += value + " " + std::to_string(pods) + "; ";
    return out;
}

TEST(Neighbours, are_counted_by_domain_in_the_namespaces_of_a_term) {
    Node first = make_node("n1", 1);
    first.labels = {{"kubernetes.io/hostname", "n1"}, {"zone", "a"}};
    Node second = make_node("n2", 2);
    second.labels = {{"kubernetes.io/hostname", "n2"}, {"zone", "a"}};
    Node third = make_node("n3", 3);  // In no zone.
    PodTemplate web;
    web.labels = {{"app", "web"}};
    PodTemplate db;
    db.labels = {{"app", "db"}};
    const Name shop = Name::of("shop");
    const Name till = Name::of("till");
    Neighbours all;
    all.add(shop, {1, 1}, &web, &first);
    all.add(shop, {1, 1}, &web, &second);
    all.add(shop, {1, 1}, &web, &third);
    all.add(shop, {2, 2}, &db, &first);
    all.add(shop, {3, 3}, nullptr, &first);  // Of nobody whose labels are known.
    all.add(till, {4, 4}, &web, &second);

    PodTerm term;
    term.topology = "zone";
    EXPECT_EQ(shown(all.counts(term, shop)), "") << "no selector matches no pod";
    term.selector = Selector{{"app", Operator::in, {"web"}}};
    EXPECT_EQ(shown(all.counts(term, shop)), "a 2; ");
    EXPECT_EQ(shown(all.counts(term, till)), "a 1; ");
    EXPECT_EQ(shown(all.counts(term, Name::of("else"))), "");
    term.spaces = {"shop", "till"};
    EXPECT_EQ(shown(all.counts(term, Name::of("else"))), "a 3; ");
    term.spaces.clear();
    term.all_spaces = true;
    EXPECT_EQ(shown(all.counts(term, shop)), "a 3; ");
    term.topology = "kubernetes.io/hostname";
    EXPECT_EQ(shown(all.counts(term, shop)), "n1 1; n2 2; n3 1; ");
}

}  // namespace
}  // namespace parley::kube
