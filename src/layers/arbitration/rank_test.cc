#include "layers/arbitration/rank.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::arbitration {
namespace {

using model::Role;

struct Case {
    const char* name;
    Role role;
    model::Action action;
    const char* rule;
};

const Case kCases[] = {
    {"throttle_of_safety", Role::safety, model::Throttle{}, "safety-first"},
    {"replicate_of_safety", Role::safety, model::Replicate{}, "safety-first"},
    {"migrate_of_safety", Role::safety, model::Migrate{}, "safety-first"},
    {"migrate_of_another", Role::efficiency, model::Migrate{}, "best-score"},
    {"order_of_admission", Role::admission, model::Admission{}, "protection-first"},
    {"cap_of_admission", Role::admission, model::ResourceCap{}, "protection-first"},
    {"order_of_another", Role::safety, model::Admission{}, "best-score"},
    {"wake", Role::efficiency, model::PowerState{model::PowerWish::on}, "capacity-first"},
    {"sleep_of_safety", Role::safety, model::PowerState{model::PowerWish::sleep}, "best-score"},
    {"scale_up", Role::scaling, model::Scale{{2, 3}}, "capacity-first"},
    {"scale_to_the_same", Role::scaling, model::Scale{{2, 2}}, "best-score"},
    {"dvfs", Role::efficiency, model::Dvfs{}, "best-score"},
};

class RankOf : public testing::TestWithParam<Case> {};

TEST_P(RankOf, is_by_what_is_wanted_and_by_whom) {
    EXPECT_STREQ(rank_of({.role = GetParam().role, .action = GetParam().action}).rule,
                 GetParam().rule);
}

INSTANTIATE_TEST_SUITE_P(Rows, RankOf, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Ranks, only_the_first_is_withheld_and_only_the_last_yields_to_danger) {
    for (const Rank& rank : ranks()) {
        EXPECT_EQ(rank.may_be_withheld, &rank == &ranks().front()) << rank.rule;
        EXPECT_EQ(rank.yields_to_danger, &rank == &ranks().back()) << rank.rule;
    }
}

TEST(Ranks, rank_goes_before_score_and_score_decides_within_a_rank) {
    const model::Proposal save{.role = Role::safety, .action = model::Migrate{}, .score = 0.1};
    const model::Proposal better{.role = Role::safety, .action = model::Migrate{}, .score = 0.2};
    const model::Proposal cap{.role = Role::admission, .action = model::ResourceCap{}, .score = 1};
    EXPECT_TRUE(outranks(save, cap));
    EXPECT_FALSE(outranks(cap, save));
    EXPECT_TRUE(outranks(better, save));
    EXPECT_FALSE(outranks(save, save));
}

}  // namespace
}  // namespace parley::arbitration
