#include "apps/running/screen_loop.h"

#include "apps/session/scenario_file.h"
#include "apps/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace parley::app {
namespace {

struct Calm {
    std::unique_ptr<Session> session;

    Calm() {
        SessionOptions options{.scenario = *load_scenario(real_disk(), "calm", 1)};
        options.record = store::RecordLevel::none;
        options.twins = false;
        auto opened = Session::open(options);
        EXPECT_TRUE(opened) << opened.error().message;
        session = *std::move(opened);
    }
};

TEST(ScreenLoop, without_a_screen_is_a_line_per_change) {
    Calm calm;
    ScreenLoop demo(*calm.session, ScreenHistory({"calm, seed 1", {}, "", seconds(3)}),
                    {.pace = {}, .last = 5}, {});
    testing::internal::CaptureStdout();
    const auto done = demo.in_lines();
    const std::string text = testing::internal::GetCapturedStdout();
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(demo.complete());
    EXPECT_EQ(calm.session->rounds(), 5U);
    EXPECT_TRUE(text.starts_with("T+00:03   round 1     decision  ")) << text;
    EXPECT_LT(std::ranges::count(text, '\n'), 5);
}

TEST(ScreenLoop, without_a_last_round_is_never_complete) {
    Calm calm;
    const ScreenLoop demo(*calm.session, ScreenHistory({"calm", {}, "", seconds(3)}), {.pace = {}},
                          {});
    EXPECT_FALSE(demo.complete());
}

}  // namespace
}  // namespace parley::app
