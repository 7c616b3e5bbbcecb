#include "exercise/exerciser.h"

#include "fake/small_round.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace parley::exercise {
namespace {

namespace asio = boost::asio;

/// Keeps what it was asked for; pods are ready at once, unless it is told otherwise.
struct FakeStage final : cluster::Stage {
    std::vector<std::string> asked;
    cluster::StageOpened opened;
    cluster::Cast cast;
    std::optional<Error> fails_open, fails_put;
    bool runs = true;
    std::string kept;

    asio::awaitable<Result<cluster::StageOpened>> open() override {
        asked.emplace_back("open");
        if (fails_open) co_return tl::unexpected(*fails_open);
        co_return opened;
    }
    asio::awaitable<Result<void>> put(std::vector<cluster::Filler> fillers) override {
        for (const cluster::Filler& filler : fillers) {
            asked.push_back("put " + std::to_string(filler.pods) + " of " +
                            std::to_string(filler.cpu_m) + " on " + filler.node);
        }
        if (fails_put) co_return tl::unexpected(*fails_put);
        cast.pods = pods_of(fillers);
        cast.bound = cast.ready = runs ? cast.pods : 0;
        co_return Result<void>{};
    }
    asio::awaitable<Result<cluster::Cast>> look() override { co_return cast; }
    asio::awaitable<Result<void>> clear() override {
        asked.emplace_back("clear");
        cast = {};
        co_return Result<void>{};
    }
    asio::awaitable<Result<std::string>> close() override {
        asked.emplace_back("close");
        co_return kept;
    }
};

struct ExerciserTest : testing::Test {
    asio::io_context loop;
    fake::SmallRound round{3};
    std::shared_ptr<FakeStage> first = std::make_shared<FakeStage>();
    std::shared_ptr<FakeStage> second = std::make_shared<FakeStage>();
    std::vector<std::string> told;
    Exerciser exerciser{loop.get_executor(),
                        {.space = "parley-exercise"},
                        {{"here", "parley-exercise", first}, {"there", "mirrored", second}},
                        [this](const Happened& what) {
                            told.push_back((what.fine ? "" : "! ") + what.place + ": " + what.text);
                        },
                        [] { return TimePoint{seconds(100).us}; },
                        {.leave = milliseconds(5),
                         .run = milliseconds(5),
                         .wait = milliseconds(5),
                         .each = {},
                         .look = milliseconds(1)}};

    template <class T>
    T run_here(asio::awaitable<T> work) {
        std::optional<T> out;
        asio::co_spawn(loop, std::move(work),
                       [&](const std::exception_ptr&, T value) { out = std::move(value); });
        loop.restart();
        loop.run();
        return *std::move(out);
    }
    void go_to(std::int64_t number) {
        asio::co_spawn(loop, exerciser.go_to(number, round.input.snapshot), asio::detached);
        loop.restart();
        loop.run();
    }
};

TEST_F(ExerciserTest, opens_every_place_and_says_what_it_touches) {
    first->opened = {.made = true};
    second->opened = {.leftovers = 2};
    EXPECT_TRUE(run_here(exerciser.open()));
    EXPECT_EQ(told, (std::vector<std::string>{
                        "here: made namespace parley-exercise and touches nothing else",
                        "there: uses namespace mirrored and touches nothing else; deleted "
                        "2 Deployments that an exerciser before had left"}));
}

TEST_F(ExerciserTest, a_mirror_that_fails_is_left_out_and_the_first_place_is_not) {
    second->fails_open = Error{ErrorCode::denied, "no route"};
    EXPECT_TRUE(run_here(exerciser.open()));
    go_to(1);
    EXPECT_EQ(second->asked, std::vector<std::string>{"open"});
    EXPECT_EQ(told.at(1), "! there: left out: no route");
    first->fails_open = Error{ErrorCode::denied, "forbidden"};
    EXPECT_FALSE(run_here(exerciser.open()));
}

TEST_F(ExerciserTest, clears_puts_and_tells_the_effect_in_the_same_sizes_everywhere) {
    go_to(1);
    EXPECT_EQ(first->asked,
              (std::vector<std::string>{"clear", "put 1 of 1800 on node-02",
                                        "put 1 of 1800 on node-03", "put 1 of 1300 on node-01"}));
    // Nodes of another cluster have other names.
    EXPECT_EQ(second->asked, (std::vector<std::string>{"clear", "put 1 of 1800 on ",
                                                       "put 1 of 1800 on ", "put 1 of 1300 on "}));
    ASSERT_TRUE(exerciser.stimulus());
    EXPECT_EQ(exerciser.stimulus()->since, TimePoint{seconds(100).us});
    EXPECT_EQ(exerciser.stimulus()->text,
              "3 pods of 1300m to 1800m CPU and 712Mi to 968Mi on node-02, node-03 and node-01: "
              "3 of 3 run");
    EXPECT_FALSE(exerciser.report().failed);
    EXPECT_EQ(told.size(), 2U);
}

TEST_F(ExerciserTest, a_phase_without_effect_is_a_failure_with_its_reason) {
    first->runs = false;
    go_to(1);
    EXPECT_TRUE(exerciser.report().failed);
    EXPECT_TRUE(exerciser.report().reason.starts_with(
        "light-dvfs had no effect: 0 of 3 run, 3 wait for a place after "));
    first->runs = true;
    go_to(2);
    EXPECT_FALSE(exerciser.report().failed);
}

TEST_F(ExerciserTest, what_is_refused_leaves_the_stimulus_before) {
    go_to(1);
    first->fails_put = Error{ErrorCode::denied, "403, exceeded quota"};
    go_to(2);
    EXPECT_EQ(exerciser.stimulus()->phase.view(), "light-dvfs");
    EXPECT_EQ(exerciser.report().reason, "moderate-memory: 403, exceeded quota");
}

TEST_F(ExerciserTest, a_full_cluster_is_left_alone) {
    for (const int number : {1, 2, 3}) round.node(number).cpu_requested_m = 9'900;
    go_to(1);
    EXPECT_TRUE(first->asked.empty());
    EXPECT_TRUE(second->asked.empty());
    EXPECT_TRUE(exerciser.report().failed);
    EXPECT_FALSE(exerciser.stimulus());
}

TEST_F(ExerciserTest, closing_ends_what_is_under_way_before_it_deletes) {
    first->runs = false;  // So that the phase keeps looking.
    asio::co_spawn(loop, exerciser.go_to(1, round.input.snapshot), asio::detached);
    EXPECT_TRUE(run_here(exerciser.close()));
    EXPECT_EQ(first->asked.back(), "close");
    EXPECT_EQ(second->asked.back(), "close");
    const auto cut = [](const std::string& text) {
        return text.starts_with("here: light-dvfs: ") &&
               text.find("cut off by the end after ") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(told, cut), 1);
    EXPECT_FALSE(exerciser.report().failed);
}

TEST_F(ExerciserTest, what_was_put_is_said_though_the_end_cut_the_phase_off) {
    first->runs = false;
    asio::co_spawn(loop, exerciser.go_to(1, round.input.snapshot), asio::detached);
    while (first->asked.empty() || !first->asked.back().starts_with("put")) loop.run_one();
    EXPECT_TRUE(run_here(exerciser.close()));
    const auto cut = [](const std::string& text) {
        return text.starts_with("here: light-dvfs: 3 pods of ") &&
               text.find("; cut off by the end after ") != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(told, cut), 1) << testing::PrintToString(told);
}

TEST_F(ExerciserTest, closes_every_place_and_says_what_stays) {
    go_to(1);
    first->kept = "namespace parley-exercise stays: others use it";
    told.clear();
    EXPECT_TRUE(run_here(exerciser.close()));
    EXPECT_EQ(told,
              (std::vector<std::string>{"! here: namespace parley-exercise stays: others use it",
                                        "there: cleaned up namespace mirrored"}));
    EXPECT_FALSE(exerciser.stimulus());
}

TEST(Schedule, gives_each_phase_once_and_leaves_out_what_was_missed) {
    Schedule schedule(3);
    EXPECT_EQ(schedule.due(0), 0);
    EXPECT_EQ(schedule.due(1), std::nullopt);
    EXPECT_EQ(schedule.due(2), std::nullopt);
    EXPECT_EQ(schedule.due(3), 1);
    EXPECT_EQ(schedule.due(11), 3);
    EXPECT_EQ(schedule.due(11), std::nullopt);
}

}  // namespace
}  // namespace parley::exercise
