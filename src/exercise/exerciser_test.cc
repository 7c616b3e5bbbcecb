#include "exercise/exerciser.h"

#include "base/clock_wait.h"
#include "fake/small_round.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace parley::exercise {
namespace {

namespace asio = boost::asio;

/// Remembers its calls; pods are ready at once, unless told otherwise.
struct FakeStage final : cluster::Stage {
    std::vector<std::string> asked;
    cluster::StageOpened opened;
    int going_for = 0;  ///< How many times the namespace is reported as being deleted.
    cluster::Cast cast;
    cluster::Trouble trouble;  ///< Of pods that do not run.
    std::optional<Error> fails_open, fails_put;
    bool runs = true;
    std::string kept;

    asio::awaitable<Result<cluster::StageOpened>> open() override {
        asked.emplace_back("open");
        if (fails_open) co_return tl::unexpected(*fails_open);
        if (going_for > 0) {
            --going_for;
            co_return cluster::StageOpened{.going = true};
        }
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
    asio::awaitable<Result<cluster::Cast>> look() override {
        if (cast.ready < cast.pods) cast.trouble = trouble;
        co_return cast;
    }
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
                        {.space = milliseconds(50),
                         .leave = milliseconds(5),
                         .run = milliseconds(5),
                         .wait = milliseconds(5),
                         .each = {},
                         .look = milliseconds(1),
                         .follow = {}}};

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

TEST_F(ExerciserTest, waits_for_a_namespace_that_is_being_deleted_and_says_so) {
    first->going_for = 2;
    EXPECT_TRUE(run_here(exerciser.open()));
    EXPECT_EQ(told.at(0),
              "here: waits for namespace parley-exercise, which is being deleted, to be gone");
    EXPECT_EQ(told.at(1), "here: uses namespace parley-exercise and touches nothing else");
    first->going_for = 1'000'000;
    const auto opened = run_here(exerciser.open());
    ASSERT_FALSE(opened);
    EXPECT_TRUE(opened.error().message.starts_with("namespace parley-exercise has been being"));
}

TEST_F(ExerciserTest, ctrl_c_ends_the_wait_for_a_namespace) {
    first->going_for = 1'000'000;
    int asked = 0;
    const std::function<bool()> leaving = [&] { return ++asked > 2; };
    const auto opened = run_here(exerciser.open(leaving));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message, "ended while namespace parley-exercise was being deleted");
}

TEST_F(ExerciserTest, a_mirror_that_is_slow_to_open_does_not_hold_up_the_first_place) {
    second->going_for = 1'000'000;
    bool done = false;
    asio::co_spawn(loop, exerciser.open(),
                   [&](const std::exception_ptr&, const Result<void>& r) { done = r.has_value(); });
    while (!done) loop.run_one();
    EXPECT_EQ(told.at(0), "here: uses namespace parley-exercise and touches nothing else");
    EXPECT_LE(told.size(), 2U);  // The mirror may have begun to wait.
    go_to(1);
    EXPECT_EQ(first->asked.at(1), "clear");
    EXPECT_EQ(std::ranges::count(second->asked, "clear"), 0);
    EXPECT_TRUE(told.back().starts_with("! there: left out: namespace mirrored has been being"))
        << told.back();
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
        "light-dvfs had no effect after 0.0s: 0 of 3 run, 3 wait for a place: "))
        << exerciser.report().reason;
    first->runs = true;
    go_to(2);
    EXPECT_FALSE(exerciser.report().failed);
}

TEST_F(ExerciserTest, what_is_refused_does_not_pass_for_the_phase_before_which_is_gone) {
    go_to(1);
    first->fails_put = Error{ErrorCode::denied, "403, exceeded quota"};
    go_to(2);
    EXPECT_EQ(exerciser.stimulus()->phase.view(), "moderate-memory");
    EXPECT_EQ(exerciser.stimulus()->moves, model::Quantity::none);
    EXPECT_EQ(exerciser.stimulus()->intent, "");
    EXPECT_TRUE(exerciser.stimulus()->text.starts_with("not put: 403, exceeded quota; raise"));
    EXPECT_EQ(exerciser.report().reason,
              "moderate-memory: 403, exceeded quota; raise the ResourceQuota of parley-exercise, "
              "or name another namespace: --exercise-namespace NAME");
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
    first->runs = false;  // So that the phase keeps being watched.
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

const cluster::Trouble kNoImage{"ErrImagePull", "no such host"};
constexpr const char* kNoImageText =
    "ErrImagePull, no such host; name an image that the nodes can pull or have: --exercise-image "
    "IMAGE";

/// Phases without effect are watched, and pods do not run.
struct FollowedTest : ExerciserTest {
    std::vector<std::string> heard;  ///< Of the first place, without times.
    std::vector<bool> last;
    Exerciser followed{loop.get_executor(),
                       {.space = "parley-exercise"},
                       {{"here", "parley-exercise", first}},
                       [this](const Happened& what) {
                           heard.push_back((what.fine ? "" : "! ") + what.text);
                           last.push_back(what.last);
                       },
                       [] { return TimePoint{seconds(100).us}; },
                       {.leave = milliseconds(5),
                        .run = milliseconds(5),
                        .wait = milliseconds(5),
                        .each = {},
                        .look = milliseconds(1),
                        .follow = milliseconds(1),
                        .follow_max = milliseconds(1)}};

    FollowedTest() { first->runs = false; }
    ~FollowedTest() override { (void)run_here(followed.close()); }
    FollowedTest(const FollowedTest&) = delete;
    FollowedTest& operator=(const FollowedTest&) = delete;

    /// Waits until this much was reported; gives up after a while.
    void hear(std::size_t words) {
        const Deadline deadline(seconds(5));
        while (heard.size() < words && !deadline.over()) loop.run_one_for(kLong);
        ASSERT_EQ(heard.size(), words) << testing::PrintToString(heard);
    }
    /// Looks back a few times more.
    void go_on() {
        for (int step = 0; step < 40; ++step) loop.run_one_for(kLong);
    }
    void begin(std::int64_t number) {
        loop.restart();
        asio::co_spawn(loop, followed.go_to(number, round.input.snapshot), asio::detached);
    }
    static constexpr std::chrono::seconds kLong{1};
};

TEST_F(FollowedTest, the_first_word_on_pods_that_do_not_run_says_why_and_what_to_do) {
    first->trouble = kNoImage;
    begin(1);
    hear(1);
    EXPECT_TRUE(heard[0].starts_with("! light-dvfs: 3 pods of ")) << heard[0];
    EXPECT_TRUE(heard[0].ends_with(std::string(", which is not what was meant: ") + kNoImageText))
        << heard[0];
    EXPECT_NE(followed.report().reason.find(kNoImageText), std::string::npos);
    EXPECT_NE(followed.stimulus()->text.find(kNoImageText), std::string::npos);
    go_on();
    EXPECT_EQ(heard.size(), 1U) << testing::PrintToString(heard);
    EXPECT_FALSE(last[0]);
}

TEST_F(FollowedTest, a_reason_that_is_known_later_is_told_once_and_again_at_the_end) {
    begin(1);
    hear(1);
    EXPECT_NE(heard[0].find(": the cluster does not say why; "), std::string::npos) << heard[0];
    first->trouble = kNoImage;
    hear(2);
    EXPECT_TRUE(heard[1].starts_with("! light-dvfs: still 0 of 3 run")) << heard[1];
    EXPECT_NE(heard[1].find(kNoImageText), std::string::npos) << heard[1];
    EXPECT_NE(followed.report().reason.find(kNoImageText), std::string::npos);
    const std::string shown = followed.stimulus()->text;
    EXPECT_NE(shown.find(kNoImageText), std::string::npos);
    first->trouble = {"ImagePullBackOff", "Back-off"};  // The same in other words.
    go_on();
    EXPECT_EQ(followed.stimulus()->text, shown);
    first->trouble = {};
    go_on();
    EXPECT_EQ(heard.size(), 2U) << testing::PrintToString(heard);
    begin(2);
    hear(4);
    EXPECT_TRUE(heard[2].starts_with("! light-dvfs ended without its effect after ")) << heard[2];
    EXPECT_NE(heard[2].find("ImagePullBackOff, Back-off; name an image"), std::string::npos);
    EXPECT_TRUE(heard[3].starts_with("! moderate-memory: ")) << heard[3];
    EXPECT_EQ(last, (std::vector<bool>{false, false, true, false}));
}

TEST_F(FollowedTest, an_image_on_its_way_is_no_better_reason_than_one_that_did_not_come) {
    first->trouble = {"Pulling", "Pulling image"};
    begin(1);
    hear(1);
    EXPECT_NE(heard[0].find(": Pulling image; if it does not come"), std::string::npos);
    first->trouble = kNoImage;
    hear(2);
    first->trouble = {"Pulling", "Pulling image"};
    go_on();
    EXPECT_EQ(heard.size(), 2U) << testing::PrintToString(heard);
    EXPECT_TRUE(run_here(followed.close()));
    ASSERT_EQ(heard.size(), 4U);
    EXPECT_NE(heard[2].find(kNoImageText), std::string::npos) << heard[2];
}

TEST_F(FollowedTest, an_effect_that_comes_late_ends_the_trouble) {
    first->trouble = kNoImage;
    begin(1);
    hear(1);
    first->cast.bound = first->cast.ready = first->cast.pods;
    hear(2);
    EXPECT_TRUE(heard[1].starts_with("light-dvfs: 3 of 3 run after ")) << heard[1];
    EXPECT_FALSE(followed.report().failed);
    EXPECT_TRUE(followed.stimulus()->text.ends_with(": 3 of 3 run"));
    EXPECT_TRUE(run_here(followed.close()));
    EXPECT_EQ(heard.back(), "cleaned up namespace parley-exercise");
    EXPECT_EQ(heard.size(), 3U);
}

TEST_F(FollowedTest, a_phase_that_cannot_be_planned_ends_the_one_before) {
    first->trouble = kNoImage;
    begin(1);
    hear(1);
    for (const int number : {1, 2, 3}) round.node(number).cpu_requested_m = 9'900;
    begin(2);
    hear(3);
    EXPECT_TRUE(heard[1].starts_with("! light-dvfs ended without its effect")) << heard[1];
    EXPECT_TRUE(followed.report().reason.starts_with("moderate-memory: others ask for"));
    go_on();
    EXPECT_TRUE(followed.report().reason.starts_with("moderate-memory: others ask for"));
}

TEST_F(ExerciserTest, a_mirror_says_why_as_well) {
    second->runs = false;
    second->trouble = kNoImage;
    go_to(1);
    const auto why = [](const std::string& text) {
        return text.starts_with("! there: light-dvfs: 0 of 3 run") &&
               text.find(kNoImageText) != std::string::npos;
    };
    EXPECT_EQ(std::ranges::count_if(told, why), 1) << testing::PrintToString(told);
    EXPECT_FALSE(exerciser.report().failed);
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
