#include "apps/running/record_answers.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(RecordAnswers, without_a_record_say_so) {
    const Answers answers = answers_from("");
    EXPECT_EQ(answers.why(1), "error: nothing is recorded, so nothing can be asked\n");
    EXPECT_EQ(answers.why_not("migrate:node-01", 1),
              "error: nothing is recorded, so nothing can be asked\n");
}

TEST(RecordAnswers, of_a_folder_that_is_none_say_which) {
    EXPECT_NE(answers_from("/nowhere/at/all").why(1).find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace parley::app
