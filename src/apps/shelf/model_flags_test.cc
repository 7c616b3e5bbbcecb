#include "apps/shelf/model_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

/// The status of `line` below a group with one command, and what it printed.
std::pair<int, std::string> done(const std::string& line, const ModelAction& action) {
    Program group("model", "");
    const auto flags = std::make_shared<ModelFlags>();
    add_model_part(group, flags, "list", "List them", action);
    EXPECT_TRUE(group.parse(line)) << line;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = group.carry_out();
    (void)testing::internal::GetCapturedStderr();
    return {status, testing::internal::GetCapturedStdout()};
}

TEST(ModelFlags, the_action_gets_the_shelf_that_they_name_and_its_text_is_printed) {
    const auto [status, text] = done(
        "list --models mine --trust 0123456789abcdef", [](const ModelShelf& shelf, const auto&) {
            return Result<std::string>(shelf.folder + " " + shelf.trust.keys.front() + "\n");
        });
    EXPECT_EQ(status, kDone);
    EXPECT_EQ(text, "mine 0123456789abcdef\n");
}

TEST(ModelFlags, what_an_action_refuses_is_wrong_use_and_what_fails_is_not) {
    for (const auto& [code, status] :
         {std::pair{ErrorCode::denied, kWrongUse}, {ErrorCode::malformed, kFailed}}) {
        const auto failed = [code](const ModelShelf&, const ModelFlags&) -> Result<std::string> {
            return fail(code, "no");
        };
        EXPECT_EQ(done("list --models mine", failed), std::pair(status, std::string()));
    }
}

}  // namespace
}  // namespace parley::app
