#include "layers/proposal/shortage.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

namespace parley::proposal {
namespace {

using namespace kit;
using model::Cause;

struct CauseCase {
    Cause cause;
    bool alone;     // Counts by itself.
    bool with_cpu;  // Counts together with a shortage of CPU.
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
    EXPECT_EQ(what_is_short(found), "CPU and memory");
    EXPECT_EQ(what_is_short({.pods = 1, .places = 1}), "places on nodes");
    EXPECT_EQ(what_is_short({}), "room");
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

TEST(Shortage, knows_whether_there_are_jobs) {
    Round round;
    EXPECT_FALSE(has_batch(round.input.snapshot));
    model::WorkloadRow& job = round.waiting(0, {}, true);
    EXPECT_FALSE(has_batch(round.input.snapshot));
    job.ready = 1;
    EXPECT_TRUE(has_batch(round.input.snapshot));
    job.batch = false;
    EXPECT_FALSE(has_batch(round.input.snapshot));
}

}  // namespace
}  // namespace parley::proposal
