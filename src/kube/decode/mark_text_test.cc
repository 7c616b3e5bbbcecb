#include "kube/decode/mark_text.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;
using Changes = std::vector<MarkedChange>;

std::int64_t number(Taint taint) { return static_cast<std::int64_t>(taint); }

TEST(MarkText, reads_as_a_person_would_write_it) {
    const Changes changes{
        {MarkedField::taint, {}, number(Taint::none), number(Taint::no_schedule)},
        {MarkedField::power, {}, static_cast<std::int64_t>(PowerWish::on), 0},
        {MarkedField::replicas, {}, 4, 5},
        {MarkedField::cpu_limit_m, Name::of("main"), 1000, 850},
        {MarkedField::deletion_cost, {}, 0, -100},
    };
    const std::string text =
        "taint: none > no_schedule; power: on > sleep; replicas: 4 > 5; cpu_limit_m main: 1000 > "
        "850;"
        " deletion_cost: 0 > -100";
    EXPECT_EQ(changes_text(changes), text);
    const auto back = parse_changes(text);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, changes);
    EXPECT_EQ(changes_text({}), "");
    EXPECT_TRUE(parse_changes("")->empty());
}

TEST(MarkText, every_field_reads_back) {
    for (const MarkedField field : enumerators<MarkedField>) {
        const bool sized = field == MarkedField::cpu_m || field == MarkedField::memory ||
                           field == MarkedField::cpu_limit_m || field == MarkedField::memory_limit;
        const Changes changes{{field, sized ? Name::of("a-b") : Name(), 0, 2}};
        const auto back = parse_changes(changes_text(changes));
        ASSERT_TRUE(back) << changes_text(changes);
        EXPECT_EQ(*back, changes);
    }
}

TEST(MarkText, what_we_would_not_write_is_refused) {
    for (const char* text :
         {"replicas", "replicas: 4", "replicas: 4 > ", "replicas: 4 > 5;", "replicas: 4 > 5; ",
          "replicas: 4 > five", "replicas:4 > 5", " replicas: 4 > 5", "replicas main: 4 > 5",
          "cpu_limit_m: 4 > 5", "cpu_limit_m : 4 > 5", "taint: 0 > 2", "taint: none > all",
          "colour: 1 > 2", "replicas: 4 > 99999999999999999999"}) {
        EXPECT_FALSE(parse_changes(text)) << text;
    }
}

TEST(MarkText, the_annotations_of_a_mark_make_up_the_same_mark) {
    const Mark held{.decision = {1, 2},
                    .expires = {1'795'000'000'000'000},
                    .kind = ActionKind::admission,
                    .changes = {{MarkedField::suspend, {}, 0, 1}}};
    const auto four = annotations_of(held);
    ASSERT_EQ(four.size(), 4U);
    EXPECT_EQ(four[3].first, kChangesAnnotation);
    EXPECT_EQ(four[3].second, "suspend: 0 > 1");
    EXPECT_EQ(mark_of(four[0].second, four[1].second, four[2].second, four[3].second), held);
    const Mark put_last{.decision = {1, 2}, .kind = ActionKind::admission};
    EXPECT_EQ(annotations_of(put_last).size(), 3U) << "nothing is to be given back";
}

constexpr const char* kId = "0123456789abcdef0123456789abcdef";
constexpr const char* kTime = "2025-03-01T13:00:00Z";

TEST(MarkText, a_mark_is_a_decision_and_a_time_and_says_what_it_changed) {
    const auto mark = mark_of(kId, kTime, "replicate", "replicas: 4 > 5");
    ASSERT_TRUE(mark);
    EXPECT_EQ(mark->decision, (DecisionId{0x0123456789abcdef, 0x0123456789abcdef}));
    EXPECT_EQ(mark->expires.us, 1'740'834'000'000'000);
    EXPECT_EQ(mark->kind, ActionKind::replicate);
    EXPECT_EQ(mark->changes, (Changes{{MarkedField::replicas, {}, 4, 5}}));
    for (const char* id :
         {"", "0123", "0123456789ABCDEF0123456789abcdef", "g123456789abcdef0123456789abcdef",
          "00000000000000000000000000000000"}) {
        EXPECT_FALSE(mark_of(id, kTime, "", "")) << id;
    }
    EXPECT_FALSE(mark_of(kId, "soon", "", ""));
    EXPECT_EQ(mark_of(kId, kTime, "dance", "all of it"), (Mark{mark->decision, mark->expires}));
}

}  // namespace
}  // namespace parley::kube
