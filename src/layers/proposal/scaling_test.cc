#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

namespace parley::proposal {
namespace {

TEST(Scaling, says_that_it_is_not_here) {
    const kit::Round round;
    const model::Proposal proposal = round.ask(scaling_agent());
    EXPECT_EQ(proposal.role, model::Role::scaling);
    EXPECT_EQ(kit::text(proposal), "noop cluster");
    EXPECT_EQ(proposal.because, "skipped: not in this build");
}

}  // namespace
}  // namespace parley::proposal
