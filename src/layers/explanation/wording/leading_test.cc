#include "layers/explanation/wording/leading.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

const Leading kLeads{.leads = true,
                     .epoch = 3,
                     .holder = "worker-1_7_5",
                     .since = "2025-03-01T12:03:00Z",
                     .ends = "2025-03-01T12:04:10Z"};
const Leading kFollows{.epoch = 3,
                       .holder = "worker-3_71_5",
                       .since = "2025-03-01T12:03:00Z",
                       .ends = "2025-03-01T12:04:15Z"};

TEST(Leading, says_who_leads_since_when_and_until_when) {
    struct Case {
        const char* what;
        Leading leading;
        std::string word;
        std::string line;
    };
    Leading troubled = kLeads;
    troubled.trouble = "writing the lease: 503";
    const Case cases[] = {
        {"we do", kLeads, "leads",
         "leads, epoch 3, since 2025-03-01T12:03:00Z; ends 2025-03-01T12:04:10Z unless renewed"},
        {"we do, and could not renew", troubled, "leads",
         "leads, epoch 3, since 2025-03-01T12:03:00Z; could not renew it: writing the lease: 503; "
         "ends 2025-03-01T12:04:10Z unless renewed"},
        {"another does", kFollows, "follows",
         "follows worker-3_71_5, epoch 3, since 2025-03-01T12:03:00Z; says only what it would do; "
         "ends 2025-03-01T12:04:15Z unless renewed"},
        {"nobody does", {}, "follows", "nobody leads; says only what it would do"},
        {"it cannot be read",
         {.trouble = "reading the lease: 403"},
         "follows",
         "no leader could be asked: reading the lease: 403; says only what it would do"},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(leading_word(each.leading), each.word) << each.what;
        EXPECT_EQ(leading_line(each.leading), each.line) << each.what;
    }
}

TEST(Leading, a_renewal_is_no_news) {
    Leading later = kFollows;
    later.ends = "2025-03-01T12:04:17Z";
    EXPECT_TRUE(same_leader(kFollows, later));
    later.epoch = 4;
    EXPECT_FALSE(same_leader(kFollows, later));
    later = kFollows;
    later.holder = "worker-4_9_1";
    EXPECT_FALSE(same_leader(kFollows, later));
    later = kFollows;
    later.leads = true;
    EXPECT_FALSE(same_leader(kFollows, later));
    Leading failed = kFollows;
    failed.trouble = "took 2.1 s";
    EXPECT_FALSE(same_leader(kFollows, failed));
    later = failed;
    later.trouble = "took 2.2 s";
    EXPECT_TRUE(same_leader(failed, later)) << "figures of a reason change every time";
}

}  // namespace
}  // namespace parley::explanation
