#include "kube/picture/places.h"

#include "kube/picture/picture_kit_test.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::kube {
namespace {

/// Four nodes, two in each of two zones, and what the batches say about places of pods.
struct Town {
    Picture picture;
    std::map<std::uint32_t, std::pair<bool, std::set<std::string>>> places;
    std::map<model::Uid, std::uint32_t> pods;
    std::map<model::Uid, std::string> names;
    std::size_t told = 0;  ///< Sets of places in the last batch.

    Town() {
        list_nothing(picture);
        for (std::uint64_t i = 1; i <= 4; ++i) picture.put(node(i), at_s(1));
        picture.put(make_work(Kind::deployment, "web", 50, 3), at_s(1));
        picture.put(make_set("web-1", 51, OwnerKind::deployment, 50, "web"), at_s(1));
    }
    static Node node(std::uint64_t i, std::uint64_t version = 1) {
        Node out = make_node("n" + std::to_string(i), i, version);
        out.labels = {{"kubernetes.io/hostname", out.meta.name},
                      {"pool", i == 4 ? "gpu" : "general"},
                      {"zone", i <= 2 ? "a" : "b"}};
        return out;
    }
    /// A pod of web on node `where`.
    void put(std::uint64_t number, const std::string& where, const PodTemplate& what,
             std::uint64_t version = 1) {
        Pod pod =
            make_pod(std::to_string(number), number, OwnerKind::replica_set, 51, where, version);
        pod.pod = std::make_shared<const PodTemplate>(what);
        picture.put(std::move(pod), at_s(2));
    }
    void look() {
        const cluster::Batch batch = picture.take(at_s(3));
        for (const cluster::Change& change : batch.changes) {
            if (const auto* n = std::get_if<cluster::NodeChange>(&change)) {
                names[n->row.uid] = n->row.id.text();
            }
            if (const auto* p = std::get_if<cluster::PodChange>(&change)) {
                pods[p->row.uid] = p->row.places;
            }
        }
        told = batch.places.size();
        for (const cluster::PlacesChange& change : batch.places) {
            auto& [known, nodes] = places[change.id];
            known = change.known;
            nodes.clear();
            for (std::size_t i = 0; known && i < batch.order.size(); ++i) {
                if ((change.nodes[i / 64] >> (i % 64)) & 1U) nodes.insert(names[batch.order[i]]);
            }
        }
    }
    /// "any", "unknown", or the names of nodes.
    std::string of(std::uint64_t number) const {
        const std::uint32_t id = pods.at({number, number});
        if (id == 0) return "any";
        const auto& [known, nodes] = places.at(id);
        if (!known) return "unknown";
        std::string out;
        for (const std::string& name : nodes) out += (out.empty() ? "" : " ") + name;
        return out;
    }
};

PodTemplate plain() {
    PodTemplate what;
    what.labels = {{"app", "web"}};
    return what;
}

PodTerm term(const char* topology, const char* app = "web") {
    PodTerm out;
    out.selector = Selector{{"app", Operator::in, {app}}};
    out.topology = topology;
    return out;
}

struct Case {
    const char* name;
    std::function<void(PodTemplate&)> wants;
    std::string may;
    std::function<void(Town&)> change = [](Town&) {};
};

Claim claim_to(const char* volume) {
    Claim claim;
    claim.meta = meta_named("data", 70);
    claim.phase = ClaimPhase::bound;
    claim.volume = volume;
    return claim;
}

Volume volume_in(const char* zone) {
    Volume volume;
    volume.meta = meta_named("pv-1", 71);
    volume.meta.space = {};
    volume.nodes = {{.labels = {{"zone", Operator::in, {zone}}}, .fields = {}}};
    return volume;
}

TEST(Places, are_nodes_that_pass_every_filter_but_room) {
    const auto tainted = [](Town& t) {
        Node node = Town::node(4, 2);
        node.taints = {{"gpu", "yes", TaintEffect::no_schedule}};
        t.picture.put(node, at_s(2));
    };
    const auto gpu = [](PodTemplate& p) { p.node_selector = {{"pool", "gpu"}}; };
    const auto data = [](PodTemplate& p) { p.claims = {"data"}; };
    const Case cases[] = {
        {"nothing_asked", [](PodTemplate&) {}, "any"},
        {"selector", gpu, "n4"},
        {"selector_without_a_node", [](PodTemplate& p) { p.node_selector = {{"pool", "none"}}; },
         ""},
        {"a_taint_that_it_does_not_bear", gpu, "", tainted},
        {"a_taint_that_it_bears",
         [&](PodTemplate& p) {
             gpu(p);
             p.tolerations = {{.key = "gpu", .exists = true, .value = "", .effect = {}}};
         },
         "n4", tainted},
        {"node_affinity",
         [](PodTemplate& p) {
             p.node_terms = {{{.labels = {{"zone", Operator::in, {"b"}}}, .fields = {}}}};
         },
         "n3 n4"},
        {"apart_by_node", [](PodTemplate& p) { p.apart = {term("kubernetes.io/hostname")}; },
         "n2 n4", [](Town& t) { t.put(2, "n3", plain()); }},
        {"apart_by_zone_comes_back_to_its_own", [](PodTemplate& p) { p.apart = {term("zone")}; },
         "n1 n2", [](Town& t) { t.put(2, "n3", plain()); }},
        {"apart_from_strangers_only", [](PodTemplate& p) { p.apart = {term("zone", "db")}; },
         "n1 n2 n3 n4"},
        {"near_others", [](PodTemplate& p) { p.near = {term("zone")}; }, "n3 n4",
         [](Town& t) { t.put(2, "n3", plain()); }},
        {"near_itself_alone", [](PodTemplate& p) { p.near = {term("zone")}; }, "n1 n2 n3 n4"},
        {"near_nobody", [](PodTemplate& p) { p.near = {term("zone", "db")}; }, ""},
        {"spread_over_zones", [](PodTemplate& p) { p.spread = {term("zone")}; }, "n1 n2",
         [](Town& t) { t.put(2, "n3", plain()); }},
        {"spread_wider",
         [](PodTemplate& p) {
             p.spread = {term("zone")};
             p.spread[0].skew_max = 2;
         },
         "n1 n2 n3 n4", [](Town& t) { t.put(2, "n3", plain()); }},
        {"a_port_of_the_host", [](PodTemplate& p) { p.ports = {"TCP/0.0.0.0/80"}; }, "n2 n4",
         [](Town& t) {
             PodTemplate other = plain();
             other.ports = {"TCP/10.0.0.1/80", "UDP/0.0.0.0/53"};
             t.put(2, "n3", other);
         }},
        {"another_port", [](PodTemplate& p) { p.ports = {"UDP/0.0.0.0/80"}; }, "n2 n3 n4",
         [](Town& t) {
             PodTemplate other = plain();
             other.ports = {"TCP/0.0.0.0/80"};
             t.put(2, "n3", other);
         }},
        {"a_volume_in_a_zone", data, "n3 n4",
         [](Town& t) {
             t.picture.put(claim_to("pv-1"), at_s(2));
             t.picture.put(volume_in("b"), at_s(2));
         }},
        {"a_volume_that_is_not_made_yet", data, "n1 n2 n3 n4",
         [](Town& t) { t.picture.put(claim_to(""), at_s(2)); }},
        {"a_volume_that_cannot_be_read", data, "unknown",
         [](Town& t) { t.picture.put(claim_to("pv-1"), at_s(2)); }},
        {"a_claim_that_is_not_there", data, "unknown"},
        {"devices", [](PodTemplate& p) { p.devices = true; }, "unknown"},
        {"another_scheduler", [](PodTemplate& p) { p.scheduler = "mine"; }, "unknown"},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        Town town;
        PodTemplate what = plain();
        c.wants(what);
        town.put(1, "n1", what);
        c.change(town);
        town.look();
        EXPECT_EQ(town.of(1), c.may);
    }
}

TEST(Places, are_shared_and_worked_out_only_when_something_changed) {
    Town town;
    PodTemplate gpu = plain();
    gpu.node_selector = {{"pool", "gpu"}};
    town.put(1, "n4", gpu);
    gpu.request = {700, 1};  // Irrelevant here.
    gpu.labels = {{"app", "other"}};
    town.put(2, "n4", gpu);
    town.look();
    EXPECT_EQ(town.pods[(model::Uid{1, 1})], town.pods[(model::Uid{2, 2})]);
    EXPECT_EQ(town.places.size(), 1U);
    town.put(3, "n1", plain());
    town.look();
    EXPECT_EQ(town.told, 0U) << "a pod that may be anywhere changes nothing";
    Node node = Town::node(2, 2);
    node.labels[1] = {"pool", "gpu"};
    town.picture.put(node, at_s(4));
    town.look();
    EXPECT_EQ(town.of(1), "n2 n4");
    town.picture.remove(Kind::node, {4, 4});
    town.look();
    EXPECT_EQ(town.of(1), "n2");
    town.put(1, "n4", plain(), 2);
    town.look();
    EXPECT_EQ(town.of(1), "any") << "its template changed";
}

TEST(Places, of_pods_with_terms_follow_the_pods) {
    Town town;
    PodTemplate apart = plain();
    apart.apart = {term("kubernetes.io/hostname")};
    town.put(1, "n1", apart);
    town.look();
    EXPECT_EQ(town.of(1), "n2 n3 n4");
    town.put(2, "n2", apart);
    town.look();
    EXPECT_EQ(town.of(1), "n3 n4");
    EXPECT_EQ(town.of(2), "n3 n4");
    town.picture.remove(Kind::pod, {2, 2});
    town.look();
    EXPECT_EQ(town.of(1), "n2 n3 n4");
}

}  // namespace
}  // namespace parley::kube
