#include "apps/runs/trim.h"

#include "apps/runs/mend.h"
#include "apps/session/scenario_file.h"
#include "apps/session/session.h"
#include "store/run_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdlib.h>

namespace parley::app {
namespace {

/// Twelve rounds, six by each of two processes.
class Trim : public testing::Test {
protected:
    void SetUp() override {
        std::string place =
            (std::filesystem::temp_directory_path() / "parley-trim-XXXXXX").string();
        ASSERT_NE(mkdtemp(place.data()), nullptr);
        folder_ = place;
        for (const bool resume : {false, true}) {
            SessionOptions options{.seed = 7, .folder = run(), .resume = resume};
            options.scenario = *load_scenario(real_disk(), "calm", 7);
            auto session = Session::open(options);
            ASSERT_TRUE(session) << session.error().message;
            for (int i = 0; i < 6; ++i) ASSERT_TRUE((*session)->round());
            ASSERT_TRUE((*session)->finish(store::RunStatus::complete, ""));
        }
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string run() const { return folder_ / "run"; }

    std::filesystem::path folder_;
};

TEST_F(Trim, keeps_at_least_what_was_asked_for) {
    const struct {
        Keep keep;
        std::uint64_t wanted_from;
        std::uint64_t first_round;
    } cases[] = {{{.rounds = 7}, 6, 1},          {{.rounds = 100}, 1, 1},
                 {{.span = seconds(100)}, 1, 1}, {{.span = seconds(18)}, 6, 1},
                 {{.rounds = 5}, 8, 7},          {{.span = seconds(3)}, 11, 7}};
    for (const auto& [keep, wanted_from, first_round] : cases) {
        const auto done = trim(real_disk(), run(), keep);
        ASSERT_TRUE(done) << done.error().message;
        EXPECT_EQ(done->wanted_from, std::max(wanted_from, done->first_round));
        EXPECT_EQ(done->first_round, first_round) << wanted_from;
        EXPECT_EQ(done->last_round, 12U);
    }
}

TEST_F(Trim, says_what_it_did_and_leaves_derived_files_that_agree) {
    const auto done = trim(real_disk(), run(), {.rounds = 6});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->rounds_dropped, 6U);
    EXPECT_GT(done->bytes_freed, 0U);
    EXPECT_EQ(mend_derived(real_disk(), run()).text, "");
    auto reader = store::RunReader::open(real_disk(), run());
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->next().value()->decision.round, 7U);
    const auto again = trim(real_disk(), run(), {.rounds = 6});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->rounds_dropped, 0U);
}

TEST_F(Trim, a_run_that_is_being_written_is_left_alone) {
    const auto writer = real_disk().lock(run() + "/journal/lock");
    ASSERT_TRUE(writer);
    const auto done = trim(real_disk(), run(), {.rounds = 6});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::conflict) << done.error().message;
    EXPECT_FALSE(trim(real_disk(), folder_ / "none", {.rounds = 6}));
}

TEST(TrimText, tells_what_is_left) {
    Trimmed done{.run = "runs/a",
                 .rounds_dropped = 1200,
                 .bytes_freed = 3 << 20,
                 .wanted_from = 1201,
                 .first_round = 1201,
                 .last_round = 1800};
    EXPECT_TRUE(text_of(done).starts_with(
        "Dropped 1,200 rounds of runs/a, 3MiB of its journal. Left: rounds 1201 to 1800.\nwhy, "))
        << text_of(done);
    done.wanted_from = 1500;
    EXPECT_NE(text_of(done).find("Asked for was from round 1500 on;"), std::string::npos);
    done.segments_left = {3};
    EXPECT_NE(text_of(done).find("journal/000003.log is damaged"), std::string::npos);
}

TEST(TrimText, says_plainly_why_nothing_was_dropped) {
    Trimmed none{.run = "runs/a", .wanted_from = 1, .first_round = 1, .last_round = 60};
    EXPECT_EQ(
        text_of(none),
        "Nothing was dropped: runs/a has only rounds 1 to 60, and all of it is to be kept.\n");
    none.wanted_from = 31;
    EXPECT_EQ(
        text_of(none),
        "Nothing was dropped: runs/a has rounds 1 to 60, and from round 31 on it is to be "
        "kept; it can be cut every 600 rounds or 8 MiB, and where it was gone on with, and no "
        "such place lies before that.\n");
}

}  // namespace
}  // namespace parley::app
