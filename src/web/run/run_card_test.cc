#include "web/run/run_card.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::web {
namespace {

struct Card {
    void begin() {
        known.begin(kit::header({}), nullptr);
        known.read = true;
        for (std::uint64_t n = 1; n <= 3; ++n) known.take(kit::seen(kit::round_at(n)));
    }

    fake::Disk disk;
    RunPlace place{"tour-7", "runs/tour-7"};
    RunHooks hooks;
    RunKnown known{place, hooks};
};

TEST(RunCard, says_what_a_run_is_and_how_far) {
    Card c;
    c.begin();
    const RunCard card = card_of(c.known);
    EXPECT_EQ(card.name, "tour-7");
    EXPECT_EQ(card.title, "made-up, seed 7");
    EXPECT_EQ(card.status, RunState::running);
    EXPECT_EQ(card.rounds, 3U);
    EXPECT_EQ(card.newest_round, 3U);
    EXPECT_FALSE(card.newest_at.empty());
}

TEST(RunCard, a_run_can_be_stopped_while_it_acts_and_somebody_can_stop_it) {
    Card c;
    c.begin();
    EXPECT_FALSE(card_of(c.known).can_stop) << "nobody can";
    c.hooks.stop = [](const std::string&, std::uint64_t) { return Result<void>(); };
    EXPECT_TRUE(card_of(c.known).can_stop);
    c.hooks.stopped = [] { return std::optional(StopWord{.by = "session 2"}); };
    EXPECT_FALSE(card_of(c.known).can_stop) << "it was stopped";
    c.hooks.stopped = nullptr;
    c.known.finish(RunState::complete, "");
    EXPECT_FALSE(card_of(c.known).can_stop) << "it is over";
}

TEST(RunCard, says_who_leads_while_it_runs) {
    Card c;
    c.begin();
    EXPECT_EQ(card_of(c.known).leading, std::nullopt) << "nobody else could";
    auto round = std::make_shared<SeenRound>(*kit::seen(kit::round_at(4)));
    round->leading = explanation::Leading{.epoch = 3, .holder = "worker-3_71_5"};
    c.known.take(round);
    ASSERT_TRUE(card_of(c.known).leading.has_value());
    EXPECT_FALSE(card_of(c.known).leading->leads);
    EXPECT_EQ(card_of(c.known).leading->holder, "worker-3_71_5");
    c.known.finish(RunState::complete, "");
    EXPECT_EQ(card_of(c.known).leading, std::nullopt) << "who is over does not follow";
}

TEST(RunCard, what_cannot_be_opened_is_failed_with_its_problem) {
    Card c;
    c.known.problem = "it is no run";
    EXPECT_EQ(card_of(c.known).status, RunState::failed);
    EXPECT_EQ(card_of(c.known).problem, "it is no run");
    EXPECT_EQ(detail_of(c.disk, c.known, {}).errors, std::vector<std::string>{"it is no run"});
}

TEST(RunCard, its_page_has_the_settings_of_the_program_or_else_of_the_record) {
    Card c;
    c.begin();
    const RunDetail recorded = detail_of(c.disk, c.known, {});
    ASSERT_FALSE(recorded.settings.empty());
    EXPECT_EQ(recorded.settings[0].origin, "record");
    EXPECT_EQ(recorded.cluster_kind, "simulated");
    EXPECT_EQ(recorded.data_source, "simulated cluster, scenario made-up");
    EXPECT_EQ(recorded.interval_s, 3);
    const RunDetail told = detail_of(
        c.disk, c.known,
        {.command = {"parley"}, .settings = {{"run.seed", "7", "--seed"}}, .cluster_kind = "toy"});
    EXPECT_EQ(told.settings.size(), 1U);
    EXPECT_EQ(told.cluster_kind, "toy");
    EXPECT_EQ(told.command, std::vector<std::string>{"parley"});
}

TEST(RunCard, its_page_names_the_files_that_are_there_and_what_is_missing) {
    Card c;
    c.begin();
    ASSERT_TRUE(make_directories(c.disk, "runs/tour-7"));
    ASSERT_TRUE(write_file_atomically(c.disk, "runs/tour-7/run.db", ""));
    c.known.add_gaps({"a part of the journal is damaged"});
    c.known.finish(RunState::failed, "the disk is full");
    const RunDetail page = detail_of(c.disk, c.known, {});
    ASSERT_EQ(page.artifacts.size(), 1U);
    EXPECT_EQ(page.artifacts[0].path, "runs/tour-7/run.db");
    EXPECT_EQ(page.gaps, std::vector<std::string>{"a part of the journal is damaged"});
    EXPECT_EQ(page.errors, std::vector<std::string>{"the disk is full"});
}

TEST(RunCard, the_stages_are_those_of_the_program_while_it_runs) {
    Card c;
    c.begin();
    EXPECT_FALSE(context_of(c.known).stages.empty()) << "by the record";
    c.hooks.about = [] { return RunAbout{.stages = {StageView{}}}; };
    EXPECT_EQ(context_of(c.known).stages.size(), 1U);
    EXPECT_EQ(context_of(c.known).name, "tour-7");
}

}  // namespace
}  // namespace parley::web
