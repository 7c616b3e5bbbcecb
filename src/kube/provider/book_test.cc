#include "kube/provider/book.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using model::Power;
using model::Readiness;
using Texts = std::vector<std::string>;

constexpr auto kOn = static_cast<std::int64_t>(Power::on);
constexpr auto kSleep = static_cast<std::int64_t>(Power::sleep);

model::NodeRow node(const char* name, Readiness ready = Readiness::yes, std::uint64_t uid = 1) {
    model::NodeRow row;
    row.id.name = Name::of(name);
    row.uid = {uid, uid};
    row.ready = ready;
    return row;
}

model::WorkloadRow work(const char* name, std::int32_t wanted) {
    model::WorkloadRow row;
    row.id = {Name::of("kube-system"), model::WorkloadKind::deployment, Name::of(name)};
    row.uid = {9, 9};
    row.wanted = wanted;
    return row;
}

/// "n1: power sleep, can" for every node of which there is news.
Texts news(ProviderBook& book, Duration at = {}) {
    Texts out;
    for (const auto& [name, power] : book.news(at)) {
        std::string text = name + ":";
        if (power.power) text += " " + std::string(enum_name(*power.power));
        if (power.clock_ppm) text += " " + std::to_string(*power.clock_ppm);
        if (power.can_power) text += " can-power";
        if (power.can_clock) text += " can-clock";
        out.push_back(text);
    }
    return out;
}

/// A book of one node with a provider for its power, which says that it is on.
struct Known {
    Known() {
        book.saw(node("n1"), {});
        book.read(*book.next({}), kOn, {});
        EXPECT_EQ(news(book), Texts{"n1: on can-power"});
    }
    ProviderBook book{{{{"n*"}, {"/p"}, {}}}};
};

TEST(ProviderBook, a_state_that_nobody_read_is_not_known) {
    ProviderBook book({{{"n*"}, {"/p"}, {"/c"}}});
    book.saw(node("n1"), {});
    book.saw(node("other"), {});
    EXPECT_TRUE(news(book).empty());
    const auto power = book.next({});
    const auto clock = book.next({});
    ASSERT_TRUE(power && clock);
    EXPECT_EQ(power->ability, Ability::power);
    EXPECT_EQ(clock->ability, Ability::clock);
    EXPECT_FALSE(book.next({})) << "each once, and nothing of nodes that nobody serves";
    book.read(*power, kOn, {});
    EXPECT_EQ(news(book), Texts{"n1: on can-power"});
    book.read(*clock, 650'000, {});
    EXPECT_EQ(news(book), Texts{"n1: on 650000 can-power can-clock"});
    EXPECT_TRUE(news(book).empty()) << "no news twice";
}

TEST(ProviderBook, reads_again_when_ready_turns_and_after_a_change) {
    Known known;
    known.book.saw(node("n1"), seconds(1));
    EXPECT_FALSE(known.book.next(seconds(1))) << "nothing turned";
    known.book.saw(node("n1", Readiness::unknown), seconds(2));
    ASSERT_TRUE(known.book.next(seconds(2)));
    known.book.changed(Ability::power, "n1", kSleep, seconds(3));
    EXPECT_EQ(news(known.book), Texts{"n1: sleep can-power"}) << "it said that it is done";
    EXPECT_FALSE(known.book.next(seconds(3))) << "one read at a time";
}

TEST(ProviderBook, what_was_read_while_we_changed_it_is_not_believed) {
    Known known;
    known.book.saw(node("n1", Readiness::no), {});
    const auto errand = known.book.next({});
    known.book.changed(Ability::power, "n1", kSleep, {});
    known.book.read(*errand, kOn, {});
    EXPECT_EQ(news(known.book), Texts{"n1: sleep can-power"});
    EXPECT_TRUE(known.book.next({})) << "it is read once more";
}

TEST(ProviderBook, a_read_that_fails_is_repeated_and_one_that_is_refused_is_not) {
    Known known;
    const auto fails = [&](ErrorCode code, Duration at) {
        known.book.saw(node("n1", Readiness::no), at);
        const auto errand = known.book.next(at);
        ASSERT_TRUE(errand);
        known.book.read(*errand, fail(code, "no"), at);
    };
    fails(ErrorCode::unavailable, {});
    EXPECT_EQ(news(known.book), Texts{"n1: on"}) << "as it was, and nothing can be done with it";
    EXPECT_FALSE(known.book.next(seconds(59)));
    ASSERT_TRUE(known.book.next(seconds(60)));
    Known other;
    other.book.saw(node("n1", Readiness::no), {});
    other.book.read(*other.book.next({}), fail(ErrorCode::denied, "not mine"), {});
    EXPECT_FALSE(other.book.next(hours(1)));
    other.book.saw(node("n1"), hours(1));
    EXPECT_TRUE(other.book.next(hours(1)));
}

TEST(ProviderBook, nobody_knows_after_an_unclear_change_until_it_is_read) {
    Known known;
    known.book.changed(Ability::power, "n1", std::nullopt, {});
    EXPECT_EQ(news(known.book), Texts{"n1: on"});
    known.book.read(*known.book.next({}), kSleep, {});
    EXPECT_EQ(news(known.book), Texts{"n1: sleep can-power"});
    known.book.noticed(Ability::power, "n1", kOn, {});
    EXPECT_EQ(news(known.book), Texts{"n1: on can-power"});
}

TEST(ProviderBook, a_node_that_was_woken_boots_until_it_is_ready_or_too_late) {
    for (const bool comes : {true, false}) {
        Known known;
        known.book.changed(Ability::power, "n1", kSleep, {});
        known.book.saw(node("n1", Readiness::unknown), {});
        (void)news(known.book);
        known.book.changed(Ability::power, "n1", kOn, seconds(10));
        EXPECT_EQ(news(known.book, seconds(10)), Texts{"n1: booting can-power"});
        known.book.read(*known.book.next(seconds(11)), kOn, seconds(11));
        EXPECT_TRUE(news(known.book, minutes(10)).empty());
        if (comes) known.book.saw(node("n1"), minutes(10));
        const Duration later = comes ? minutes(10) : minutes(11);
        EXPECT_EQ(news(known.book, later), Texts{"n1: on can-power"});
    }
}

TEST(ProviderBook, another_node_of_the_same_name_is_not_known) {
    Known known;
    known.book.saw(node("n1", Readiness::yes, 2), {});
    EXPECT_TRUE(known.book.next({}));
    known.book.gone({2, 2});
    EXPECT_FALSE(known.book.next(hours(1)));
    known.book.changed(Ability::power, "n1", kOn, {});
    EXPECT_TRUE(news(known.book).empty());
}

TEST(ProviderBook, everything_is_news_to_a_new_picture) {
    Known known;
    known.book.begin();
    EXPECT_EQ(news(known.book), Texts{"n1: on can-power"});
}

TEST(ProviderBook, where_a_node_autoscaler_runs_power_is_only_read) {
    struct Case {
        const char* name;
        std::int32_t wanted;
        bool owns;
    };
    for (const Case& each : std::initializer_list<Case>{{"cluster-autoscaler", 1, true},
                                                        {"eks-cluster-autoscaler-aws", 2, true},
                                                        {"karpenter", 1, true},
                                                        {"karpenter", 0, false},
                                                        {"web", 3, false}}) {
        Known known;
        known.book.saw(work(each.name, each.wanted));
        EXPECT_EQ(news(known.book), each.owns ? Texts{"n1: on"} : Texts{}) << each.name;
        known.book.gone({9, 9});
        EXPECT_EQ(news(known.book), each.owns ? Texts{"n1: on can-power"} : Texts{}) << each.name;
    }
}

}  // namespace
}  // namespace parley::kube
