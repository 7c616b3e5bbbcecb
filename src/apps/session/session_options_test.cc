#include "apps/session/session_options.h"

#include <gtest/gtest.h>

#include <memory>

namespace parley::app {
namespace {

TEST(SessionOptions, resume_needs_a_folder_and_a_record) {
    Settings settings = default_settings();
    EXPECT_EQ(session_options(real_disk(), settings, true).error().message,
              "--resume needs to know which run: add --event-dir FOLDER");
    settings.run.event_dir = "A";
    settings.run.record = store::RecordLevel::none;
    EXPECT_EQ(session_options(real_disk(), settings, true).error().message,
              "--resume and --record none exclude each other; drop one");
}

TEST(SessionOptions, come_from_settings_and_scenario) {
    Settings settings = default_settings();
    settings.run.scenario = "calm";
    settings.run.seed = 3;
    settings.run.interval = seconds(5);
    settings.run.event_dir = "A";
    const auto options = session_options(real_disk(), settings, true);
    ASSERT_TRUE(options) << options.error().message;
    EXPECT_EQ(run_name(*options), "calm, seed 3");
    EXPECT_EQ(options->interval, seconds(5));
    EXPECT_EQ(options->folder, "A");
    EXPECT_TRUE(options->resume);
}

}  // namespace
}  // namespace parley::app
