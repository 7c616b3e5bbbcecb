#include "guard/owner_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

TEST(OwnerRules, leave_nodes_of_others_alone) {
    const auto maintained = [](SmallRound& r) { r.node(1).maintenance = true; };
    const auto cordoned = [](SmallRound& r) { r.node(1).cordoned = true; };
    const auto control = [](SmallRound& r) { r.node(1).role = NodeRole::control_plane; };
    const std::string theirs = "maintenance: node-01 is under maintenance by someone else";
    const std::string plane = "control-plane: node-01 belongs to the control plane";
    check({
        {"maintained_migrate", Migrate{}, maintained, theirs},
        {"maintained_throttle", Throttle{}, maintained, theirs},
        {"cordoned_dvfs", Dvfs{}, cordoned, theirs},
        {"maintained_elsewhere", Migrate{}, [](SmallRound& r) { r.node(2).maintenance = true; },
         "yes"},
        {"control_replicate", Replicate{}, control, plane},
        {"control_sleep", kSleep, control, plane},
        {"control_balloon", MemoryBalloon{}, control, plane},
        {"cap_is_not_done_to_the_node", ResourceCap{}, control, "yes"},
    });
}

TEST(OwnerRules, do_nothing_twice) {
    const auto quarantined = [](SmallRound& r) { r.node(1).quarantined = true; };
    const auto asleep = [](SmallRound& r) {
        r.node(1).power = Power::sleep;
        r.node(1).mark = Mark{};
    };
    const auto clock = [](std::int64_t ppm) {
        return [ppm](SmallRound& r) { r.node(1).clock_ppm = ppm; };
    };
    check({
        {"quarantined_migrate", Migrate{}, quarantined, "already: node-01 is already quarantined"},
        {"quarantined_sleep", kSleep, quarantined, "already: node-01 is already quarantined"},
        {"quarantined_throttle", Throttle{}, quarantined, "yes"},
        {"throttled", Throttle{}, [](SmallRound& r) { r.node(1).avoided = true; },
         "already: node-01 is already throttled"},
        {"throttled_migrate", Migrate{}, [](SmallRound& r) { r.node(1).avoided = true; }, "yes"},
        {"on", kWake, nothing, "already: node-01 is already on"},
        {"wake", kWake, asleep, "yes"},
        {"asleep", kSleep, asleep, "already: node-01 is already sleep"},
        {"clock_is_there", Dvfs{650'000}, clock(650'000),
         "already: the clock of node-01 is already at 65%"},
        {"clock_is_below", Dvfs{650'000}, clock(649'999),
         "already: the clock of node-01 is already at 64%"},
        {"clock_is_above", Dvfs{650'000}, clock(650'001), "yes"},
        {"slow_node_may_be_put_to_sleep", kSleep, clock(500'000), "yes"},
    });
}

TEST(OwnerRules, leave_replicas_to_their_owner) {
    const auto owned = [](ScaleOwner owner) {
        return [owner](SmallRound& r) { r.workload(r.web).scale_owner = owner; };
    };
    check({
        {"hpa", Scale{{4, 5}}, owned(ScaleOwner::hpa),
         "scale-owner: the replicas of shop/web are set by an HPA", kWeb},
        {"other", Scale{{4, 5}}, owned(ScaleOwner::other),
         "scale-owner: the replicas of shop/web are set by someone else", kWeb},
        {"nobody", Scale{{4, 5}}, owned(ScaleOwner::nobody), "yes", kWeb},
    });
}

const Action kResize = Scale{{4, 4}, {{Name::of("app"), Extent{250, 500}, std::nullopt}}};

TEST(OwnerRules, leave_sizes_to_their_owner_and_ask_only_for_what_is_changed) {
    const auto owned = [](ScaleOwner replicas, ScaleOwner sizes) {
        return [=](SmallRound& r) {
            r.workload(r.web).scale_owner = replicas;
            r.workload(r.web).size_owner = sizes;
        };
    };
    using enum ScaleOwner;
    const std::string by_vpa = "scale-owner: the sizes of shop/web are set by a VPA";
    const Action both = Scale{{4, 5}, {{Name::of("app"), std::nullopt, Extent{1 << 20, 1 << 21}}}};
    const Action same_size = Scale{{4, 5}, {{Name::of("app"), Extent{250, 250}, std::nullopt}}};
    check({
        {"vpa_resize", kResize, owned(nobody, vpa), by_vpa, kWeb},
        {"vpa_replicas", Scale{{4, 5}}, owned(nobody, vpa), "yes", kWeb},
        {"hpa_resize", kResize, owned(hpa, nobody), "yes", kWeb},
        {"both_with_vpa", both, owned(nobody, vpa), by_vpa, kWeb},
        {"vpa_and_the_same_size", same_size, owned(nobody, vpa), "yes", kWeb},
        {"left_to_us", both, owned(parley, parley), "yes", kWeb},
        {"replicas_left_to_us_alone", both, owned(parley, other),
         "scale-owner: the sizes of shop/web are set by someone else", kWeb},
    });
}

}  // namespace
}  // namespace parley::guard
