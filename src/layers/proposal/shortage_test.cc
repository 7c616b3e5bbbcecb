#include "layers/proposal/shortage.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

namespace parley::proposal {
namespace {

using namespace kit;
using model::Cause;

struct CauseCase {
    Cause cause;
    bool alone;     // Whether it counts by itself.
    bool with_cpu;  // Whether it counts together with a shortage of CPU.
};

class Causes : public testing::TestWithParam<CauseCase> {};

TEST_P(Causes, count_if_room_would_help) {
    Round alone;
    alone.waiting(5, short_of(GetParam().cause));
    EXPECT_EQ(shortage_of(alone.input.snapshot, {}).pods, GetParam().alone ? 5 : 0);
    Round both;
    both.waiting(5, short_of(GetParam().cause).with(Cause::cpu));
    EXPECT_EQ(shortage_of(both.input.snapshot, {}).pods, GetParam().with_cpu ? 5 : 0);
}

const CauseCase kCauses[] = {
    {Cause::selector, false, false},
    {Cause::cpu, true, true},
    {Cause::memory, true, true},
    {Cause::pods, true, true},
    {Cause::taint, false, true},
    {Cause::affinity, false, true},
    {Cause::volume, false, false},
    {Cause::image, false, true},
    {Cause::our_hold, false, false},
    {Cause::other_gate, false, false},
    {Cause::other_scheduler, false, false},
    {Cause::unknown, false, true},
    {Cause::restart, false, true},
};
INSTANTIATE_TEST_SUITE_P(Rows, Causes, testing::ValuesIn(kCauses),
                         [](const auto& row) { return std::string(enum_name(row.param.cause)); });

TEST(Shortage, adds_up_groups_and_says_what_is_short) {
    Round round;
    EXPECT_EQ(shortage_of(round.input.snapshot, {}), Shortage{});
    round.waiting(5, short_of(Cause::cpu), true, minutes(2));
    round.waiting(3, short_of(Cause::cpu).with(Cause::memory), false, minutes(7));
    const Shortage found = shortage_of(round.input.snapshot, {});
    EXPECT_EQ(found, (Shortage{.pods = 8,
                               .cpu = 8,
                               .memory = 3,
                               .places = 0,
                               .batch = 5,
                               .oldest = kNow - minutes(7)}));
    EXPECT_EQ(text_of(short_of(found)), "CPU and memory");
    EXPECT_EQ(text_of(short_of(Shortage{.pods = 1, .places = 1})), "places on nodes");
    EXPECT_EQ(text_of(short_of(Shortage{})), "room");
}

TEST(Shortage, leaves_out_deliberate_unwatched_and_unknown_workloads) {
    Round round;
    round.waiting(5, short_of(Cause::cpu)).deliberate = true;
    EXPECT_EQ(shortage_of(round.input.snapshot, {}).pods, 0);
    round.waiting(4, short_of(Cause::cpu));
    round.policy.namespaces = {"=other"};
    EXPECT_EQ(shortage_of(round.input.snapshot, round.policy).pods, 0);
    round.policy.namespaces = {"sho"};
    EXPECT_EQ(shortage_of(round.input.snapshot, round.policy).pods, 4);
    round.input.snapshot.workloads.erase(1);
    EXPECT_EQ(shortage_of(round.input.snapshot, round.policy).pods, 0);
}

/// "shop 3 (2 of Jobs), till 4 without Jobs".
std::string by_space(const Round& round) {
    std::string out;
    for (const SpaceShortage& each : shortages_of(round.input.snapshot, round.policy)) {
        out += (out.empty() ? "" : ", ") + each.space.str() + " " +
               std::to_string(each.shortage.pods) + (each.has_jobs ? "" : " without Jobs");
    }
    return out;
}

TEST(Shortage, is_counted_for_each_namespace) {
    Round round;
    EXPECT_EQ(by_space(round), "");
    round.waiting(4, short_of(Cause::cpu), false).id.space = Name::of("till");
    round.waiting(3, short_of(Cause::memory), true);
    EXPECT_EQ(by_space(round), "shop 3, till 4 without Jobs");
    model::WorkloadRow& job = round.waiting(0, {}, true);
    job.id.space = Name::of("till");
    EXPECT_EQ(by_space(round), "shop 3, till 4 without Jobs") << "it neither runs nor waits";
    job.ready = 1;
    EXPECT_EQ(by_space(round), "shop 3, till 4");
    EXPECT_EQ(shortage_of(round.input.snapshot, round.policy).pods, 7);
}

TEST(Shortage, leaves_out_what_no_node_could_ever_hold) {
    Round round;
    round.waiting(4, short_of(Cause::cpu).with(Cause::impossible), true);
    EXPECT_EQ(by_space(round), "");
    round.waiting(4, short_of(Cause::cpu).with(Cause::claim), true);
    EXPECT_EQ(by_space(round), "");
}

TEST(Shortage, names_the_pods_that_wait_longest) {
    Round round;
    const Slot web = 0;
    round.waiting(3, short_of(Cause::cpu), true);
    const auto pod = [&](const char* tail, Duration age, model::CauseSet causes) {
        model::PodRow row;
        row.uid = {3, round.input.snapshot.pods.size() + 1};
        row.name = model::PodName::of("crunch-", tail);
        row.workload = web;
        row.phase = model::PodPhase::pending;
        row.pending = causes;
        row.created = kNow - age;
        round.input.snapshot.pods.insert(row);
    };
    pod("a", seconds(10), short_of(Cause::cpu));
    pod("b", seconds(30), short_of(Cause::cpu));
    pod("c", seconds(20), short_of(Cause::memory));
    pod("d", seconds(90), short_of(Cause::cpu).with(Cause::impossible));
    using Names = std::vector<std::string>;
    const auto named = [&](const char* space, std::size_t most) {
        return short_pods(round.input.snapshot, {Name::of(space)}, most);
    };
    EXPECT_EQ(named("shop", 2), (Names{"shop/crunch-b", "shop/crunch-c"}));
    EXPECT_EQ(named("shop", 9), (Names{"shop/crunch-b", "shop/crunch-c", "shop/crunch-a"}));
    EXPECT_EQ(named("till", 9), Names{});
}

}  // namespace
}  // namespace parley::proposal
