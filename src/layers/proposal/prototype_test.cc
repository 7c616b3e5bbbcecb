#include "layers/proposal/prototype.h"

#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::proposal {
namespace {

using namespace kit;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// The nearest number below.
double under(double bound) { return bound - 1e-12; }

Round prototype(std::optional<std::int64_t> queue = 0, std::optional<std::int64_t> violations = 0) {
    Round round;
    round.policy.profile = model::Profile::prototype;
    if (queue) round.input.snapshot.queue = read(*queue, {}, model::Source::api);
    if (violations) round.input.snapshot.violations = read(*violations, {}, model::Source::api);
    return round;
}

void fill(model::NodeRow& node, double cpu, double memory) {
    node.cpu_requested_m = static_cast<std::int64_t>(cpu * 10'000 + 0.5);
    node.memory_requested = static_cast<std::int64_t>(memory * 1'000 + 0.5);
}

struct SafetyCase {
    const char* name;
    std::optional<double> risk;
    const char* wants;
    double score;
    std::int64_t queue = 0;
    std::int64_t violations = 0;
    double cpu = 0;
    double memory = 0;
};

class PrototypeSafety : public testing::TestWithParam<SafetyCase> {};

TEST_P(PrototypeSafety, by_its_table) {
    const SafetyCase& c = GetParam();
    Round round = prototype(c.queue, c.violations);
    fill(round.node(0, "node-01"), c.cpu, c.memory);
    round.expect(0, c.risk);
    const model::Proposal proposal = prototype_safety(round.view());
    EXPECT_EQ(proposal.role, model::Role::safety);
    EXPECT_EQ(text(proposal), c.wants);
    EXPECT_EQ(proposal.score, c.score);
}

const SafetyCase kSafety[] = {
    {"no_scores", std::nullopt, "noop cluster", 0},
    {"not_a_number", kNan, "noop cluster", 0},
    {"infinite", std::numeric_limits<double>::infinity(), "noop cluster", 0},
    {"certain", 1.0, "replicate node-01", 1.0},
    {"at_083", 0.83, "replicate node-01", 0.83},
    {"under_083", under(0.83), "migrate node-01", under(0.83)},
    {"at_070", 0.70, "migrate node-01", 0.70},
    {"under_070", under(0.70), "throttle node-01", under(0.70)},
    {"at_050", 0.50, "throttle node-01", 0.50},
    {"under_050", under(0.50), "noop node-01", under(0.50)},
    {"zero", 0.0, "noop node-01", 0.0},
    {"throttle_useless_with_violations", 0.6, "noop node-01", 0.6, 0, 1, 0.71, 0.71},
    {"throttle_without_violations", 0.6, "throttle node-01", 0.6, 79, 0, 0.71, 0.71},
    {"throttle_useless_with_80_pending", 0.6, "noop node-01", 0.6, 80, 0, 0.71, 0.71},
    {"throttle_at_072_cpu", 0.6, "throttle node-01", 0.6, 80, 1, 0.72, 0.1},
    {"throttle_at_072_memory", 0.6, "throttle node-01", 0.6, 80, 1, 0.1, 0.72},
    {"pressure_does_not_stop_migrate", 0.70, "migrate node-01", 0.70, 80, 1, 0.1, 0.1},
};
INSTANTIATE_TEST_SUITE_P(Rows, PrototypeSafety, testing::ValuesIn(kSafety),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(PrototypeSafetyAgent, takes_unknown_pressure_for_pressure) {
    for (const auto& [queue, violations] :
         {std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>{std::nullopt, 0},
          {0, std::nullopt}}) {
        Round round = prototype(queue, violations);
        fill(round.node(0, "node-01"), 0.5, 0.5);
        round.expect(0, 0.6);
        EXPECT_EQ(text(prototype_safety(round.view())), "noop node-01");
        fill(round.input.snapshot.nodes.edit(0), 0.72, 0.5);
        EXPECT_EQ(text(prototype_safety(round.view())), "throttle node-01");
    }
}

TEST(PrototypeSafetyAgent, takes_the_highest_risk_and_of_equals_the_first_by_name) {
    Round round = prototype(3, 2);
    round.node(0, "node-b");
    round.node(1, "node-a");
    round.node(2, "node-c");
    round.expect(0, 0.9);
    round.expect(1, 0.9);
    round.expect(2, 0.8);
    const model::Proposal proposal = prototype_safety(round.view());
    EXPECT_EQ(text(proposal), "replicate node-a");
    EXPECT_EQ(proposal.because, "risk 0.900 on node-a, 2 SLA violations");
    EXPECT_EQ(proposal.evidence, (model::Evidence{"risk", 0.9, "from", 0.5, model::Measure::risk}));
}

struct EfficiencyCase {
    const char* name;
    std::optional<double> demand;
    const char* wants;
    double score;
};

class PrototypeEfficiency : public testing::TestWithParam<EfficiencyCase> {};

TEST_P(PrototypeEfficiency, by_its_table) {
    Round round = prototype();
    round.node(0, "node-01");
    round.expect(0, 0.1, GetParam().demand);
    const model::Proposal proposal = prototype_efficiency(round.view());
    EXPECT_EQ(proposal.role, model::Role::efficiency);
    EXPECT_EQ(text(proposal), GetParam().wants);
    EXPECT_EQ(proposal.score, GetParam().score);
}

const EfficiencyCase kEfficiency[] = {
    {"no_data", std::nullopt, "noop cluster", 0},
    {"not_a_number", kNan, "noop cluster", 0},
    {"empty", 0.0, "power_state:sleep node-01", 1},
    {"under_012", under(0.12), "power_state:sleep node-01", 1 - under(0.12)},
    {"at_012", 0.12, "dvfs node-01", 1 - 0.12},
    {"under_030", under(0.30), "dvfs node-01", 1 - under(0.30)},
    {"at_030", 0.30, "memory_balloon node-01", 1 - 0.30},
    {"under_045", under(0.45), "memory_balloon node-01", 1 - under(0.45)},
    {"at_045", 0.45, "noop node-01", 1 - 0.45},
    {"full", 0.9, "noop node-01", 1 - 0.9},
};
INSTANTIATE_TEST_SUITE_P(Rows, PrototypeEfficiency, testing::ValuesIn(kEfficiency),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(PrototypeEfficiencyAgent, takes_the_lowest_demand_and_carries_its_payload) {
    Round round = prototype();
    fill(round.node(0, "node-b"), 0.5, 0.5);
    fill(round.node(1, "node-a"), 0.5, 0.5);
    round.expect(0, 0.1, 0.2);
    round.expect(1, 0.1, 0.2);
    model::Proposal proposal = prototype_efficiency(round.view());
    EXPECT_EQ(text(proposal), "dvfs node-a");
    EXPECT_EQ(proposal.action, model::Action(model::Dvfs{.clock_ppm = 650'000}));
    EXPECT_EQ(proposal.because,
              "demand 0.200 on node-a, about 340 W in all (estimated by built-in constants)");
    round.forecast.nodes[0].demand = 0.4;
    round.forecast.nodes[1].demand = 0.41;
    proposal = prototype_efficiency(round.view());
    EXPECT_EQ(text(proposal), "memory_balloon node-b");
    EXPECT_EQ(proposal.action, model::Action(model::MemoryBalloon{.scale_ppm = 750'000}));
}

struct AdmissionCase {
    const char* name;
    std::optional<std::int64_t> queue;
    std::optional<std::int64_t> violations;
    std::vector<double> cpu;  // Of each node; memory is 0.1.
    const char* wants;
    double score;
};

class PrototypeAdmission : public testing::TestWithParam<AdmissionCase> {};

TEST_P(PrototypeAdmission, by_its_table) {
    const AdmissionCase& c = GetParam();
    Round round = prototype(c.queue, c.violations);
    for (std::size_t i = 0; i < c.cpu.size(); ++i) {
        fill(round.node(static_cast<Slot>(i), "node-0" + std::to_string(i + 1)), c.cpu[i], 0.1);
    }
    const model::Proposal proposal = prototype_admission(round.view());
    EXPECT_EQ(proposal.role, model::Role::admission);
    EXPECT_EQ(text(proposal), c.wants);
    EXPECT_EQ(proposal.score, c.score);
}

const AdmissionCase kAdmission[] = {
    {"queue_120", 120, 0, {0.1, 0.5}, "resource_cap node-02", 1.0},
    {"queue_119", 119, 0, {0.1, 0.5}, "admission:deprioritize cluster", 0.95},
    {"queue_80", 80, 0, {0.1}, "admission:deprioritize cluster", 0.95},
    {"queue_79", 79, 0, {0.1}, "admission:queue cluster", 0.90},
    {"queue_8", 8, 9, {0.9}, "admission:queue cluster", 0.90},
    {"queue_7_calm", 7, 0, {0.1}, "admission:admit cluster", 1.0},
    {"queue_7_violated", 7, 1, {0.9}, "admission:reject cluster", 0.85},
    {"queue_1_violated", 1, 1, {0.1}, "admission:reject cluster", 0.85},
    {"violated_without_queue", 0, 1, {0.1}, "admission:admit cluster", 1.0},
    {"one_node_overloaded_of_one", 0, 0, {0.86}, "resource_cap node-01", 1.0},
    {"at_085_is_not_overloaded", 0, 0, {0.85}, "admission:admit cluster", 1.0},
    {"one_of_three_is_half_rounded_down", 0, 0, {0.1, 0.1, 0.9}, "resource_cap node-03", 1.0},
    {"one_of_four_is_not", 0, 0, {0.1, 0.1, 0.1, 0.9}, "admission:admit cluster", 0.5},
    {"two_of_four_are", 0, 0, {0.1, 0.9, 0.1, 0.95}, "resource_cap node-04", 1.0},
    {"no_nodes", 0, 0, {}, "admission:admit cluster", 1.0},
    {"no_nodes_and_a_queue", 120, 0, {}, "resource_cap cluster", 1.0},
    {"queue_unknown", std::nullopt, 1, {0.9}, "admission:admit cluster", 0.5},
    {"violations_unknown", 7, std::nullopt, {0.1}, "admission:admit cluster", 1.0},
};
INSTANTIATE_TEST_SUITE_P(Rows, PrototypeAdmission, testing::ValuesIn(kAdmission),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(PrototypeAdmissionAgent, counts_memory_as_well_and_breaks_ties_by_name) {
    Round round = prototype();
    fill(round.node(0, "node-b"), 0.2, 0.9);
    fill(round.node(1, "node-a"), 0.9, 0.2);
    const model::Proposal proposal = prototype_admission(round.view());
    EXPECT_EQ(text(proposal), "resource_cap node-a");
    Round edge = prototype();
    fill(edge.node(0, "node-a"), 0.2, 0.85);
    EXPECT_EQ(text(prototype_admission(edge.view())), "admission:admit cluster");
    EXPECT_EQ(proposal.action, model::Action(model::ResourceCap{850'000, 850'000}));
    EXPECT_EQ(proposal.because, "queue 0, mean cpu 0.550, mean mem 0.550");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"pending pods", 0, "from", 8, model::Measure::count}));
}

TEST(PrototypeAdmissionAgent, a_node_of_unknown_load_is_neither_full_nor_overloaded) {
    Round round = prototype(120);
    fill(round.node(0, "node-a"), 0.1, 0.1);
    model::NodeRow& unknown = round.node(1, "node-b");
    fill(unknown, 1, 1);
    unknown.cpu_allocatable_m = 0;
    EXPECT_EQ(text(prototype_admission(round.view())), "resource_cap node-a");
}

TEST(PrototypeAdmissionAgent, an_old_queue_is_unknown) {
    Round round = prototype();
    round.input.snapshot.queue = read<std::int64_t>(120, seconds(15), model::Source::api);
    EXPECT_EQ(text(prototype_admission(round.view())), "resource_cap cluster");
    round.input.snapshot.queue = read<std::int64_t>(120, seconds(16), model::Source::api);
    EXPECT_EQ(text(prototype_admission(round.view())), "admission:admit cluster");
    EXPECT_EQ(prototype_admission(round.view()).because, "queue ?, mean cpu ?, mean mem ?");
}

}  // namespace
}  // namespace parley::proposal
