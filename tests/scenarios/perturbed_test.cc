// Runs whose sources misbehave at random: nothing disruptive is begun while in doubt. Doubt is
// judged here from the snapshot, without the guard. And every round that did disrupt is decided
// again with one thing of it in doubt: then it does not, and says why. 5,000 runs with
// PARLEY_FAULTS=all, else 60.

#include "apps/terminal/settings.h"
#include "layers/decide.h"
#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string_view>

namespace parley::scenarios {
namespace {

using namespace model;

int runs_wanted() {
    const char* all = std::getenv("PARLEY_FAULTS");
    return all != nullptr && std::string_view(all) == "all" ? 5'000 : 60;
}

/// The same numbers from every library, other than its distributions.
struct Dice {
    std::mt19937_64 engine;

    std::int64_t up_to(std::int64_t most) {
        return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(most + 1));
    }
    double share() { return static_cast<double>(up_to(1'000)) / 1'000; }
};

constexpr std::uint64_t kRounds = 160;  // Eight minutes.

sim::SourceFault fault_of(Dice& dice) {
    sim::SourceFault fault;
    fault.kind = static_cast<sim::SourceTrouble>(dice.up_to(4));
    fault.from = seconds(dice.up_to(420));
    fault.lasts = seconds(5 + dice.up_to(300));
    fault.share = dice.share();
    fault.late_by = seconds(dice.up_to(300));
    fault.factor = 0.1 + 10 * dice.share();
    return fault;
}

/// One of those with a node to be emptied, and up to three faults of every source.
Wish perturbed(std::uint64_t seed) {
    return {.scenario = "failing-node",
            .seed = seed,
            .rounds = kRounds,
            .adapt =
                [seed](sim::Scenario& scenario) {
                    Dice dice{std::mt19937_64(seed)};
                    for (sim::SourceSpec& source : scenario.sources) {
                        const std::int64_t faults = dice.up_to(3);
                        for (std::int64_t i = 0; i < faults; ++i) {
                            source.faults.push_back(fault_of(dice));
                        }
                        source.noise = 0.2 * dice.share();
                        source.loss = dice.up_to(3) == 0 ? 0.3 * dice.share() : 0.0;
                    }
                },
            .lean = true};
}

bool has_fresh_use(const NodeRow& row, TimePoint now, Duration limit) {
    return row.cpu_used_m.fresh(now, limit) != nullptr &&
           row.memory_used.fresh(now, limit) != nullptr;
}

/// Why nothing should be disrupted in this round; empty: nothing speaks against it.
std::string doubt_in(const RoundInput& input, const GuardRules& rules) {
    const auto api = std::ranges::find(input.snapshot.sources, Source::api, &SourceState::source);
    if (api == input.snapshot.sources.end() || api->condition != SourceCondition::ok) {
        return "the API cannot be read";
    }
    if (input.now - api->last_success > rules.api_age_max) return "the API is old";
    int nodes = 0;
    int unknown = 0;
    int bad = 0;
    input.snapshot.nodes.for_each([&](Slot, const NodeRow& row) {
        if (row.role != NodeRole::worker) return;
        ++nodes;
        bad += row.ready == Readiness::yes ? 0 : 1;
        const bool ready = row.ready == Readiness::yes && !row.quarantined;
        unknown += ready && !has_fresh_use(row, input.now, rules.metrics_age_max) ? 1 : 0;
    });
    // Every node counts, so that this is laxer than the guard, which leaves some out.
    if (unknown * 10 > nodes + 10) return "the use of over a tenth of all nodes is not known";
    if (bad > 2 && bad * 5 > nodes) return "over a fifth of all nodes is not Ready";
    return {};
}

/// The ids of nodes that a decision disrupts.
std::vector<Target> disrupted_by(const Decision& decision) {
    std::vector<Target> out;
    for (const Proposal& each : decision.verdict.accepted) {
        if (disruptive(each.action)) out.push_back(each.target);
    }
    return out;
}

struct Perturbation {
    std::string_view name;
    std::string_view rule;  ///< Of the guard, by which it must be refused; empty: nobody wants it.
    void (*apply)(RoundInput&, const Policy&);
};

SourceState& api_of(RoundInput& input) {
    return *std::ranges::find(input.snapshot.sources, Source::api, &SourceState::source);
}

void change_nodes(RoundInput& input, void (*change)(NodeRow&, std::int64_t)) {
    std::vector<Slot> slots;
    input.snapshot.nodes.for_each([&](Slot slot, const NodeRow&) { slots.push_back(slot); });
    std::int64_t n = 0;
    for (const Slot slot : slots) change(input.snapshot.nodes.edit(slot), n++);
}

constexpr Perturbation kPerturbations[] = {
    {"the API was last heard too long ago", "",
     [](RoundInput& input, const Policy& policy) {
         api_of(input).last_success = input.now - policy.guard.api_age_max - microseconds(1);
     }},
    {"the API failed", "",
     [](RoundInput& input, const Policy&) { api_of(input).condition = SourceCondition::failed; }},
    {"the API is late", "api-age",
     [](RoundInput& input, const Policy&) { api_of(input).condition = SourceCondition::late; }},
    {"the use of most nodes is missing", "coverage",
     [](RoundInput& input, const Policy&) {
         change_nodes(input, [](NodeRow& row, std::int64_t) {
             row.cpu_used_m = {Gap::implausible, row.cpu_used_m.from()};
         });
     }},
    {"the use of every fourth node is missing", "coverage",
     [](RoundInput& input, const Policy&) {
         change_nodes(input, [](NodeRow& row, std::int64_t n) {
             if (n % 4 == 0) row.memory_used = {Gap::too_old, row.memory_used.from()};
         });
     }},
    {"the leases cannot be read", "lease",
     [](RoundInput& input, const Policy&) {
         change_nodes(input, [](NodeRow& row, std::int64_t) {
             row.lease = {Gap::source_failed, row.lease.from()};
         });
     }},
    {"our clock was set in this round", "clock",
     [](RoundInput& input, const Policy&) { input.stepped = hours(1); }},
    {"the kill switch is on", "stop",
     [](RoundInput& input, const Policy&) { input.controls.stop = true; }},
    {"a third of all nodes is not Ready", "breaker",
     [](RoundInput& input, const Policy&) {
         change_nodes(input, [](NodeRow& row, std::int64_t n) {
             if (n % 3 == 0) row.ready = Readiness::no;
         });
     }},
};

/// Whether some proposal was refused by this rule, or nobody wanted anything; with a sentence.
bool refused_by(const Decision& decision, std::string_view rule) {
    if (rule.empty()) {
        return std::ranges::all_of(decision.proposals, [](const Proposal& each) {
            return std::holds_alternative<Noop>(each.action) && !each.because.empty();
        });
    }
    return std::ranges::any_of(decision.verdict.judged, [&](const Judged& each) {
        const auto* refused = std::get_if<Refused>(&each.fate);
        return refused != nullptr && refused->rule == rule && !refused->because.empty();
    });
}

/// Decides a round that disrupted again, each time with one thing in doubt.
void decide_in_doubt(const Published& before, const Published& round, const Policy& policy,
                     std::map<std::string_view, int>& reasons) {
    if (disrupted_by(decide(round.input, before.memory, policy).decision).empty()) return;
    for (const Perturbation& each : kPerturbations) {
        RoundInput input = round.input;
        each.apply(input, policy);
        const Decision decision = decide(input, before.memory, policy).decision;
        EXPECT_TRUE(disrupted_by(decision).empty()) << each.name;
        reasons[each.name] += refused_by(decision, each.rule) ? 1 : 0;
    }
}

TEST(Perturbed, runs_disrupt_nothing_in_doubt) {
    const Policy policy = app::default_settings().policy;
    std::map<std::string_view, int> reasons;
    int disruptions = 0;
    int doubtful = 0;
    const int runs = runs_wanted();
    for (int i = 0; i < runs; ++i) {
        const auto seed = static_cast<std::uint64_t>(1'000 + i);
        const Rounds rounds = run(perturbed(seed));
        SCOPED_TRACE("seed " + std::to_string(seed));
        ASSERT_EQ(rounds.size(), kRounds);
        for (std::size_t n = 1; n < rounds.size(); ++n) {
            const std::string doubt = doubt_in(rounds[n]->input, policy.guard);
            doubtful += doubt.empty() ? 0 : 1;
            if (disrupted_by(rounds[n]->decision).empty()) continue;
            ++disruptions;
            ASSERT_EQ(doubt, "") << "round " << n + 1 << ": " << accepted_in(*rounds[n]);
            decide_in_doubt(*rounds[n - 1], *rounds[n], policy, reasons);
            if (HasFailure()) return;
        }
    }
    // Otherwise nothing was tried at all.
    EXPECT_GT(disruptions, runs / 10);
    EXPECT_GT(doubtful, runs);
    for (const Perturbation& each : kPerturbations) EXPECT_GT(reasons[each.name], 0) << each.name;
    std::printf("%d runs, %d disruptions, %d rounds in doubt\n", runs, disruptions, doubtful);
}

}  // namespace
}  // namespace parley::scenarios
