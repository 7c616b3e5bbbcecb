#include "layers/proposal/consent.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

namespace parley::proposal {
namespace {

using namespace kit;
using enum model::ActionKind;
using model::Mode;

/// Nodes 0 to 2 with pods of these namespaces; "" is a pod of a workload that nobody knows.
struct Lodgings {
    Round round;

    explicit Lodgings(Mode mode = Mode::act) {
        round.input.controls.mode = mode;
        for (Slot node = 0; node < 3; ++node) round.node(node, "node-" + std::to_string(node));
    }
    model::WorkloadRow& add(Slot node, std::string_view space) {
        const auto slot = static_cast<Slot>(round.input.snapshot.workloads.size());
        model::WorkloadRow row;
        row.id = {Name::of(space), model::WorkloadKind::deployment, Name::of("web")};
        round.input.snapshot.workloads.put(slot, row);
        model::PodRow pod;
        pod.uid = {3, slot + 1};
        pod.workload = slot;
        pod.node = node;
        pod.phase = model::PodPhase::running;
        round.input.snapshot.pods.put(slot, pod);
        return round.input.snapshot.workloads.edit(slot);
    }
    model::PodRow& last_pod() {
        return round.input.snapshot.pods.edit(
            static_cast<Slot>(round.input.snapshot.pods.size() - 1));
    }
    /// The nodes on which it is allowed, such as "02".
    std::string where(model::ActionKind kind) const {
        const View view = round.view();
        Consent consent(view);
        std::string nodes;
        for (Slot node = 0; node < 3; ++node) {
            if (consent.to(kind, node)) nodes += std::to_string(node);
        }
        return nodes;
    }
};

TEST(Consent, is_the_nodes_own_in_every_mode) {
    for (const Mode mode : {Mode::observe, Mode::dry_run, Mode::act}) {
        Lodgings at(mode);
        at.round.policy.allow = {{"*", {migrate, dvfs}}};
        at.round.input.snapshot.nodes.edit(1).left_alone = true;
        EXPECT_EQ(at.where(migrate), "02");
        EXPECT_EQ(at.where(dvfs), "02");
    }
}

TEST(Consent, is_everybodys_on_the_node) {
    Lodgings at;
    at.add(0, "shop");
    at.add(1, "shop");
    at.add(1, "bank");
    at.round.policy.allow = {{"shop", {migrate, throttle}}, {"bank", {throttle}}};
    EXPECT_EQ(at.where(migrate), "02") << "nobody is on the last one";
    EXPECT_EQ(at.where(throttle), "012");
    EXPECT_EQ(at.where(replicate), "") << "it is allowed nowhere";
}

TEST(Consent, is_not_asked_of_those_who_are_not_touched) {
    Lodgings at;
    at.round.policy.allow = {{"shop", {migrate}}};
    at.add(0, "bank").protect = true;
    at.add(0, "bank").id.kind = model::WorkloadKind::daemon_set;
    at.add(1, "bank");
    at.last_pod().terminating = true;
    EXPECT_EQ(at.where(migrate), "012");
    at.add(2, "bank");
    EXPECT_EQ(at.where(migrate), "01");
}

TEST(Consent, is_not_given_by_a_pod_of_nobody) {
    Lodgings at;
    at.round.policy.allow = {{"shop", {migrate}}};
    at.add(0, "shop");
    at.last_pod().workload = kNoSlot;
    at.add(1, "shop");
    at.last_pod().workload = 99;
    EXPECT_EQ(at.where(migrate), "2");
}

TEST(Consent, is_given_everywhere_by_a_star_and_in_mode_observe) {
    Lodgings at;
    at.add(0, "bank");
    at.round.policy.allow = {{"*", {migrate}}};
    EXPECT_EQ(at.where(migrate), "012");
    Lodgings watched(Mode::observe);
    watched.add(0, "bank");
    EXPECT_EQ(watched.where(migrate), "012");
    Lodgings dry(Mode::dry_run);
    dry.add(0, "bank");
    EXPECT_EQ(dry.where(migrate), "");
}

}  // namespace
}  // namespace parley::proposal
