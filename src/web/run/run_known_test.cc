#include "web/run/run_known.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

/// A live run of which nothing is recorded.
struct Known {
    explicit Known(RunHooks what_it_may_ask = {}) : hooks(std::move(what_it_may_ask)) {
        run.begin(kit::header({}), nullptr);
        run.read = true;
        run.stream.listen([this](std::uint64_t id, const Shared&) { told.push_back(id); });
    }
    void take(std::uint64_t number) { run.take(kit::seen(kit::round_at(number))); }

    RunPlace place{"demo", ""};
    RunHooks hooks;
    RunKnown run{place, hooks};
    std::vector<std::uint64_t> told;
};

TEST(RunKnown, a_round_counts_once) {
    Known known;
    known.take(1);
    known.take(2);
    known.take(2);
    known.take(1);
    EXPECT_EQ(known.run.index->rounds(), 2U);
    EXPECT_EQ(known.told, (std::vector<std::uint64_t>{1, 2}));
}

TEST(RunKnown, of_a_record_that_is_being_read_only_the_last_round_is_told) {
    Known known;
    known.run.read = false;
    for (std::uint64_t n = 1; n <= 5; ++n) known.take(n);
    EXPECT_TRUE(known.told.empty());
    known.run.newest_are_read();
    known.run.newest_are_read();
    EXPECT_EQ(known.told, std::vector<std::uint64_t>{5});
}

TEST(RunKnown, an_end_is_told_once_and_gaps_are_kept_once) {
    Known known;
    known.run.finish(RunState::stopped, "by a person");
    known.run.finish(RunState::stopped, "by a person");
    EXPECT_EQ(known.told, std::vector<std::uint64_t>{0});
    known.run.add_gaps({"a", "b"});
    known.run.add_gaps({"b", "c"});
    EXPECT_EQ(known.run.gaps, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(RunKnown, says_how_far_earlier_rounds_were_read) {
    Known known;
    known.take(1201);
    EXPECT_EQ(known.run.reading_text(), "");
    known.run.earlier_rounds = 40;
    EXPECT_EQ(known.run.reading_text(), "Rounds before 1,201 are being read: 40 so far.");
}

TEST(RunKnown, another_leader_is_told_at_once_and_a_renewal_is_not) {
    Known known;
    const auto take = [&](std::uint64_t n, explanation::Leading leading) {
        auto round = std::make_shared<SeenRound>(*kit::seen(kit::round_at(n)));
        round->leading = std::move(leading);
        known.run.take(round);
    };
    take(1, {.epoch = 2, .holder = "other", .ends = "2025-03-01T12:04:15Z"});
    take(2, {.epoch = 2, .holder = "other", .ends = "2025-03-01T12:04:18Z"});
    take(3, {.leads = true, .epoch = 3, .holder = "me"});
    EXPECT_EQ(known.told, (std::vector<std::uint64_t>{0, 1, 2, 0, 3}));
    EXPECT_NE(
        known.run.status_message()->find(
            R"("leading":{"leads":true,"epoch":3,"holder":"me","since":"","ends":"","trouble":""})"),
        std::string::npos);
    known.run.finish(RunState::stopped, "by a person");
    EXPECT_NE(known.run.status_message()->find(R"("leading":null)"), std::string::npos);
}

TEST(RunKnown, says_who_stopped_it_and_after_which_round) {
    std::optional<StopWord> word;
    RunHooks hooks;
    hooks.stopped = [&] { return word; };
    Known known(hooks);
    const auto take = [&](std::uint64_t n, bool stopped) {
        kit::Round round = kit::round_at(n);
        round.input.controls.stop = stopped;
        known.run.take(kit::seen(round));
    };
    take(1, false);
    take(2, false);
    EXPECT_FALSE(known.run.stop_word().has_value());
    word = StopWord{.by = "user 0 at a terminal"};
    EXPECT_EQ(known.run.stop_word()->after_round, std::nullopt) << "nothing tells of it yet";
    take(3, true);
    take(4, true);
    EXPECT_EQ(known.run.stop_word()->by, "user 0 at a terminal");
    EXPECT_EQ(known.run.stop_word()->after_round, 2U);
    EXPECT_NE(known.run.status_message()->find("\"after_round\":2"), std::string::npos);
    take(5, false);
    word = StopWord{.by = "session 2", .after_round = 5};
    take(6, false);
    take(7, true);
    EXPECT_EQ(known.run.stop_word()->after_round, 5U) << "as whoever pressed it saw it";
}

}  // namespace
}  // namespace parley::web
