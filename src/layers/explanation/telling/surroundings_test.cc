#include "layers/explanation/telling/surroundings.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <boost/mp11/algorithm.hpp>
#include <gtest/gtest.h>

#include <set>

namespace parley::explanation {
namespace {

using kit::Round;
using model::Cause;
using Texts = std::vector<std::string>;

void wait(Round& round, int count, model::CauseSet causes) {
    round.input.snapshot.pending.push_back({round.web, causes, count, round.input.now});
}

model::CauseSet of(std::initializer_list<Cause> causes) {
    model::CauseSet set;
    for (const Cause cause : causes) set = set.with(cause);
    return set;
}

TEST(Surroundings, pending_pods_by_cause_most_first) {
    Round round;
    EXPECT_EQ(pending_line(round.input.snapshot), "0 pending");
    wait(round, 9, of({Cause::cpu, Cause::taint}));
    wait(round, 2, of({Cause::selector, Cause::cpu}));
    wait(round, 1, of({Cause::our_hold}));
    wait(round, 1, {});
    EXPECT_EQ(pending_line(round.input.snapshot),
              "13 pending: 9 CPU, 2 selector, 1 our gate, 1 starting");
    round.workload(round.web).deliberate = true;
    EXPECT_EQ(pending_line(round.input.snapshot), "13 pending: 13 selector");
}

TEST(Surroundings, every_cause_of_waiting_has_words_of_its_own) {
    std::set<std::string> lines;
    std::size_t causes = 0;
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Cause>>([&](auto cause) {
        Round round;
        wait(round, 1, of({cause.value}));
        const std::string line = pending_line(round.input.snapshot);
        EXPECT_EQ(line.find("starting"), std::string::npos) << cause.name;
        lines.insert(line);
        ++causes;
    });
    EXPECT_EQ(lines.size(), causes);
    EXPECT_TRUE(lines.contains("1 pending: 1 places on nodes"));
    EXPECT_TRUE(lines.contains("1 pending: 1 another's gate"));
}

TEST(Surroundings, pods_that_nothing_holds_back_are_starting) {
    Round round;
    round.input.snapshot.workloads.edit(round.web).pending = 4;
    EXPECT_EQ(pending_line(round.input.snapshot), "4 pending: 4 starting");
    wait(round, 3, of({Cause::cpu}));
    EXPECT_EQ(pending_line(round.input.snapshot), "4 pending: 3 CPU, 1 starting");
}

TEST(Surroundings, pods_that_crash_are_not_pending_and_yet_told_in_the_kubelets_words) {
    Round round;
    wait(round, 2, of({Cause::restart}));
    round.input.snapshot.pending[0].says = "back-off 40s restarting failed container=a";
    EXPECT_EQ(pending_line(round.input.snapshot), "0 pending");
    const std::vector<std::string> lines = waiting_lines(round.told(), 3);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("2 pods wait for another start after a crash"), std::string::npos);
    EXPECT_NE(lines[0].find("said of one: back-off 40s restarting"), std::string::npos) << lines[0];
}

TEST(Surroundings, the_cluster_in_a_line) {
    Round round;
    EXPECT_EQ(cluster_line(round.told()), "12 nodes Ready, 4 pods, 0 pending");
    round.break_node(3);
    round.node(4).power = model::Power::sleep;
    EXPECT_EQ(cluster_line(round.told()),
              "10 of 11 nodes Ready, 1 powered down, 4 pods, 0 pending");
}

TEST(Surroundings, the_highest_risks_and_whoever_is_unknown) {
    Round round;
    round.risk(3).risk = 0.21;
    round.risk(9).risk = std::nullopt;
    EXPECT_EQ(risk_line(round.told()),
              "node-07 0.86 (acts above 0.25)   node-03 0.21   node-01 0.01   unknown for 1 node");
    round.risk(7).limit = 2;
    EXPECT_EQ(risk_line(round.told(), 1), "node-07 0.86 (never acts)   unknown for 1 node");
}

TEST(Surroundings, a_source_that_never_told_anything_is_not_as_old_as_1970) {
    Round round;
    round.input.snapshot.sources = {{.source = model::Source::metrics,
                                     .condition = model::SourceCondition::late,
                                     .limit = seconds(60),
                                     .expected = 3}};
    EXPECT_EQ(sources_line(round.input), "metrics nothing yet, 0 of 3 nodes");
    round.input.snapshot.sources = {{.source = model::Source::api,
                                     .condition = model::SourceCondition::failed,
                                     .reason = "no route"}};
    round.input.snapshot.nodes = {};
    EXPECT_EQ(cluster_line(round.told()), "not known: api FAILED: no route") << "and not 0 nodes";
}

TEST(Surroundings, sources_with_their_ages) {
    Round round;
    auto& sources = round.input.snapshot.sources;
    const TimePoint now = round.input.now;
    sources.push_back({.source = model::Source::metrics,
                       .condition = model::SourceCondition::ok,
                       .last_success = now - seconds(14),
                       .limit = seconds(60),
                       .covered = 11,
                       .expected = 12});
    sources.push_back({.source = model::Source::prometheus,
                       .condition = model::SourceCondition::late,
                       .last_success = now - seconds(94),
                       .limit = seconds(60)});
    sources.push_back({.source = model::Source::exerciser});
    EXPECT_EQ(sources_line(round.input),
              "api 3s  metrics 14s, 11 of 12 nodes  prometheus 1m34s LATE (limit 1m00s)");
    const auto words = source_words(round.input);
    ASSERT_EQ(words.size(), 3U);
    EXPECT_FALSE(words[1].late);
    EXPECT_TRUE(words[2].late);
    sources[2].condition = model::SourceCondition::failed;
    sources[2].reason = "no route to host";
    EXPECT_EQ(source_words(round.input)[2].text, "prometheus FAILED: no route to host");
}

TEST(Surroundings, what_was_missing_is_named_with_its_reason) {
    Round round;
    EXPECT_EQ(missing_readings(round.told()), Texts{});
    round.node(3).cpu_used_m = round.gap<std::int64_t>(model::Gap::implausible);
    round.node(12).memory_used = round.reading<std::int64_t>(1, seconds(61));
    round.risk(5).missing.add(model::Signal::lease_lost);
    EXPECT_EQ(missing_readings(round.told()),
              (Texts{"CPU and memory use of node-03 (rejected: implausible)",
                     "CPU and memory use of node-12 (too old)", "lease of node-05"}));
}

TEST(Surroundings, a_ledger_that_could_not_be_read_or_stored_was_missing) {
    Round round;
    round.input.controls.ledger_unstored = "storing the ledger: 503";
    EXPECT_EQ(missing_readings(round.told()),
              Texts{"the ledger in the round before (storing the ledger: 503)"});
    round.input.controls.ledger_unread = "reading the ledger: 403";
    EXPECT_EQ(missing_readings(round.told()), Texts{"the ledger (reading the ledger: 403)"});
}

TEST(Surroundings, a_blind_round_names_source_samples_and_risks) {
    Round round;
    round.input.snapshot.sources.push_back({.source = model::Source::metrics,
                                            .condition = model::SourceCondition::failed,
                                            .limit = seconds(60),
                                            .reason = "no route to host"});
    for (int n = 1; n <= 12; ++n) {
        round.node(n).cpu_used_m = round.gap<std::int64_t>(model::Gap::source_failed);
        round.risk(n).risk = std::nullopt;
    }
    round.input.snapshot.queue = model::Reading<std::int64_t>::never();
    EXPECT_EQ(missing_readings(round.told()),
              (Texts{"metrics failed: no route to host",
                     "CPU and memory use of all 12 nodes (its source failed)",
                     "the risk of 12 of 12 nodes", "how many pods wait"}));
}

TEST(Surroundings, what_was_assumed_or_estimated) {
    Round round;
    model::Provenance from = round.from({}, model::Source::configuration);
    from.origin = model::Origin::assumed;
    round.input.snapshot.energy_price_ppm = {std::int64_t{100'000}, from};
    from.origin = model::Origin::estimated;
    round.node(1).power_mw = {std::int64_t{1'930'000}, from};
    EXPECT_EQ(assumed(round.told()),
              (Texts{"energy price =0.10 (configuration)", "power ~1,930 W (built-in constants)",
                     "start-up =30s of 1 workload (stakes.startup_assumed)"}));
}

TEST(Surroundings, nodes_worth_a_look_come_first) {
    Round round;
    round.risk(3).risk = 0.21;
    round.decision.disagreements.push_back(
        {model::DisagreementKind::ok_but_no_sample, kit::node_id(12), ""});
    const auto words = nodes_worth_a_look(round.told(), 3);
    ASSERT_EQ(words.size(), 3U);
    EXPECT_EQ(words[0].node, "node-07");
    EXPECT_TRUE(words[0].over);
    EXPECT_EQ(words[0].waiting, "41.3");
    EXPECT_EQ(words[0].acting, "1.4");
    EXPECT_EQ(words[0].limit, "0.25");
    EXPECT_EQ(words[0].cpu, "20%");
    EXPECT_EQ(words[0].ready, "3h00m");
    EXPECT_EQ(words[1].node, "node-12");
    EXPECT_TRUE(words[1].differs);
    EXPECT_EQ(words[2].node, "node-03");
}

TEST(Surroundings, a_record_of_decisions_only_says_that_it_knows_no_more) {
    Round round;
    const model::RoundInput empty{.round = 142};
    const Told told{empty, round.decision, round.policy, {}};
    EXPECT_EQ(cluster_line(told), "? (this record keeps decisions only)");
    EXPECT_EQ(risk_line(told), "? (this record keeps decisions only)");
    EXPECT_EQ(sources_line(empty), "?");
}

}  // namespace
}  // namespace parley::explanation
