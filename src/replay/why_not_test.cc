#include "replay/why_not.h"

#include "fake/disk.h"
#include "fake/small_round.h"
#include "layers/decide.h"
#include "store/run_writer.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::replay {
namespace {

using fake::SmallRound;
using Change = std::function<void(model::Policy&, model::Controls&)>;

/// Ten rounds of a small cluster, all in one instant but for what the API shows, decided as they
/// would be. From round 5 on node-01, which holds two pods of shop/web, has a late lease and
/// pressure. In round 3 pods of a Job in shop may have waited for CPU for 30 s.
struct MadeRun {
    fake::Disk disk;
    model::Policy policy;

    explicit MadeRun(store::RecordLevel level = store::RecordLevel::full,
                     std::uint32_t rules = kRulesVersion, const Change& change = {},
                     std::int32_t waiting = 0) {
        policy = SmallRound().policy;
        model::Controls controls = SmallRound().input.controls;
        controls.simulated = true;
        if (change) change(policy, controls);
        store::RunHeader header;
        header.rules_version = rules;
        header.mode = controls.mode;
        header.simulated = true;
        header.record = level;
        header.policy = policy;
        auto writer = store::RunWriter::create(disk, "run", header, {}, {.keyframe_rounds = 3});
        EXPECT_TRUE(writer) << writer.error().message;
        model::Memory memory;
        EXPECT_TRUE((*writer)->keep_start(memory));
        for (std::uint64_t number = 1; number <= 10; ++number) {
            SmallRound round = at(number, number >= 5);
            round.input.controls = controls;
            if (number == 3 && waiting > 0) wait(round, waiting);
            Outcome outcome = decide(round.input, memory, policy);
            EXPECT_TRUE((*writer)->keep_round(round.input, outcome.decision, outcome.next));
            memory = std::move(outcome.next);
        }
    }

    static SmallRound at(std::uint64_t number, bool failing) {
        SmallRound round;
        round.input.round = number;
        round.input.snapshot.round = number;
        round.input.controls.simulated = true;
        for (model::SourceState& source : round.input.snapshot.sources) {
            source.last_success = round.input.now - milliseconds(10 - static_cast<int>(number));
        }
        for (int n = 1; n <= 12; ++n) round.node(n).can_clock = round.node(n).can_power = false;
        if (!failing) return round;
        round.node(1).lease = round.lease(seconds(20));
        round.node(1).memory_pressure = true;
        return round;
    }

    static void wait(SmallRound& round, std::int32_t pods) {
        model::WorkloadRow row;
        row.id = {Name::of("shop"), model::WorkloadKind::job, Name::of("crunch")};
        row.batch = true;
        row.pending = pods;
        round.input.snapshot.pending.push_back(
            {.workload = round.input.snapshot.workloads.insert(row),
             .causes = model::CauseSet{}.with(model::Cause::cpu),
             .count = pods,
             .oldest = round.before(seconds(30))});
        round.input.snapshot.queue = round.reading<std::int64_t>(pods, seconds(1));
    }

    Result<WhyNotAnswer> ask(const std::string& action, std::optional<std::uint64_t> round = {}) {
        auto reader = store::RunReader::open(disk, "run");
        EXPECT_TRUE(reader);
        return why_not(*reader, {}, action, round);
    }
    std::string text(const std::string& action, std::optional<std::uint64_t> round = {}) {
        const auto answer = ask(action, round);
        return answer ? text_of(*answer) : "error: " + answer.error().message;
    }
};

TEST(WhyNot, nobody_proposed_it) {
    MadeRun run;
    EXPECT_EQ(run.text("replicate:node-01", 7), R"(Nobody proposed it.
First cause: agent, limit: For node-01: 0.7 pod-minutes (risk 0.24 x 3.2) against 2.0. It would not have paid at any risk.
  Agent A safety proposes replicate when waiting costs more than acting, in 2 of 3 rounds.
  For node-01: 0.7 pod-minutes (risk 0.24 x 3.2) against 2.0. It would not have paid at any risk.
  It wanted nothing: node-01 is over its limit (risk 0.24, acts above 0.13), and what can be done for it is under way.
It would also have met
  guard          open-action: migrate of round 6 is still on its way for node-01
  guard          cool-down: node-01 cools down for another 30m00s
  guard          one-at-a-time: one disruptive action at a time: migrate node-01 is on its way
That is round 7, T+30:00:00; in this run it was proposed in 0 rounds and accepted in 0.
)");
}

TEST(WhyNot, the_nearest_round_is_named_where_another_came_nearer) {
    MadeRun run;
    const auto early = run.ask("migrate:node-01", 4);
    ASSERT_TRUE(early);
    EXPECT_FALSE(early->proposed);
    EXPECT_EQ(
        early->own.at(1),
        "For node-01: 0.002 pod-minutes (risk <0.01 x 3.2) against 0.2. It would have from risk "
        "0.13. Nearest in this run: 0.24, round 10.");
    EXPECT_EQ(early->nearest_round, 10U);
    ASSERT_EQ(early->obstacles.size(), 2U);
    EXPECT_EQ(early->obstacles[0].who, "agent");
    EXPECT_EQ(early->obstacles[1],
              (Obstacle{"guard", "hysteresis",
                        "rounds over its own risk limit: 0 of the last 3, 2 needed"}));
}

TEST(WhyNot, what_was_done_says_so) {
    MadeRun run;
    const auto done = run.ask("migrate:node-01");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->round, 6U);
    EXPECT_TRUE(done->accepted);
    EXPECT_EQ(done->verdict, "Agent A safety proposed it, and it was accepted.");
    EXPECT_EQ(done->accepted_rounds, 1U);
}

TEST(WhyNot, referee_and_guard_are_asked_on_what_was_known_then) {
    MadeRun run;
    const auto innermost = [](const Result<WhyNotAnswer>& answer) {
        std::vector<Obstacle> out = answer->obstacles;
        std::erase_if(out, [](const Obstacle& each) { return each.who == "agent"; });
        return out;
    };
    const auto calm = run.ask("memory_balloon:node-02", 4);
    ASSERT_TRUE(calm);
    EXPECT_TRUE(calm->asked_again);
    EXPECT_TRUE(innermost(calm).empty());
    EXPECT_NE(text_of(*calm).find("Neither guard nor referee would have stopped it.\n"),
              std::string::npos);
    const auto danger = run.ask("memory_balloon:node-02", 5);
    ASSERT_TRUE(danger);
    ASSERT_EQ(innermost(danger).size(), 1U);
    EXPECT_EQ(innermost(danger)[0].who, "referee");
    EXPECT_EQ(innermost(danger)[0].rule, "danger-blocks-efficiency");
    const auto beside = run.ask("queue", 6);
    ASSERT_TRUE(beside);
    ASSERT_EQ(innermost(beside).size(), 1U);
    EXPECT_EQ(innermost(beside)[0],
              (Obstacle{"referee", "action-limit",
                        "1 a round, and A safety came first: migrate node-01"}));
    const auto both = run.ask("sleep:node-05", 6);
    ASSERT_TRUE(both);
    ASSERT_GE(innermost(both).size(), 2U) << "guard before rank, and all that refuse";
    EXPECT_EQ(innermost(both).front(),
              (Obstacle{"guard", "capability", "nothing here can switch the power of node-05"}));
    EXPECT_EQ(innermost(both).back().rule, "danger-blocks-efficiency");
}

TEST(WhyNot, the_outermost_cause_comes_first) {
    const auto first = [](const Change& change, const char* action, std::uint64_t round) {
        return MadeRun(store::RecordLevel::full, kRulesVersion, change)
            .ask(action, round)
            ->first_cause;
    };
    const auto observe = [](model::Policy&, model::Controls& controls) {
        controls.mode = model::Mode::observe;
    };
    const std::string mode = "mode, observe: nothing is sent in this mode, whatever is decided";
    EXPECT_EQ(first(observe, "migrate:node-01", 6), mode) << "accepted, and never sent";
    EXPECT_EQ(first(observe, "migrate:node-01", 8), mode) << "before any cool-down";
    EXPECT_EQ(first(observe, "queue", 8), mode);
    const auto stop = [](model::Policy&, model::Controls& controls) { controls.stop = true; };
    EXPECT_EQ(first(stop, "migrate:node-01", 7),
              "kill switch, stop: it was pressed, so that nothing is sent");
    const auto forbid = [](model::Policy& policy, model::Controls&) { policy.allow.clear(); };
    EXPECT_EQ(first(forbid, "replicate:node-02", 4),
              "configuration, opt-in: replicate is allowed in no namespace");
    const auto careful = [](model::Policy& policy, model::Controls&) { policy.stakes.margin = 50; };
    EXPECT_TRUE(first(careful, "migrate:node-01", 8)
                    .starts_with("configuration, policy.stakes.margin: x 50 by configuration "
                                 "(default x 1.1): "))
        << first(careful, "migrate:node-01", 8);
    const auto feeble = [](model::Policy& policy, model::Controls&) {
        policy.stakes.migrate_efficacy = 0.01;
    };
    EXPECT_EQ(first(feeble, "migrate:node-01", 8),
              "configuration, policy.stakes.migrate_efficacy: 0.01 by configuration (default "
              "0.95): at the default risk 0.24 would have been above 0.13");
    EXPECT_TRUE(first(careful, "migrate:node-02", 8).starts_with("agent, limit: "))
        << "it would not have paid at the default either";
}

TEST(WhyNot, without_a_round_the_one_that_came_nearest) {
    MadeRun run;
    const auto answer = run.ask("replicate:node-01");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->round, 10U);
}

TEST(WhyNot, without_a_round_the_one_in_which_it_would_have_acted_by_default) {
    // It never pays in any round, so that all are as near; from round 5 on it would by default.
    MadeRun run(store::RecordLevel::full, kRulesVersion, [](model::Policy& policy, auto&) {
        policy.stakes.migrate_efficacy = 0;
        policy.evidence.pressure = 0;
    });
    const auto answer = run.ask("migrate:node-01");
    ASSERT_TRUE(answer);
    EXPECT_GE(answer->round, 5U);
    EXPECT_EQ(answer->obstacles.front().rule,
              "policy.evidence.pressure, policy.stakes.migrate_efficacy");
    EXPECT_EQ(why_not(run.disk, "run", {}, "migrate:node-01", {})->round, answer->round);
}

TEST(WhyNot, without_a_round_the_one_in_which_the_namespace_filter_mattered) {
    const Change filter = [](model::Policy& policy, auto&) { policy.namespaces = {"=other"}; };
    MadeRun run(store::RecordLevel::full, kRulesVersion, filter, 10);
    for (const char* action : {"queue", "reject"}) {
        const auto answer = run.ask(action);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->round, 3U) << action;
        EXPECT_EQ(answer->first_cause,
                  "configuration, policy.namespaces: the filter leaves out 10 pods short of room "
                  "in shop, and counts 0");
        EXPECT_EQ(why_not(run.disk, "run", {}, action, {})->round, answer->round);
    }
}

TEST(WhyNot, a_rule_of_the_guard_that_a_person_configured_is_one_of_the_guard) {
    const Change forbid = [](model::Policy& policy, auto&) { policy.allow.clear(); };
    MadeRun run(store::RecordLevel::full, kRulesVersion, forbid);
    const auto answer = run.ask("queue", 4);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->obstacles.front().rule, "opt-in");
    EXPECT_TRUE(answer->asked_again);
    EXPECT_EQ(text_of(*answer).find("Neither guard nor referee"), std::string::npos);
}

TEST(WhyNot, what_else_keeps_its_agent_from_it_goes_before_the_guard) {
    MadeRun run(store::RecordLevel::full, kRulesVersion, {}, 10);
    const auto answer = run.ask("reject", 3);
    ASSERT_TRUE(answer);
    ASSERT_FALSE(answer->obstacles.empty());
    EXPECT_EQ(answer->obstacles.front(),
              (Obstacle{"agent", "its rules",
                        "No pod had waited longer than 30s; it rejects only after 10m."}));
}

TEST(WhyNot, what_the_guard_held_was_not_accepted) {
    const Change prototype = [](model::Policy& policy, auto&) {
        policy.profile = model::Profile::prototype;
        policy.allow.clear();
    };
    MadeRun run(store::RecordLevel::full, kRulesVersion, prototype, 10);
    const auto answer = run.ask("queue");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->round, 3U);
    EXPECT_TRUE(answer->proposed);
    EXPECT_FALSE(answer->accepted);
    EXPECT_EQ(answer->proposed_rounds, 1U);
    EXPECT_EQ(answer->held_rounds, 1U);
    EXPECT_EQ(answer->accepted_rounds, 0U);
    EXPECT_TRUE(text_of(*answer).ends_with(
        "in this run it was proposed in 1 round, held in 1 and accepted in 0.\n"));
}

TEST(WhyNot, an_agent_that_is_not_in_this_build_is_the_first_cause) {
    const auto observe = [](model::Policy&, model::Controls& controls) {
        controls.mode = model::Mode::observe;
    };
    const std::string cause =
        "agent, build: D scaling is not in this build, so that nobody can propose it";
    MadeRun run;
    EXPECT_EQ(run.text("scale:shop/web", 8), "Nobody proposed it.\nFirst cause: " + cause + R"(.
  Agent D scaling is not in this build.
  It wanted nothing: skipped: not in this build.
Guard and referee were not asked: they judge what somebody proposes.
That is round 8, T+30:00:00; in this run it was proposed in 0 rounds and accepted in 0.
)");
    MadeRun watching(store::RecordLevel::full, kRulesVersion, observe);
    EXPECT_EQ(watching.ask("scale:shop/web", 8)->first_cause, cause);
    EXPECT_EQ(watching.ask("scale:shop/web", 8)->obstacles.back().who, "mode");
    MadeRun decisions(store::RecordLevel::decisions);
    EXPECT_EQ(decisions.ask("scale:shop/web", 8)->first_cause, cause);
}

TEST(WhyNot, the_answer_from_a_folder_is_that_of_the_whole_record) {
    for (const auto level : {store::RecordLevel::full, store::RecordLevel::decisions}) {
        MadeRun run(level);
        const std::vector<std::optional<std::uint64_t>> rounds{std::nullopt, 1, 3, 8, 99};
        for (const char* action : {"migrate:node-01", "migrate:node-02", "queue"}) {
            for (const auto& round : rounds) {
                const auto whole = run.ask(action, round);
                const auto near = why_not(run.disk, "run", {}, action, round);
                ASSERT_EQ(near.has_value(), whole.has_value());
                EXPECT_EQ(near ? text_of(*near) : near.error().message,
                          whole ? text_of(*whole) : whole.error().message);
            }
        }
    }
}

TEST(WhyNot, what_is_not_there_is_one_sentence) {
    MadeRun run;
    EXPECT_EQ(run.text("migrate:node-1O"),
              "error: this run has no node called \"node-1O\"; did you mean node-10?");
    EXPECT_EQ(run.text("migrate:node-01", 11),
              "error: round 11 is not in this record, which holds rounds 1 to 10");
    EXPECT_TRUE(run.text("fly:node-01").starts_with("error: no action is called \"fly\""));
}

TEST(WhyNot, a_record_of_decisions_answers_what_it_can) {
    MadeRun run(store::RecordLevel::decisions);
    const auto done = run.ask("migrate:node-01", 6);
    ASSERT_TRUE(done);
    EXPECT_TRUE(done->accepted);
    const auto other = run.ask("queue", 6);
    ASSERT_TRUE(other);
    EXPECT_FALSE(other->asked_again);
    EXPECT_NE(text_of(*other).find("cannot be asked: the record lacks"), std::string::npos);
    EXPECT_EQ(run.text("migrate:node-04"),
              "error: this record holds no observed nodes (it was made with --record decisions), "
              "and no proposal in it names \"node-04\"");
}

TEST(WhyNot, a_record_of_decisions_does_not_say_that_a_node_was_not_there) {
    MadeRun run(store::RecordLevel::decisions);
    const auto answer = run.ask("throttle:node-01", 6);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->own.size(), 1U) << "when its agent proposes it, and nothing else";
    EXPECT_TRUE(answer->first_cause.starts_with("agent, its choice: It wanted migrate node-01: "))
        << answer->first_cause;
}

TEST(WhyNot, an_agent_that_could_and_did_not_is_a_cause_by_its_own_words) {
    MadeRun run;
    const auto answer = run.ask("memory_balloon:node-02", 4);
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->obstacles.size(), 1U);
    EXPECT_EQ(answer->obstacles[0].rule, "its choice");
    EXPECT_EQ(answer->obstacles[0].because, answer->instead);
    EXPECT_TRUE(answer->first_cause.starts_with("agent, its choice: It wanted nothing: "));
}

TEST(WhyNot, another_remedy_of_the_same_agent_for_the_same_node_does_not_stand_in_its_way) {
    MadeRun run;
    const auto answer = run.ask("throttle:node-01", 6);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->instead.starts_with("It wanted migrate node-01: "));
    EXPECT_EQ(std::ranges::count(answer->obstacles, "referee", &Obstacle::who), 0);
}

TEST(WhyNot, to_admit_is_not_measured_by_the_bound_for_holding_back) {
    const Change filter = [](model::Policy& policy, auto&) { policy.namespaces = {"=other"}; };
    MadeRun run(store::RecordLevel::full, kRulesVersion, filter, 10);
    const auto answer = run.ask("admit", 3);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->first_cause, "agent, its rules: no order was in force that could be lifted");
    EXPECT_EQ(answer->obstacles.size(), 1U);
    EXPECT_EQ(answer->own, std::vector<std::string>{"Agent C admission lifts an order when less "
                                                    "than half of its bound waits."});
}

TEST(WhyNot, an_order_that_was_lifted_is_not_what_happens_when_nothing_is_done) {
    fake::Disk disk;
    SmallRound round = MadeRun::at(1, false);
    store::RunHeader header;
    header.rules_version = kRulesVersion;
    header.policy = round.policy;
    auto writer = store::RunWriter::create(disk, "run", header, {});
    ASSERT_TRUE(writer);
    Outcome outcome = decide(round.input, {}, round.policy);
    model::OpenAction order;
    order.role = model::Role::admission;
    order.action = model::Admission{model::AdmissionWish::queue, {}};
    order.undoing = true;
    outcome.decision.first_steps.push_back({order, model::Read{}});
    outcome.decision.verdict.judged.push_back(
        {{.role = model::Role::admission, .action = model::Admission{}, .because = "It eased."},
         model::Idle{"It eased."},
         {}});
    ASSERT_TRUE((*writer)->keep_round(round.input, outcome.decision, outcome.next));
    auto reader = store::RunReader::open(disk, "run");
    ASSERT_TRUE(reader);
    const auto answer = why_not(*reader, {}, "admit", {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->verdict,
              "Agent C admission proposed it, and the order in force was lifted; nobody has to "
              "accept that.");
    EXPECT_TRUE(answer->accepted);
    EXPECT_EQ(answer->accepted_rounds, 1U);
    EXPECT_EQ(answer->first_cause, "");
}

TEST(WhyNot, a_run_of_other_rules_says_by_which_it_was_asked) {
    MadeRun run(store::RecordLevel::full, kRulesVersion + 1);
    EXPECT_TRUE(run.ask("queue", 6)->other_rules);
    EXPECT_NE(run.text("queue", 6).find("made by other rules"), std::string::npos);
}

TEST(WhyNot, a_run_without_rounds_says_so) {
    fake::Disk disk;
    auto writer = store::RunWriter::create(disk, "run", {}, {});
    ASSERT_TRUE(writer);
    auto reader = store::RunReader::open(disk, "run");
    ASSERT_TRUE(reader);
    EXPECT_EQ(why_not(*reader, {}, "queue", {}).error().message, "this run has no round yet");
}

}  // namespace
}  // namespace parley::replay
