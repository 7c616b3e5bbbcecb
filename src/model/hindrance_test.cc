#include "model/hindrance.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

Judged judged(Role role, Action action, Target target, Fate fate) {
    Judged out;
    out.proposal.role = role;
    out.proposal.action = std::move(action);
    out.proposal.target = target;
    out.fate = std::move(fate);
    return out;
}

const Target kSeven = NodeId{Name::of("node-07")};
const Refused kCools{"cool-down", "node-07 cools down"};
const Overridden kDanger{"danger-blocks-efficiency", Role::safety, "node-07 is over its limit"};

TEST(Hindrance, what_somebody_wanted) {
    EXPECT_EQ(wish_of(Replicate{}, kSeven), "replicate node-07");
    EXPECT_EQ(wish_of(Admission{AdmissionWish::queue}, WholeCluster{}), "admission:queue");
}

TEST(Hindrance, the_last_that_lost_else_the_first_that_was_refused) {
    Verdict verdict;
    EXPECT_EQ(hindered(verdict), nullptr);
    verdict.judged = {judged(Role::scaling, Noop{}, WholeCluster{}, Idle{""}),
                      judged(Role::safety, Replicate{}, kSeven, kCools),
                      judged(Role::safety, Migrate{}, kSeven, kCools)};
    ASSERT_EQ(hindered(verdict), &verdict.judged[1]);
    EXPECT_EQ(hindrance_text(verdict.judged[1]),
              "A safety wanted replicate node-07, refused by cool-down: node-07 cools down.");
    verdict.judged.push_back(judged(Role::efficiency, Dvfs{}, kSeven, kDanger));
    ASSERT_EQ(hindered(verdict), &verdict.judged[3]);
    EXPECT_EQ(hindrance_text(verdict.judged[3]),
              "B efficiency wanted " + wish_of(verdict.judged[3].proposal) +
                  ", overruled by danger-blocks-efficiency: node-07 is over its limit.");
}

TEST(Hindrance, none_where_something_is_chosen_or_nobody_wanted_anything) {
    Verdict verdict{.judged = {judged(Role::safety, Replicate{}, kSeven, kCools)}};
    EXPECT_NE(hindered(verdict), nullptr);
    for (const char* rule : {kAllIdle, kNothingProposed}) {
        verdict.rule = rule;
        EXPECT_EQ(hindered(verdict), nullptr) << rule;
    }
    verdict.rule = "fixed-priority";
    verdict.judged.push_back(
        judged(Role::admission, Admission{AdmissionWish::admit}, WholeCluster{}, Accepted{}));
    EXPECT_EQ(hindered(verdict), nullptr);
    EXPECT_EQ(hindrance_text(verdict.judged.back()), "");
}

}  // namespace
}  // namespace parley::model
