#include "layers/explanation/telling/brief.h"

#include "layers/explanation/telling/story_kit_test.h"
#include "layers/explanation/wording/wording.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;

model::Judged judged(model::Proposal proposal, model::Fate fate = model::Idle{""}) {
    return {std::move(proposal), std::move(fate), {}};
}

TEST(Brief, leaves_out_what_a_risk_is_held_against) {
    Round round;
    const model::Judged seven = judged(kit::replicate());
    EXPECT_EQ(
        brief("Waiting costs 41.3 pod-minutes (0.86 x 48.0), acting 12.0.", round.told(), seven),
        "Waiting costs 41.3 pod-minutes, acting 12.0.");
    round.risk(7).limit = 0.25;
    EXPECT_EQ(brief("node-07 is over its limit (risk 0.86, acts above 0.25), and no remedy pays.",
                    round.told(), seven),
              "node-07 is over its limit, and no remedy pays.");
}

TEST(Brief, leaves_out_from_where_pods_are_held_back_and_when_no_more) {
    Round round;
    model::Judged queue = judged(kit::queue_pods());
    queue.proposal.evidence = {"pods short of CPU", 9, "from", 8};
    EXPECT_EQ(brief("9 pods wait for CPU in batch (acts from 8): new Jobs are held back.",
                    round.told(), queue),
              "9 pods wait for CPU in batch: new Jobs are held back.");
    const std::string from = std::to_string(round.policy.admission.queue_from);
    queue.proposal.evidence = {"pods short of CPU", 1, "below", 4};
    EXPECT_EQ(brief("The shortage eased (1 pod waits for CPU, lifts below half of " + from +
                        "): the queue order is lifted.",
                    round.told(), queue),
              "The shortage eased: the queue order is lifted.");
}

TEST(Brief, leaves_out_limits_that_the_policy_sets_and_where_figures_come_from) {
    Round round;
    const model::Judged idle = judged(kit::idle(model::Role::safety, ""));
    round.policy.guard.api_age_max = seconds(15);
    round.policy.power.source = "a guess, or two";
    EXPECT_EQ(brief("api is 94s old (limit 15s).", round.told(), idle), "api is 94s old.");
    EXPECT_EQ(brief("about 300 W in all (estimated by a guess, or two)", round.told(), idle),
              "about 300 W in all");
    EXPECT_EQ(brief("as 5% of safety actions are (policy.risk.holdout)", round.told(), idle),
              "as 5% of safety actions are");
}

TEST(Brief, leaves_out_why_the_breaker_is_tripped_where_that_is_known) {
    Round round;
    const model::Judged idle = judged(kit::balloon());
    const std::string said = "the breaker is tripped (3 of 4 nodes of zone a (old) are bad).";
    EXPECT_EQ(brief(said, round.told(), idle), said);
    round.memory.ledger.breaker.tripped = true;
    round.memory.ledger.breaker.because = "3 of 4 nodes of zone a (old) are bad";
    const Told knows{round.input, round.decision, round.policy, {}, &round.memory};
    EXPECT_EQ(brief(said, knows, idle), "the breaker is tripped.");
}

TEST(Brief, leaves_out_what_a_pod_needs_that_fits_nowhere_else) {
    Round round;
    model::PodRow pod;
    pod.node = slot_of(round.input.snapshot, kit::node_id(7));
    pod.cpu_request_m = 2000;
    pod.memory_request = std::int64_t{512} << 20;
    round.input.snapshot.pods.insert(pod);
    const model::Judged refused = judged(kit::replicate(), model::Refused{"fits-elsewhere", ""});
    const std::string said = "crunch-1 of batch/job/crunch (2 CPU, 512Mi) fits on no other node";
    EXPECT_EQ(brief(said, round.told(), refused),
              "crunch-1 of batch/job/crunch fits on no other node");
    EXPECT_EQ(brief(said, round.told(), judged(kit::replicate())), said);
}

TEST(Brief, brackets_of_a_name_or_of_somebody_elses_words_stay) {
    Round round;
    const model::Judged idle = judged(kit::replicate());
    for (const char* said : {"Nearest rack (old, left)/node-03: risk 0.21, acts above 0.47.",
                             "metrics failed: no route to host (113).", "half (open"}) {
        EXPECT_EQ(brief(said, round.told(), idle), said);
    }
}

}  // namespace
}  // namespace parley::explanation
