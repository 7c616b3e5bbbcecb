#include "layers/explanation/telling/past.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using model::Signal;
using Texts = std::vector<std::string>;

void restart(Round& round, std::uint64_t pod, int count) {
    round.input.snapshot.restarts.push_back({round.slot(7), {5, pod}, round.input.now, count});
}

Texts words(const Past& past, Round& round) {
    return past.words(round.input, round.forecast, round.risk(7));
}

TEST(Past, signals_in_words_with_what_each_adds_alone) {
    Round round;
    Past past(round.policy.evidence);
    restart(round, 1, 4);
    restart(round, 2, 2);
    past.take(round.input);
    round.node(7).lease = round.lease(seconds(23));
    round.node(7).disk_pressure = round.node(7).memory_pressure = true;
    for (const Signal s : {Signal::restarts, Signal::lease_slow, Signal::pressure}) {
        round.risk(7).spoke.add(s);
    }
    EXPECT_EQ(words(past, round),
              (Texts{"lease 23s old (alone 0.10)", "memory and disk pressure (alone 0.15)",
                     "6 restarts in 10 min over 2 pods (alone 0.20)"}));
    round.forecast.model = "formula";
    EXPECT_EQ(words(past, round)[0], "lease 23s old");
}

TEST(Past, requests_that_stood_in_for_use_are_called_requests) {
    Round round;
    const Past past(round.policy.evidence);
    round.forecast.model = "formula";
    round.node(7).cpu_used_m = round.reading<std::int64_t>(700, seconds(9));
    round.node(7).cpu_requested_m = 9'500;
    round.risk(7).spoke.add(Signal::cpu);
    EXPECT_EQ(words(past, round), Texts{"CPU use 7%"});
    round.risk(7).missing.add(Signal::cpu);
    EXPECT_EQ(words(past, round), Texts{"CPU asked for 95%"});
}

TEST(Past, restarts_leave_the_window_after_ten_minutes) {
    Round round;
    Past past(round.policy.evidence);
    restart(round, 1, 3);
    past.take(round.input);
    round.input.snapshot.restarts.clear();
    round.risk(7).spoke.add(Signal::restarts);
    round.move_to(143, round.input.now + minutes(10));
    past.take(round.input);
    EXPECT_EQ(words(past, round)[0], "3 restarts in 10 min over 1 pod (alone 0.20)");
    round.move_to(144, round.input.now + microseconds(1));
    past.take(round.input);
    EXPECT_EQ(words(past, round)[0], "0 restarts in 10 min over 0 pods (alone 0.20)");
}

TEST(Past, a_crash_loop_of_its_own_is_said_and_pushes_nothing) {
    Round round;
    Past past(round.policy.evidence);
    model::WorkloadRow web;
    web.id = {Name::of("edge"), model::WorkloadKind::deployment, Name::of("till")};
    web.uid = {77, 1};
    web.rolled_out = round.input.now - minutes(5);
    const Slot slot = round.input.snapshot.workloads.insert(web);
    round.input.snapshot.restarts.push_back({round.slot(7), {5, 1}, round.input.now, 6, slot});
    past.take(round.input);
    EXPECT_EQ(words(past, round),
              Texts{"edge/till restarted 6 times: its own crash loop, rolled out shortly before "
                    "(no sign of the node)"});
}

TEST(Past, flaps_are_counted_when_a_node_stops_being_ready) {
    Round round;
    Past past(round.policy.evidence);
    for (int i = 0; i < 4; ++i) {
        round.node(7).ready = i % 2 == 0 ? model::Readiness::yes : model::Readiness::no;
        round.move_to(143 + static_cast<std::uint64_t>(i), round.input.now + seconds(3));
        past.take(round.input);
    }
    round.risk(7).spoke.add(Signal::flaps);
    round.risk(7).spoke.add(Signal::not_ready);
    round.node(7).ready_since = round.input.now - seconds(41);
    EXPECT_EQ(words(past, round), (Texts{"NotReady for 41s (alone 0.90)",
                                         "stopped being Ready 2 times in 1h (alone 0.40)"}));
}

TEST(Past, a_node_keeps_its_flaps_wherever_it_is_and_one_in_its_place_has_none) {
    Round round;
    Past past(round.policy.evidence);
    for (const auto ready : {model::Readiness::yes, model::Readiness::no}) {
        round.node(7).ready = ready;
        round.move_to(round.input.round + 1, round.input.now + seconds(3));
        past.take(round.input);
    }
    round.risk(7).spoke.add(Signal::flaps);
    std::swap(round.node(7), round.node(8));
    past.take(round.input);
    EXPECT_EQ(words(past, round), Texts{"stopped being Ready 0 times in 1h (alone 0.40)"});
    round.risk(7).node = round.slot(8);
    EXPECT_EQ(words(past, round), Texts{"stopped being Ready 1 time in 1h (alone 0.40)"});
}

TEST(Past, reading_may_begin_in_the_middle_of_a_run) {
    Round round;
    model::NodeFold& fold = round.fold(7);
    fold.restarts[0] = {round.input.now - minutes(2), {5, 9}, 5};
    fold.flaps[0] = round.input.now - minutes(50);
    Past past(round.policy.evidence);
    past.meet(round.memory.derived);
    past.take(round.input);
    past.meet(round.memory.derived);  // From then on it learns from the inputs.
    round.risk(7).spoke.add(Signal::restarts);
    round.risk(7).spoke.add(Signal::flaps);
    EXPECT_EQ(words(past, round), (Texts{"5 restarts in 10 min over 1 pod (alone 0.20)",
                                         "stopped being Ready 1 time in 1h (alone 0.40)"}));
}

}  // namespace
}  // namespace parley::explanation
