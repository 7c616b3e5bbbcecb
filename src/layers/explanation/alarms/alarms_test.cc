#include "layers/explanation/alarms/alarms.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using fake::node_id;
using model::AlarmKind;

/// Rounds of a small cluster, one after the other, three seconds apart.
struct Rounds : fake::SmallRound {
    model::Decision decision;
    model::RoundScore score;
    bool heard = true;  ///< Whether metrics keep coming.
    std::vector<model::Alarm> met;

    Rounds() {
        memory.derived.step = seconds(3);
        policy.stakes.detection = seconds(6);  // No longer than what is counted in rounds.
        input.snapshot.sources.push_back({.source = model::Source::metrics,
                                          .condition = model::SourceCondition::ok,
                                          .last_success = input.now,
                                          .limit = seconds(60)});
        input.snapshot.queue = {std::int64_t{0}, from({}, model::Source::api)};
        score.cost[model::Role::scaling] = 1'000'000;
    }

    model::SourceState& metrics() { return input.snapshot.sources.at(1); }

    /// What stands after this round, as "kind: sentence".
    std::vector<std::string> alarms() {
        note(input, forecast, decision.verdict, score, policy, met, memory, decision);
        std::vector<std::string> out;
        for (const model::Alarm& alarm : decision.alarms) {
            out.push_back(std::string(enum_name(alarm.kind)) + ": " + alarm.sentence);
        }
        return out;
    }
    void pass(Duration span = seconds(3)) {
        input.now = input.now + span;
        input.snapshot.sources[0].last_success = input.now;
        if (heard) metrics().last_success = input.now;
        input.snapshot.queue = {*input.snapshot.queue.value(), from({}, model::Source::api)};
        ++memory.derived.rounds;
    }
    std::vector<std::string> next() {
        pass();
        return alarms();
    }
};

using Texts = std::vector<std::string>;

TEST(Alarms, a_calm_round_raises_none) {
    Rounds rounds;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, a_node_without_samples_while_its_source_reads_ok) {
    Rounds rounds;
    rounds.fold(12).silent = kSilentRounds - 1;
    EXPECT_EQ(rounds.alarms(), Texts{});
    rounds.fold(12).silent = kSilentRounds;
    EXPECT_EQ(rounds.next(),
              Texts{"no_samples: metrics reads ok, but node-12 has had no sample for 10 rounds"});
    const model::Alarm first = rounds.decision.alarms.at(0);
    EXPECT_EQ(first.about, model::Target(node_id(12)));
    EXPECT_EQ(first.layer, 1);
    EXPECT_EQ(first.rounds, 10U);
    EXPECT_EQ(first.since, rounds.input.now - seconds(27));
    rounds.fold(12).silent = 31;
    EXPECT_EQ(rounds.next(),
              Texts{"no_samples: metrics reads ok, but node-12 has had no sample for 31 rounds"});
    EXPECT_EQ(rounds.decision.alarms.at(0).since, first.since);
    rounds.fold(12).silent = 0;
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, a_source_that_is_late_is_no_alarm_but_a_late_source) {
    Rounds rounds;
    rounds.fold(12).silent = 31;
    rounds.metrics().condition = model::SourceCondition::late;
    EXPECT_EQ(rounds.alarms(), Texts{});
    rounds.metrics().condition = model::SourceCondition::ok;
    EXPECT_EQ(rounds.next().size(), 1U);
}

TEST(Alarms, a_node_that_is_lost_need_not_have_samples) {
    Rounds rounds;
    rounds.fold(12).silent = 31;
    rounds.break_node(12);
    EXPECT_EQ(rounds.alarms(), Texts{});
}

TEST(Alarms, several_silent_nodes_are_one_alarm) {
    Rounds rounds;
    for (const int n : {2, 3, 9, 12}) rounds.fold(n).silent = 10 + n;
    EXPECT_EQ(rounds.alarms(),
              Texts{"no_samples: metrics reads ok, but 4 nodes have had no sample for up to 22 "
                    "rounds: node-02, node-03, node-09 and 1 more"});
}

TEST(Alarms, our_clock_was_set_until_every_source_has_spoken) {
    Rounds rounds;
    rounds.heard = false;
    rounds.pass();
    rounds.input.stepped = seconds(-600);
    rounds.memory.derived.stepped = rounds.input.now;
    const std::string back =
        "clock_stepped: our clock was set back by 10m00s; ages go on as if it had not been, and "
        "nothing disruptive is done until every source has spoken again";
    EXPECT_EQ(rounds.alarms(), Texts{back});
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 1);
    rounds.input.stepped = {};
    EXPECT_EQ(rounds.next(), Texts{back}) << "metrics have not";
    rounds.heard = true;
    EXPECT_EQ(rounds.next(), Texts{});
    rounds.pass();
    rounds.input.stepped = seconds(7);
    rounds.memory.derived.stepped = rounds.input.now;
    rounds.metrics().last_success = rounds.input.now + microseconds(1);
    rounds.api().last_success = rounds.input.now + microseconds(1);
    const Texts forward = rounds.alarms();
    ASSERT_EQ(forward.size(), 1U) << "it is said in any case";
    EXPECT_EQ(forward[0].substr(0, 53), "clock_stepped: our clock was set forward by 7s; ages ");
}

/// Prometheus reports this many times what metrics does, for this node.
void disagree(Rounds& rounds, int node, double times) {
    model::NodeRow& row = rounds.node(node);
    const std::int64_t cpu = *row.cpu_used_m.value();
    row.cpu_used_m = rounds.reading(cpu, seconds(9));
    row.cpu_second_m = {static_cast<std::int64_t>(static_cast<double>(cpu) * times),
                        rounds.from(seconds(9), model::Source::prometheus)};
}

TEST(Alarms, two_sources_that_contradict_each_other_over_all_nodes) {
    Rounds rounds;
    for (int node = 1; node <= 12; ++node) disagree(rounds, node, 2.7);
    const TimePoint begun = rounds.input.now + seconds(3);
    rounds.memory.derived.contradictions = {{.rounds = 1, .since = begun, .ratio = 2.7}};
    for (int i = 0; i <= 9; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    EXPECT_EQ(rounds.next(),
              Texts{"sources_contradict: metrics and prometheus differ: prometheus says 2.7 times "
                    "as much CPU as metrics (median of 12 nodes)"});
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 1);
    EXPECT_EQ(rounds.decision.alarms.at(0).since, begun);
    rounds.memory.derived.contradictions.clear();
    for (int node = 1; node <= 12; ++node) disagree(rounds, node, 1.9);
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, what_is_compared_loosely_must_last_longer) {
    Rounds rounds;
    for (int node = 1; node <= 12; ++node) disagree(rounds, node, 2.7);
    const TimePoint begun = rounds.input.now + seconds(3);
    rounds.memory.derived.contradictions = {{.since = begun, .ratio = 2.7, .loose = true}};
    for (int i = 0; i <= 34; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    EXPECT_EQ(rounds.next().size(), 1U) << "75 s, and 30 as otherwise";
}

TEST(Alarms, two_sources_that_contradict_each_other_about_one_node) {
    Rounds rounds;
    for (int node = 1; node <= 12; ++node) disagree(rounds, node, node == 5 ? 3 : 1);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    const std::string said =
        "sources_contradict: metrics and prometheus say different things of node-05, and have for ";
    EXPECT_EQ(rounds.next(), Texts{said + "2m30s"});
    EXPECT_EQ(rounds.decision.alarms.at(0).about, model::Target(node_id(5)));
    rounds.node(5).cpu_second_m = rounds.gap<std::int64_t>(model::Gap::too_old);
    EXPECT_EQ(rounds.next(), Texts{said + "2m33s"}) << "nobody knows better";
    disagree(rounds, 5, 1);
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, nothing_measured_for_minutes) {
    Rounds rounds;
    rounds.metrics().condition = model::SourceCondition::failed;
    rounds.metrics().reason = "connection refused";
    for (int i = 0; i < 40; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    EXPECT_EQ(rounds.next(), Texts{"sources_failed: nothing measured has come for 2m00s: metrics "
                                   "failed: connection refused"});
    rounds.metrics().condition = model::SourceCondition::off;
    EXPECT_EQ(rounds.next(), Texts{}) << "by choice";
    rounds.metrics().condition = model::SourceCondition::failed;
    rounds.input.snapshot.sources.push_back({.source = model::Source::prometheus,
                                             .condition = model::SourceCondition::ok,
                                             .last_success = rounds.input.now + hours(1),
                                             .limit = seconds(60)});
    for (int i = 0; i < 50; ++i) EXPECT_EQ(rounds.next(), Texts{}) << "the other still does";
}

/// Enough rounds to know what is usual: the cost moves by 0.02 in each.
Rounds usual() {
    Rounds rounds;
    for (int i = 0; i < 12; ++i) {
        rounds.score.cost[model::Role::scaling] += i % 2 == 0 ? 20'000 : -20'000;
        EXPECT_EQ(rounds.next(), Texts{});
    }
    return rounds;
}

TEST(Alarms, a_cost_that_jumps_while_nothing_else_changes) {
    Rounds rounds = usual();
    rounds.score.cost[model::Role::scaling] = 1'400'000;
    EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next(), Texts{"score_unexplained: decision and inputs are unchanged, yet a "
                                   "round costs 1.40 pod-minutes, not 1.00; it usually moves by "
                                   "0.02"});
    EXPECT_EQ(rounds.decision.alarms.at(0).rounds, kCostRounds);
    EXPECT_EQ(rounds.decision.alarms.at(0).since, rounds.input.now - seconds(6));
    EXPECT_EQ(rounds.next().size(), 1U);
    rounds.score.cost[model::Role::scaling] = 1'000'000;
    EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, a_failure_that_does_not_show_yet_is_no_fault_of_execution) {
    Rounds rounds = usual();
    rounds.policy.stakes.detection = seconds(50);
    rounds.score.cost[model::Role::scaling] = 1'400'000;
    for (int i = 0; i < 17; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    Rounds lasts = rounds;
    EXPECT_EQ(lasts.next().size(), 1U) << "by now it would";
    rounds.break_node(7);
    for (int i = 0; i < 30; ++i) EXPECT_EQ(rounds.next(), Texts{}) << "it was that";
}

/// Whether an alarm is raised if the cost goes from 1.0 pod-minutes to this, and usually moves by
/// `usual`.
bool found(std::int64_t cost, std::int64_t usual) {
    Rounds rounds;
    for (int i = 0; i < 12; ++i) {
        rounds.score.cost[model::Role::scaling] += i % 2 == 0 ? usual : -usual;
        rounds.next();
    }
    rounds.score.cost[model::Role::scaling] = cost;
    for (std::uint64_t i = 1; i < kCostRounds; ++i) EXPECT_EQ(rounds.next(), Texts{});
    return !rounds.next().empty();
}

TEST(Alarms, up_to_three_times_the_usual_is_usual) {
    EXPECT_FALSE(found(1'600'000, 200'000));
    EXPECT_TRUE(found(1'600'001, 200'000));
    EXPECT_FALSE(found(400'000, 200'000));
    EXPECT_TRUE(found(399'999, 200'000));
}

TEST(Alarms, up_to_a_quarter_is_within_what_counts_as_unchanged) {
    EXPECT_FALSE(found(1'333'333, 0));
    EXPECT_TRUE(found(1'333'336, 0));
    EXPECT_FALSE(found(750'000, 0));
    EXPECT_TRUE(found(749'999, 0));
}

TEST(Alarms, a_small_move_is_none_however_still_it_was_before) {
    Rounds rounds;
    rounds.score.cost[model::Role::scaling] = 10'000;
    for (int i = 0; i < 12; ++i) rounds.next();
    rounds.score.cost[model::Role::scaling] = 10'000 + kCostMoveLeast - 1;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(rounds.next(), Texts{});
    rounds.score.cost[model::Role::scaling] += kCostMoveLeast;
    for (int i = 0; i < 2; ++i) EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next().size(), 1U);
}

TEST(Alarms, twins_that_usually_err_more_allow_more) {
    Rounds rounds = usual();
    rounds.memory.derived.twin_errors = {400'000, 500'000, 600'000};
    rounds.score.cost[model::Role::scaling] = 2'500'000;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(rounds.next(), Texts{});
    Rounds more = usual();
    more.memory.derived.twin_errors = {400'000, 500'000, 600'000};
    more.score.cost[model::Role::scaling] = 2'500'001;
    for (int i = 0; i < 2; ++i) EXPECT_EQ(more.next(), Texts{});
    EXPECT_EQ(more.next().size(), 1U);
}

TEST(Alarms, a_cost_that_moves_with_its_inputs_or_decision_is_explained) {
    using Change = void (*)(Rounds&);
    const Change changes[] = {
        [](Rounds& r) { r.break_node(3); },
        [](Rounds& r) { r.workload(r.web).ready = 3; },
        [](Rounds& r) { r.workload(r.web).requests_milli = r.reading<std::int64_t>(9'000, {}); },
        [](Rounds& r) { r.node(2).cpu_used_m = r.reading<std::int64_t>(9'000, {}); },
        [](Rounds& r) { r.metrics().condition = model::SourceCondition::late; },
        [](Rounds& r) {
            r.decision.verdict.judged.push_back(
                {{.role = model::Role::safety, .action = model::Throttle{}, .target = node_id(1)},
                 model::Accepted{}});
        },
        [](Rounds& r) { r.score.missing = 1; },
        [](Rounds& r) { r.memory.derived.jumped = true; },
    };
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        Rounds rounds = usual();
        changes[i](rounds);
        rounds.score.cost[model::Role::scaling] = 9'000'000;
        for (int n = 0; n < 5; ++n) EXPECT_EQ(rounds.next(), Texts{}) << i;
    }
}

TEST(Alarms, before_anything_is_usual_nothing_is_unusual) {
    Rounds rounds;
    for (std::size_t i = 0; i < kCostMovesLeast; ++i) rounds.next();
    EXPECT_EQ(rounds.memory.derived.cost_moves.size(), kCostMovesLeast - 1);
    Rounds enough = rounds;
    enough.next();
    for (Rounds* each : {&rounds, &enough}) each->score.cost[model::Role::scaling] = 9'000'000;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(rounds.next(), Texts{});
    for (std::uint64_t i = 1; i < kCostRounds; ++i) EXPECT_EQ(enough.next(), Texts{});
    EXPECT_EQ(enough.next().size(), 1U);
}

TEST(Alarms, a_part_of_a_cost_is_nothing_to_compare_with) {
    Rounds rounds = usual();
    rounds.score.missing = 1;
    rounds.score.cost[model::Role::scaling] = 0;
    rounds.next();
    rounds.score.missing = 0;
    rounds.score.cost[model::Role::scaling] = 1'000'000;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(rounds.next(), Texts{});
}

Rounds with_stimulus(model::Quantity moves, std::int64_t before) {
    Rounds rounds;
    rounds.input.snapshot.stimulus = model::Stimulus{.phase = Name::of("light-dvfs"),
                                                     .since = rounds.input.now,
                                                     .moves = moves,
                                                     .before = before};
    return rounds;
}

TEST(Alarms, a_stimulus_that_moves_nothing) {
    Rounds rounds = with_stimulus(model::Quantity::cpu_requested, 2'000);  // Four pods of 500m.
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;    // Up to 9 s.
    EXPECT_EQ(rounds.next(), Texts{"stimulus_without_effect: the exerciser is in light-dvfs since "
                                   "12s, yet requested CPU, which it meant to move, did not"});
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 0);
    rounds.node(1).cpu_requested_m += 1;
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, a_stimulus_takes_ten_seconds) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    rounds.pass(kStimulusTakes - microseconds(1));
    EXPECT_EQ(rounds.alarms(), Texts{});
    EXPECT_EQ(rounds.memory.derived.alarms.size(), 1U);  // Counted, not yet raised.
    rounds.pass(microseconds(1));
    EXPECT_EQ(rounds.alarms().size(), 1U);
}

TEST(Alarms, what_a_stimulus_moved_has_moved_even_if_it_comes_back) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    rounds.next();
    rounds.input.snapshot.queue = {std::int64_t{9}, rounds.from({}, model::Source::api)};
    rounds.pass(seconds(30));
    EXPECT_EQ(rounds.alarms(), Texts{});
    rounds.input.snapshot.queue = {std::int64_t{0}, rounds.from({}, model::Source::api)};
    for (int i = 0; i < 8; ++i) EXPECT_EQ(rounds.next(), Texts{});
    rounds.input.snapshot.stimulus->since = rounds.input.now;  // The next phase moves nothing.
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next().size(), 1U);
    rounds.input.snapshot.stimulus->since = rounds.input.now;  // Nor does the one after it.
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next().size(), 1U);
    EXPECT_EQ(rounds.decision.alarms.at(0).rounds, 4U);
}

TEST(Alarms, slow_rounds_see_a_stimulus_late_and_still_from_its_start) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    rounds.memory.derived.step = minutes(1);
    rounds.pass(minutes(1));
    EXPECT_EQ(rounds.alarms(), Texts{});
    rounds.pass(minutes(1));
    EXPECT_EQ(rounds.alarms().size(), 1U);
}

TEST(Alarms, a_stimulus_that_moves_something_or_means_nothing_is_none) {
    for (const auto moves : {model::Quantity::cpu_requested, model::Quantity::memory_requested,
                             model::Quantity::queue}) {
        Rounds rounds = with_stimulus(moves, 1);
        for (int i = 0; i < 8; ++i) EXPECT_EQ(rounds.next(), Texts{});
    }
    Rounds none = with_stimulus(model::Quantity::none, 0);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(none.next(), Texts{});
}

TEST(Alarms, what_cannot_be_seen_is_no_fault_of_the_stimulus) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    for (int i = 0; i < 8; ++i) {
        rounds.pass();
        rounds.input.snapshot.queue = rounds.gap<std::int64_t>(model::Gap::source_failed);
        note(rounds.input, rounds.forecast, {}, rounds.score, rounds.policy, {}, rounds.memory,
             rounds.decision);
        EXPECT_TRUE(rounds.decision.alarms.empty());
        rounds.input.snapshot.queue = {std::int64_t{0}, rounds.from({}, model::Source::api)};
    }
}

/// A pod of `space` that has waited for CPU since now.
void let_wait(Rounds& rounds, const char* space) {
    auto& snapshot = rounds.input.snapshot;
    const Slot job =
        rounds.add_workload(fake::workload_id(space, "render", model::WorkloadKind::job), 0);
    snapshot.pods.insert({.uid = {4, snapshot.pods.size() + 1},
                          .workload = job,
                          .pending = model::CauseSet{}.with(model::Cause::cpu),
                          .created = rounds.input.now});
}

TEST(Alarms, what_our_own_filter_hides_is_no_fault_of_the_stimulus) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    rounds.policy.namespaces = {"=shop"};
    let_wait(rounds, "batch");
    let_wait(rounds, "batch");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;  // Up to 9 s.
    EXPECT_EQ(rounds.next(),
              Texts{"stimulus_without_effect: the exerciser is in light-dvfs since 12s, and 2 pods "
                    "wait in namespace batch, but policy.namespaces leaves it out, so the queue, "
                    "which it meant to move, does not count them"});
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 1);
    let_wait(rounds, "night");
    EXPECT_EQ(rounds.next(),
              Texts{"stimulus_without_effect: the exerciser is in light-dvfs since 15s, and 3 pods "
                    "wait in namespaces batch and night, but policy.namespaces leaves them out, so "
                    "the queue, which it meant to move, does not count them"});
    for (Slot each = 0; each < rounds.input.snapshot.pods.end_slot(); ++each) {
        rounds.pod(each).phase = model::PodPhase::running;
    }
    for (int i = 0; i < 8; ++i) EXPECT_EQ(rounds.next(), Texts{}) << "it had an effect";
    rounds.input.snapshot.stimulus->since = rounds.input.now;  // The next phase moves nothing.
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next().size(), 1U);
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 0);
}

TEST(Alarms, what_waited_before_a_stimulus_is_not_what_it_moved) {
    Rounds rounds = with_stimulus(model::Quantity::queue, 0);
    rounds.policy.namespaces = {"=shop"};
    let_wait(rounds, "batch");
    rounds.input.snapshot.stimulus->since = rounds.input.now + kStimulusTakes + seconds(1);
    rounds.pass(kStimulusTakes + seconds(1));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(rounds.next(), Texts{}) << i;
    EXPECT_EQ(rounds.next(), Texts{"stimulus_without_effect: the exerciser is in light-dvfs since "
                                   "12s, yet the queue, which it meant to move, did not"});
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 0);
}

TEST(Alarms, what_others_met_stands_as_long_as_they_meet_it) {
    Rounds rounds;
    rounds.met = {{.kind = model::AlarmKind::record_contradicts,
                   .about = node_id(7),
                   .layer = 5,
                   .sentence = "the record contradicts itself"}};
    EXPECT_EQ(rounds.next(), Texts{"record_contradicts: the record contradicts itself"});
    EXPECT_EQ(rounds.decision.alarms[0].layer, 5);
    rounds.next();
    EXPECT_EQ(rounds.decision.alarms[0].rounds, 2U);
    rounds.met.clear();
    EXPECT_EQ(rounds.next(), Texts{});
}

Rounds with_completed(model::Action action, Duration ago) {
    Rounds rounds;
    auto& open = rounds.open(std::move(action), node_id(7), model::ActionState::confirmed);
    open.role = model::Role::safety;
    open.confirmed = rounds.input.now - ago;
    rounds.risk(7).risk = 0.86;
    return rounds;
}

TEST(Alarms, an_action_is_complete_yet_its_node_is_no_better) {
    Rounds rounds = with_completed(model::Replicate{}, kHealingTakes - seconds(6));
    EXPECT_EQ(rounds.next(), Texts{});  // Three seconds too early to raise it, but counted.
    EXPECT_EQ(rounds.next(), Texts{"done_but_unhealthy: replicate of node-07 took effect 5m00s "
                                   "ago, yet its risk is over its own limit"});
    EXPECT_EQ(rounds.decision.alarms.at(0).about, model::Target(node_id(7)));
    EXPECT_EQ(rounds.decision.alarms.at(0).layer, 5);
    EXPECT_EQ(rounds.next().size(), 1U);
    rounds.risk(7).risk = 0.25;
    EXPECT_EQ(rounds.next(), Texts{});
}

TEST(Alarms, before_five_minutes_an_action_may_still_help) {
    Rounds rounds =
        with_completed(model::Replicate{}, kHealingTakes - seconds(6) - microseconds(1));
    EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next(), Texts{});
    EXPECT_EQ(rounds.next().size(), 1U);
}

TEST(Alarms, trouble_that_is_new_after_that_has_another_cause) {
    Rounds rounds = with_completed(model::Replicate{}, kHealingTakes - seconds(3));
    rounds.risk(7).risk = 0.01;
    EXPECT_EQ(rounds.next(), Texts{});
    rounds.risk(7).risk = 0.86;
    for (int i = 0; i < 4; ++i) EXPECT_EQ(rounds.next(), Texts{});
}

/// Pods of shop/web that stand on node-07 and are not well.
void fall_ill(Rounds& rounds) {
    rounds.node(7).pods_unhealthy = 1;
    model::PodRow& pod = rounds.pod(0);
    pod.node = rounds.slot(7);
    pod.ready = false;
}

TEST(Alarms, unhealthy_pods_count_where_none_should_be_left) {
    Rounds moved = with_completed(model::Migrate{}, kHealingTakes - seconds(6));
    fall_ill(moved);
    EXPECT_EQ(moved.next(), Texts{});
    EXPECT_EQ(moved.next(), Texts{"done_but_unhealthy: migrate of node-07 took effect 5m00s ago, "
                                  "yet pods that it was to move are unhealthy on it"});
    Rounds stays = moved;
    stays.workload(stays.web).protect = true;
    EXPECT_EQ(stays.next(), Texts{}) << "nobody was to move it";
    moved.break_node(7);
    EXPECT_EQ(moved.next(), Texts{});
    Rounds slowed = with_completed(model::Throttle{}, kHealingTakes - seconds(6));
    slowed.risk(7).risk = 0.01;
    fall_ill(slowed);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(slowed.next(), Texts{});
}

TEST(Alarms, an_emptied_node_may_be_as_ill_as_before) {
    Rounds moved = with_completed(model::Migrate{}, kHealingTakes - seconds(6));
    moved.node(7).pods_unhealthy = 1;  // A daemon's.
    for (int i = 0; i < 4; ++i) EXPECT_EQ(moved.next(), Texts{});
}

TEST(Alarms, an_action_on_its_way_undone_or_of_others_is_none) {
    using Change = void (*)(Rounds&);
    const Change changes[] = {
        [](Rounds& r) { r.memory.ledger.open[0].state = model::ActionState::sent; },
        [](Rounds& r) { r.memory.ledger.open[0].undoing = true; },
        [](Rounds& r) { r.memory.ledger.open[0].role = model::Role::efficiency; },
        [](Rounds& r) { r.memory.ledger.open[0].confirmed = {}; },
        [](Rounds& r) { r.node(7).power = model::Power::off; },
        [](Rounds& r) { r.risk(7).risk = std::nullopt; },
    };
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        Rounds rounds = with_completed(model::Replicate{}, kHealingTakes - seconds(6));
        changes[i](rounds);
        for (int n = 0; n < 4; ++n) EXPECT_EQ(rounds.next(), Texts{}) << i;
    }
}

TEST(Alarms, disagreements_are_noted_too) {
    Rounds rounds;
    rounds.risk(7).risk = 0.86;
    rounds.alarms();
    ASSERT_EQ(rounds.decision.disagreements.size(), 1U);
    EXPECT_EQ(rounds.decision.disagreements[0].about, model::Target(node_id(7)));
}

}  // namespace
}  // namespace parley::explanation
