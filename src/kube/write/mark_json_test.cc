#include "kube/write/mark_json.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const Mark kMark{{0x0123456789abcdef, 0x0000000100000007},
                 TimePoint{1'740'834'000'000'000},
                 ActionKind::migrate,
                 {{MarkedField::taint, {}, 0, 2}}};

std::optional<Mark> read_back(const std::string& members) {
    const std::string body = "{" + members + "}";
    const auto json = parse_json(body);
    EXPECT_TRUE(json) << body;
    return json ? mark_in(&*json) : std::nullopt;
}

TEST(MarkJson, a_mark_is_read_as_it_was_written) {
    EXPECT_EQ(mark_members(kMark),
              R"("parley.dev/decision":"0123456789abcdef0000000100000007",)"
              R"("parley.dev/expires":"2025-03-01T13:00:00Z","parley.dev/kind":"migrate",)"
              R"("parley.dev/changes":"taint: none > no_schedule")");
    EXPECT_EQ(read_back(mark_members(kMark)), kMark);
}

TEST(MarkJson, one_that_changes_nothing_takes_the_changes_of_an_earlier_one_away) {
    Mark idle = kMark;
    idle.changes.clear();
    EXPECT_TRUE(mark_members(idle).ends_with(R"("parley.dev/changes":"")"));
    EXPECT_EQ(read_back(mark_members(idle)), idle);
}

TEST(MarkJson, without_a_decision_all_of_it_is_taken_away) {
    EXPECT_EQ(mark_members({}), R"("parley.dev/decision":null,"parley.dev/expires":null,)"
                                R"("parley.dev/kind":null,"parley.dev/changes":null)");
    EXPECT_EQ(read_back(mark_members({})), std::nullopt);
    EXPECT_EQ(mark_in(nullptr), std::nullopt);
}

}  // namespace
}  // namespace parley::kube
