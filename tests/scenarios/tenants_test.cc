// Shortages are counted by tenant: one that floods the cluster holds back only itself, and pods
// that can never run hold back nobody.

#include "sim/scenario/scenario_parts.h"
#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::scenarios {
namespace {

using namespace model;

/// Two tenants whose Jobs ask for a quarter of the cluster together, until one floods it.
void add_tenants(sim::Scenario& s) {
    for (const char* space : {"loud", "quiet"}) {
        sim::JobSpec job = sim::batch("crunch", 0.0, 4, 240.0);
        job.space = space;
        job.pod.cpu_request_m = job.pod.cpu_limit_m = 2'600;
        const bool floods = std::string(space) == "loud";
        job.bursts = {{.at = seconds(30), .jobs = floods ? 30 : 1}};
        if (!floods) job.bursts.push_back({.at = seconds(120), .jobs = 1});
        s.jobs.push_back(job);
    }
}

TEST(Tenants, one_that_floods_holds_back_nobody_but_itself) {
    const Rounds rounds = run({.scenario = "calm", .seed = 3, .rounds = 80, .adapt = add_tenants});
    int orders = 0;
    for (const auto& round : rounds) {
        for (const Proposal& proposal : round->decision.verdict.accepted) {
            const std::vector<Name>* spaces = nullptr;
            if (const auto* order = std::get_if<Admission>(&proposal.action)) {
                if (order->decision != AdmissionWish::admit) spaces = &order->spaces;
            }
            if (const auto* cap = std::get_if<ResourceCap>(&proposal.action)) {
                if (cap->cpu_ppm < 1'000'000) spaces = &cap->spaces;
            }
            if (spaces == nullptr) continue;
            ++orders;
            EXPECT_EQ(*spaces, std::vector{Name::of("loud")}) << proposal.because;
            ASSERT_FALSE(proposal.rests_on.empty());
            for (const std::string& pod : proposal.rests_on) {
                EXPECT_TRUE(pod.starts_with("loud/crunch-")) << pod;
            }
        }
        const Snapshot& snapshot = round->input.snapshot;
        snapshot.pods.for_each([&](Slot, const PodRow& pod) {
            const WorkloadRow* row = snapshot.workloads.find(pod.workload);
            const bool quiet = row != nullptr && row->id.space.view() == "quiet";
            EXPECT_FALSE(quiet && pod.pending.has(Cause::our_hold))
                << "round " << round->input.round;
        });
    }
    EXPECT_GT(orders, 0);
}

// 200 pods of 500 CPU each, and as many for a node that does not exist: none of them waits for
// room.
TEST(Tenants, pods_that_can_never_run_are_no_congestion) {
    const Rounds rounds =
        run({.scenario = "calm", .seed = 3, .rounds = 40, .adapt = [](sim::Scenario& s) {
                 for (const char* name : {"huge", "lost"}) {
                     sim::JobSpec job = sim::batch(name, 0.0, 20, 60.0);
                     const bool huge = std::string(name) == "huge";
                     if (huge) job.pod.cpu_request_m = 500'000;
                     if (huge) job.pod.cpu_limit_m = 500'000;
                     if (!huge) job.selector = "pool=none";
                     job.bursts = {{.at = seconds(10), .jobs = 10}};
                     s.jobs.push_back(job);
                 }
             }});
    for (const auto& round : rounds) {
        for (const Proposal& proposal : round->decision.proposals) {
            if (proposal.role != Role::admission) continue;
            EXPECT_TRUE(std::holds_alternative<Noop>(proposal.action)) << proposal.because;
        }
    }
    const Snapshot& last = rounds.back()->input.snapshot;
    ASSERT_NE(last.queue.value(), nullptr);
    EXPECT_LT(*last.queue.value(), 10);
    std::int64_t impossible = 0;
    for (const PendingGroup& group : last.pending) {
        if (group.causes.has(Cause::impossible)) impossible += group.count;
    }
    EXPECT_EQ(impossible, 400) << "they are shown apart";
    // Each minute of waiting costs, but these pods wait for something that nobody could provide.
    EXPECT_LT(static_cast<double>(rounds.back()->memory.derived.account[model::Role::admission]),
              20 * kCostUnit);
}

}  // namespace
}  // namespace parley::scenarios
