#include "apps/dashboard/run_hooks.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(AskRecord, what_is_no_question_says_how_to_ask) {
    fake::Disk disk;
    for (const char* text : {"", "who", "why-not", "why-not a b", "  "}) {
        const auto view = ask_record(disk, "run", text, std::nullopt);
        EXPECT_NE(view.error.find("why node-07"), std::string::npos) << text;
        EXPECT_EQ(view.answer.text, "null");
    }
}

TEST(AskRecord, a_run_that_is_not_there_is_said) {
    fake::Disk disk;
    const auto view = ask_record(disk, "run", "why node-07", std::nullopt);
    EXPECT_NE(view.error.find("no run at run"), std::string::npos) << view.error;
}

}  // namespace
}  // namespace parley::app
