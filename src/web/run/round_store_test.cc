#include "web/run/round_store.h"

#include "fake/disk.h"
#include "model/coded.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Recorded {
    fake::Disk disk;
    store::RunHeader header;

    explicit Recorded(std::uint64_t rounds, bool finished = true) {
        kit::Recording recording(disk, "run", {});
        for (std::uint64_t n = 1; n <= rounds; ++n) {
            kit::Round round = kit::round_at(n);
            recording.keep(round,
                           n % 10 == 0 ? round.all_sent() : std::vector<model::ActionEvent>());
        }
        if (finished) recording.finish(rounds);
        header = store::RunReader::open(disk, "run")->header();
    }
};

TEST(RoundStore, opens_any_round_in_any_order) {
    Recorded run(230);
    RoundStore rounds(run.disk, "run", run.header);
    for (const std::uint64_t n : {230U, 1U, 120U, 119U, 121U, 50U, 51U, 49U, 200U, 230U}) {
        const auto round = rounds.open(n);
        ASSERT_TRUE(round.has_value()) << n << ": " << round.error().message;
        EXPECT_EQ((*round)->decision->round, n);
        EXPECT_EQ((*round)->input->round, n);
        EXPECT_EQ((*round)->events.size(), n % 10 == 0 ? 6U : 0U) << n;
    }
    EXPECT_EQ(rounds.open(231).error().code, ErrorCode::gone);
}

TEST(RoundStore, gives_a_range) {
    Recorded run(230);
    RoundStore rounds(run.disk, "run", run.header);
    std::vector<std::uint64_t> seen;
    const auto take = [&](const SeenRoundPtr& round) { seen.push_back(round->decision->round); };
    ASSERT_TRUE(rounds.each(95, 105, take).has_value());
    ASSERT_EQ(seen.size(), 11U);
    EXPECT_EQ(seen.front(), 95U);
    EXPECT_EQ(seen.back(), 105U);
}

TEST(RoundStore, finds_rounds_that_were_written_since) {
    fake::Disk disk;
    kit::Recording recording(disk, "run", {});
    kit::Round round = kit::round_at(1);
    recording.keep(round);
    const auto header = store::RunReader::open(disk, "run")->header();
    RoundStore rounds(disk, "run", header);
    ASSERT_TRUE(rounds.open(1).has_value());
    EXPECT_EQ(rounds.open(2).error().code, ErrorCode::gone);
    for (std::uint64_t n = 2; n <= 130; ++n) {
        kit::Round next = kit::round_at(n);
        recording.keep(next);
    }
    EXPECT_EQ((*rounds.open(2))->decision->round, 2U);
    EXPECT_EQ((*rounds.open(130))->decision->round, 130U);
}

TEST(RoundStore, a_round_opened_from_a_marked_place_is_the_same) {
    Recorded run(120);
    RoundStore rounds(run.disk, "run", run.header);
    RoundStore marked(run.disk, "run", run.header);
    RecordWalk walk(*store::RunReader::open(run.disk, "run"));
    while (*walk.next()) marked.mark(walk, 1);
    for (const std::uint64_t n : {120U, 1U, 60U, 49U, 33U, 32U, 34U, 101U}) {
        const auto expected = rounds.open(n);
        const auto round = marked.open(n);
        ASSERT_TRUE(round && expected) << n;
        EXPECT_TRUE(same(*(*round)->input, *(*expected)->input)) << n;
        EXPECT_TRUE(same(*(*round)->decision, *(*expected)->decision)) << n;
        EXPECT_EQ((*round)->restarts, (*expected)->restarts) << n;
        EXPECT_EQ((*round)->events.size(), (*expected)->events.size()) << n;
    }
}

}  // namespace
}  // namespace parley::web
