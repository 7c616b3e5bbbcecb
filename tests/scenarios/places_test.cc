// Placement constraints: the only node of a kind is not emptied, and pods that an eviction left
// without a node get their old one back.

#include "sim/scenario/scenario_parts.h"
#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace parley::scenarios {
namespace {

using namespace model;

/// `count` nodes with a GPU beside the twelve, and a service of four pods that asks for one.
void add_gpu(sim::Scenario& s, std::int32_t count, const std::string& selector) {
    sim::NodeGroup gpu = sim::twelve_nodes();
    gpu.name = "gpu";
    gpu.pool = "gpu";
    gpu.count = count;
    gpu.zones = 1;
    gpu.racks = 1;
    s.nodes.push_back(gpu);
    sim::WorkloadSpec train = sim::served("ml", "train", 4, 20.0);
    train.selector = selector;
    train.budget_min_available = train.budget_max_unavailable = -1;
    s.workloads.push_back(train);
    s.script = {{.kind = sim::ScriptedKind::degrade_fail,
                 .at = seconds(3),
                 .target = "gpu-01",
                 .lead = minutes(8),
                 .gamma = 0.2}};
}

/// Sentences with which the guard refused to touch a node, by rule.
std::set<std::string> refusals(const Rounds& rounds, const std::string& node) {
    std::set<std::string> found;
    for (const auto& round : rounds) {
        for (const Judged& judged : round->decision.verdict.judged) {
            const auto* refused = std::get_if<Refused>(&judged.fate);
            if (refused == nullptr || text_of(judged.proposal.target) != node) continue;
            found.insert(refused->rule + ": " + refused->because);
        }
    }
    return found;
}

std::int64_t drains_of(const Rounds& rounds, const std::string& node) {
    return std::ranges::count_if(rounds, [&](const auto& round) {
        return std::ranges::any_of(round->decision.verdict.accepted, [&](const Proposal& p) {
            return disruptive(p.action) && text_of(p.target) == node;
        });
    });
}

TEST(Places, the_only_node_of_a_kind_is_not_emptied) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Rounds rounds =
            run({.scenario = "calm", .seed = seed, .rounds = 60, .adapt = [](sim::Scenario& s) {
                     add_gpu(s, 1, "pool=gpu");
                 }});
        EXPECT_EQ(drains_of(rounds, "gpu-01"), 0) << "seed " << seed;
        const std::set<std::string> why = refusals(rounds, "gpu-01");
        EXPECT_TRUE(std::ranges::any_of(why,
                                        [](const std::string& sentence) {
                                            return sentence.starts_with("fits-elsewhere: train-") &&
                                                   sentence.ends_with(
                                                       " of ml/train may run on no other node that "
                                                       "takes pods, by its selector, "
                                                       "affinity, taints, spread or volumes");
                                        }))
            << "seed " << seed << ": " << (why.empty() ? "never refused" : *why.begin());
    }
}

TEST(Places, a_node_whose_pods_may_go_elsewhere_is_emptied) {
    for (const auto& [count, selector] : {std::pair(2, "pool=gpu"), std::pair(1, "")}) {
        const Rounds rounds =
            run({.scenario = "calm", .seed = 1, .rounds = 60, .adapt = [&](sim::Scenario& s) {
                     add_gpu(s, count, selector);
                 }});
        EXPECT_GT(drains_of(rounds, "gpu-01"), 0) << count << " " << selector;
    }
}

/// The last round: whether the node carries our taint, and how many pods of ml/train serve.
struct AfterAll {
    bool quarantined = false;
    int placed = 0;
};
AfterAll end_of(const Rounds& rounds, const std::string& node) {
    AfterAll out;
    const Snapshot& snapshot = rounds.back()->input.snapshot;
    snapshot.nodes.for_each([&](Slot, const NodeRow& row) {
        if (row.id.text() == node) out.quarantined = row.quarantined;
    });
    snapshot.pods.for_each([&](Slot, const PodRow& pod) {
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        const bool ours = row != nullptr && row->id.text() == "ml/train";
        if (ours && pod.ready) ++out.placed;
    });
    return out;
}

// A drain of gpu-01 is begun while gpu-02 is there; then gpu-02 goes for good.
TEST(Places, pods_that_wait_over_two_minutes_after_our_eviction_undo_it) {
    const auto adapt = [](sim::Scenario& s) {
        add_gpu(s, 2, "pool=gpu");
        s.script[0].kind = sim::ScriptedKind::degrade_heal;
        s.script.push_back({.kind = sim::ScriptedKind::fail,
                            .at = seconds(150),
                            .target = "gpu-02",
                            .repair = Duration{}});
    };
    const Rounds rounds = run({.scenario = "calm", .seed = 1, .rounds = 240, .adapt = adapt});
    EXPECT_EQ(drains_of(rounds, "gpu-01"), 1);
    const auto undone = std::ranges::find_if(rounds, [](const auto& round) {
        return std::ranges::any_of(round->decision.first_steps, [](const Step& step) {
            return step.action.undoing &&
                   step.action.note.find("found no node for over 2m00s after our eviction") !=
                       std::string::npos;
        });
    });
    ASSERT_NE(undone, rounds.end());
    EXPECT_FALSE(end_of(rounds, "gpu-01").quarantined) << "our taint is lifted";
    EXPECT_EQ(end_of(rounds, "gpu-01").placed, 4) << "and they are back";
}

}  // namespace
}  // namespace parley::scenarios
