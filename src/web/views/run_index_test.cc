#include "web/views/run_index.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

RunIndex filled(std::uint64_t rounds, std::uint64_t without = 0) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 1; n <= rounds; ++n) {
        if (n != without) index.take(*kit::seen(kit::round_at(n)));
    }
    return index;
}

TEST(RunIndex, the_strip_has_a_cell_for_every_round_also_for_those_that_are_gone) {
    const RunIndex index = filled(25, 7);
    const StripView strip = index.strip(1, 0);
    ASSERT_EQ(strip.cells.size(), 25U);
    EXPECT_EQ(strip.cells[9].letter, "A");
    EXPECT_EQ(strip.cells[9].overruled, 2);
    EXPECT_EQ(strip.cells[8].letter, ".");
    EXPECT_TRUE(strip.cells[8].same);
    EXPECT_FALSE(strip.cells[9].same);
    EXPECT_EQ(strip.cells[6].state, Kept::damaged);
    EXPECT_EQ(index.damage_text(), "Round 7 is damaged and cannot be read.");
    EXPECT_EQ(index.missing_text(7), "Round 7 is damaged and cannot be read; 6 and 8 are whole.");
    EXPECT_EQ(index.strip(20, 22).cells.size(), 3U);
    EXPECT_EQ(index.strip(20, 10).cells.size(), 0U);
}

TEST(RunIndex, an_alarm_is_told_of_in_the_round_that_raised_it) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 1; n <= 4; ++n) {
        kit::Round round = kit::round_at(n);
        if (n >= 2) round.decision.alarms.push_back({.kind = model::AlarmKind::no_samples});
        index.take(*kit::seen(round));
        EXPECT_EQ(index.around(n).alarm_raised, n == 2) << n;
    }
    const StripView strip = index.strip(1, 0);
    EXPECT_TRUE(strip.cells[1].alarm);
    EXPECT_FALSE(strip.cells[2].alarm);
}

TEST(RunIndex, the_summary_counts_alarms_when_they_are_raised_and_rounds_with_any) {
    RunIndex index(kit::header({}));
    EXPECT_EQ(index.summary()[2], "no alarm was raised");
    for (std::uint64_t n = 1; n <= 9; ++n) {
        kit::Round round = kit::round_at(n);
        if (n >= 2 && n != 6) {
            round.decision.alarms.push_back({.kind = model::AlarmKind::no_samples});
        }
        if (n == 3) round.decision.alarms.push_back({.kind = model::AlarmKind::sources_failed});
        index.take(*kit::seen(round));
        if (n == 2) EXPECT_EQ(index.summary()[2], "1 alarm, in 1 round");
    }
    EXPECT_EQ(index.summary()[2], "3 alarms, in 7 rounds");
}

TEST(RunIndex, the_summary_tells_held_from_accepted) {
    using enum model::ActionState;
    RunIndex index(kit::header({}));
    std::uint64_t n = 0;
    for (const auto state : {planned, held, held, would_send}) {
        kit::Round round = kit::round_at(n += 10);
        round.decision.first_steps.at(0).action.state = state;
        index.take(*kit::seen(round));
    }
    EXPECT_EQ(index.summary()[1], "2 actions accepted, 2 held, 0 scores closed");
}

TEST(RunIndex, what_the_end_cut_short_is_censored) {
    RunIndex index(kit::header({}));
    kit::Round round = kit::round_at(4);
    model::OpenScore open{.round = 3, .action = model::Migrate{}};
    open.target = model::NodeId{Name::of("node-07")};
    round.decision.closed.clear();
    round.decision.open_scores = {open};
    index.take(*kit::seen(kit::round_at(3)));
    index.take(*kit::seen(round));
    const auto scores = [&](std::uint64_t to = 0) { return index.scores(0, to, 100).closed; };
    EXPECT_TRUE(scores().empty());
    EXPECT_FALSE(index.around(3).later);
    index.know_end(RunState::complete);
    ASSERT_EQ(scores().size(), 1U);
    EXPECT_EQ(scores()[0].state, ClosedState::censored);
    EXPECT_FALSE(scores()[0].total);
    EXPECT_EQ(scores()[0].text,
              "the run ended in round 4, before its effect was confirmed; "
              "nothing of it was read yet");
    ASSERT_TRUE(index.around(3).later);
    EXPECT_EQ(index.around(3).later->state, ClosedState::censored);
    EXPECT_EQ(scores(4).size(), 1U);
    EXPECT_TRUE(scores(3).empty()) << "in the past, nothing that came later";
    index.know_end(RunState::killed);
    EXPECT_NE(scores()[0].text.find("the record ends in round 4"), std::string::npos);
    index.take(*kit::seen(kit::round_at(5)));
    EXPECT_TRUE(scores().empty()) << "it was resumed";
}

TEST(RunIndex, rounds_before_the_first_are_gone) {
    RunIndex index(kit::header({}));
    index.take(*kit::seen(kit::round_at(5)));
    EXPECT_EQ(index.strip(1, 0).cells[0].state, Kept::gone);
    EXPECT_EQ(index.strip(1, 0).cells[4].state, Kept::full);
    EXPECT_EQ(index.damage_text(), "");
    index.know_dropped(2);  // Retention took two: the others are damaged.
    EXPECT_EQ(index.strip(1, 0).cells[1].state, Kept::gone);
    EXPECT_EQ(index.strip(1, 0).cells[2].state, Kept::damaged);
    EXPECT_EQ(index.damage_text(), "2 of 5 rounds are damaged and cannot be read: 3 to 4.");
    EXPECT_EQ(index.missing_text(4), "Round 4 is damaged and cannot be read; 5 is whole.");
    EXPECT_TRUE(index.missing_text(2).starts_with("Round 2 was compacted"));
}

TEST(RunIndex, rounds_after_the_last_that_can_be_read_are_damaged_not_forgotten) {
    RunIndex index = filled(25, 7);
    EXPECT_EQ(index.last(), 25U);
    index.know_last(20);
    EXPECT_EQ(index.last(), 25U);
    index.know_last(60);
    EXPECT_EQ(index.newest(), 25U);
    EXPECT_EQ(index.around(25).newest, 60U);
    EXPECT_EQ(index.around(25).readable, 25U);
    const StripView strip = index.strip(1, 0);
    EXPECT_EQ(strip.newest, 60U);
    ASSERT_EQ(strip.cells.size(), 60U);
    EXPECT_EQ(strip.cells[24].state, Kept::full);
    EXPECT_EQ(strip.cells[25].state, Kept::damaged);
    EXPECT_EQ(strip.cells[59].state, Kept::damaged);
    EXPECT_EQ(index.ribbon(6).cells, "#A####");
    EXPECT_EQ(index.damage_text(),
              "36 of 60 rounds are damaged and cannot be read: 7 and 26 to 60.");
    EXPECT_EQ(index.missing_text(40), "Round 40 is damaged and cannot be read; 25 is whole.");
}

TEST(RunIndex, how_many_rounds_are_damaged_is_as_sure_as_which_was_the_last) {
    RunIndex index = filled(10);
    index.know_last(11, Sure::at_least);
    EXPECT_EQ(index.damage_text(), "At least 1 of 11 rounds are damaged and cannot be read: 11.");
    index.know_last(11);
    EXPECT_EQ(index.damage_text(), "Round 11 is damaged and cannot be read.");
    index.know_last(14, Sure::at_most);
    index.know_last(12);
    EXPECT_EQ(index.damage_text(),
              "At most 4 of 14 rounds are damaged and cannot be read: 11 to 14.");
    index.take(*kit::seen(kit::round_at(14)));
    EXPECT_EQ(index.damage_text(), "3 of 14 rounds are damaged and cannot be read: 11 to 13.");
    RunIndex nothing(kit::header({}));
    EXPECT_EQ(nothing.damage_text(), "");
    nothing.know_last(3);
    EXPECT_EQ(nothing.damage_text(), "3 of 3 rounds are damaged and cannot be read: 1 to 3.");
    EXPECT_EQ(nothing.missing_text(2),
              "Round 2 is damaged and cannot be read, and so are all others.");
}

TEST(RunIndex, many_damaged_places_are_counted) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 2; n <= 14; n += 2) index.take(*kit::seen(kit::round_at(n)));
    index.know_dropped(0);
    EXPECT_EQ(index.damage_text(),
              "7 of 14 rounds are damaged and cannot be read: 1, 3, 5, 7 and 3 more places.");
}

/// Ten rounds, of which each cost 2 pod-minutes as far as it could be read.
RunIndex accounted(std::int32_t leaves, std::int32_t missing) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 1; n <= 10; ++n) {
        kit::Round round = kit::round_at(n);
        round.decision.score.score = -2;
        round.decision.score.leaves = leaves;
        round.decision.score.missing = missing;
        index.take(*kit::seen(round));
    }
    return index;
}

TEST(RunIndex, rounds_that_are_damaged_were_not_read_either) {
    RunIndex index = accounted(100, 0);
    index.know_last(12);
    EXPECT_EQ(index.scores(0, 0, 100).total, -20);
    EXPECT_EQ(index.scores(0, 0, 100).total_covered, 10.0 / 12);
    EXPECT_EQ(index.scores(0, 10, 100).total_covered, 1);
    index.know_last(20);
    EXPECT_EQ(index.scores(0, 0, 100).total, std::nullopt);
    EXPECT_EQ(index.scores(0, 0, 100).total_missing,
              "only 50% of its readings were there, 80% are needed");
    EXPECT_EQ(index.summary().back(),
              "score of all rounds not known: only 50% of its readings were there, 80% are needed");
    EXPECT_EQ(index.scores(11, 15, 100).total, std::nullopt);
}

TEST(RunIndex, a_total_of_which_too_little_was_read_is_missing_and_says_why) {
    const ScoresView enough = accounted(80, 20).scores(0, 0, 100);
    EXPECT_EQ(enough.total, -20);
    EXPECT_EQ(enough.total_missing, "");
    EXPECT_EQ(enough.total_covered, 0.8);
    EXPECT_EQ(enough.series.front().total, -2);
    const RunIndex less = accounted(79, 21);
    const ScoresView scores = less.scores(0, 0, 100);
    EXPECT_EQ(scores.total, std::nullopt);
    EXPECT_EQ(scores.total_missing, "only 79% of its readings were there, 80% are needed");
    EXPECT_EQ(scores.series.front().total, std::nullopt);
    EXPECT_EQ(scores.series.front().by[model::Role::safety], std::nullopt);
    EXPECT_EQ(less.summary().back(),
              "score of all rounds not known: only 79% of its readings were there, 80% are needed");
    EXPECT_EQ(accounted(0, 0).scores(0, 0, 100).total_missing, "there was nothing to read");
    EXPECT_EQ(accounted(9, 1).summary().back(),
              "score of all rounds -20.0 pod-minutes, -2.0 a round, from 90% of its readings");
}

TEST(RunIndex, the_error_of_the_twin_is_the_median_of_those_that_are_known) {
    RunIndex index(kit::header({}));
    const std::int64_t errors[] = {9'000'000, -1'000'000, 2'000'000, 3'000'000};
    for (std::uint64_t n = 1; n <= 4; ++n) {
        kit::Round round = kit::round_at(n);
        model::ClosedScore score{.round = n, .closed = n};
        score.twin_error = model::Cost{model::Role::safety, errors[n - 1]};
        round.decision.closed.push_back(score);
        index.take(*kit::seen(round));
    }
    EXPECT_EQ(index.scores(0, 1, 100).twin_error, 9);
    EXPECT_EQ(index.scores(0, 3, 100).twin_error, 2);
    EXPECT_EQ(index.scores(0, 0, 100).twin_error, 2.5) << "between the two in the middle";
    EXPECT_EQ(index.scores(0, 0, 100).twin_scores, 4U);
}

TEST(RunIndex, the_ribbon_keeps_the_worst_round_of_a_pixel) {
    const RunIndex index = filled(100);
    EXPECT_EQ(index.ribbon(10).cells, "AAAAAAAAAA");
    EXPECT_EQ(index.ribbon(200).cells.size(), 100U) << "no wider than there are rounds";
    EXPECT_EQ(filled(100, 15).ribbon(10).cells, "A#AAAAAAAA");
    EXPECT_EQ(RunIndex(kit::header({})).ribbon(10).cells, "");
}

TEST(RunIndex, a_round_knows_only_what_was_closed_until_then) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 1; n <= 30; ++n) {
        kit::Round round = kit::round_at(n);
        if (n == 20) {
            model::ClosedScore score{.round = 10, .closed = 20};
            score.advantage = {model::Role::safety, 3'000'000};
            score.twin_error = model::Cost{model::Role::safety, -900'000};
            round.decision.closed.push_back(score);
        }
        index.take(*kit::seen(round));
    }
    EXPECT_EQ(index.decisions(19, 0, 100, "").rows[1].score, std::nullopt) << "not known yet";
    EXPECT_EQ(index.decisions(20, 0, 100, "").rows[2].score, 3.0);
    const Around then = index.around(10);
    EXPECT_FALSE(then.last_closed.has_value());
    ASSERT_TRUE(then.later.has_value());
    EXPECT_EQ(then.later->closed_round, 20U);
    EXPECT_FALSE(index.around(19).last_closed.has_value());
    ASSERT_TRUE(index.around(20).last_closed.has_value());
    EXPECT_EQ(index.around(20).last_closed->total, 3);
    EXPECT_FALSE(index.around(20).later.has_value());
    EXPECT_FALSE(index.scores(0, 19, 100).twin_error.has_value());
    EXPECT_NEAR(index.scores(0, 20, 100).twin_error.value(), 0.9, 1e-9);
    for (const EventLine& event : then.events) EXPECT_LE(event.round, 10U);
    EXPECT_EQ(index.around(9).repeat_count, 9U);
    EXPECT_EQ(index.around(10).repeat_count, 1U);
}

TEST(RunIndex, events_are_filtered_searched_and_paged) {
    const RunIndex index = filled(30);
    const EventsView all = index.events({});
    ASSERT_GT(all.total, 5U);
    EXPECT_EQ(all.events.front().seq, all.newest_seq);
    const EventsView decisions = index.events({.kinds = {explanation::EventKind::decision}});
    EXPECT_EQ(decisions.total, all.counts.at("decision"));
    EXPECT_EQ(decisions.counts, all.counts) << "counts do not depend on the filter";
    EXPECT_GT(index.events({.find = "REPLICATE"}).total, 0U);
    EXPECT_EQ(index.events({.find = "no such thing"}).total, 0U);
    EXPECT_GE(index.events({.find = "Decision"}).total, all.counts.at("decision")) << "the kind";
    const EventsView page = index.events({.before = all.events[1].seq, .limit = 2});
    ASSERT_EQ(page.events.size(), 2U);
    EXPECT_EQ(page.events[0].seq, all.events[2].seq);
    const EventsView fresh = index.events({.after = all.newest_seq - 1});
    ASSERT_EQ(fresh.events.size(), 1U);
    for (const EventLine& event : index.events({.until_round = 10}).events) {
        EXPECT_LE(event.round, 10U);
    }
}

TEST(RunIndex, decisions_stand_once_for_as_long_as_they_hold) {
    const RunIndex index = filled(30);
    const DecisionsView view = index.decisions(0, 0, 100, "");
    ASSERT_EQ(view.total, 6U);
    EXPECT_EQ(view.rows[0].round, 30U);
    EXPECT_EQ(view.rows[1].round, 21U);
    EXPECT_EQ(view.rows[1].last_round, 29U);
    EXPECT_EQ(index.decisions(0, 0, 100, "node-07").total, 3U);
    EXPECT_EQ(index.decisions(0, 4, 1, "").rows.size(), 1U);
    const DecisionsView then = index.decisions(25, 0, 100, "");
    ASSERT_EQ(then.total, 5U) << "what came later was not known";
    EXPECT_EQ(then.rows[0].round, 21U);
    EXPECT_EQ(then.rows[0].last_round, 25U);
}

TEST(RunIndex, down_sampling_keeps_minimum_and_maximum) {
    RunIndex index(kit::header({}));
    for (std::uint64_t n = 1; n <= 1000; ++n) {
        kit::Round round = kit::round_at(n);
        round.decision.score.score = n == 503 ? -100 : (n == 77 ? 50 : -1);
        round.decision.score.leaves = 1;
        index.take(*kit::seen(round));
    }
    const ScoresView view = index.scores(0, 0, 40);
    EXPECT_LE(view.series.size(), 40U);
    double least = 0;
    double most = 0;
    for (const ScorePoint& point : view.series) {
        least = std::min(least, *point.total);
        most = std::max(most, *point.total);
    }
    EXPECT_EQ(least, -100);
    EXPECT_EQ(most, 50);
    EXPECT_EQ(index.scores(10, 19, 400).series.size(), 10U);
}

TEST(RunIndex, a_round_that_is_there_already_is_passed_over) {
    RunIndex index = filled(10);
    const std::uint64_t events = index.events({}).newest_seq;
    index.take(*kit::seen(kit::round_at(10)));
    index.take(*kit::seen(kit::round_at(3)));
    EXPECT_EQ(index.rounds(), 10U);
    EXPECT_EQ(index.events({}).newest_seq, events);
}

}  // namespace
}  // namespace parley::web
