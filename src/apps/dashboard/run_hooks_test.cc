#include "apps/dashboard/run_hooks.h"

#include "fake/disk.h"
#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

#include <string>

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

/// Three rounds: node-07 is acted on in the first, and its score closes in the last.
void record_three(Disk& disk) {
    namespace kit = explanation::kit;
    kit::Round first(1, {seconds(3).us});
    kit::Recording recording(disk, "run", first.policy);
    for (model::Judged& each : first.decision.verdict.judged) {
        each.proposal.because = "Its risk was higher in round 99.";
    }
    recording.keep(first, first.all_sent());
    kit::Round second(2, {seconds(6).us});
    second.decide_nothing("as in round 98", "calm");
    recording.keep(second);
    kit::Round third(3, {seconds(9).us});
    third.decide_nothing("calm", "calm");
    third.decision.closed.push_back({.id = {7, 1},
                                     .round = 1,
                                     .closed = 3,
                                     .action = model::Replicate{},
                                     .target = kit::node_id(7)});
    recording.keep(third);
    recording.finish(3);
}

std::string links_to(const web::AskView& view) {
    std::string text;
    for (const web::AskLink& link : view.links) {
        EXPECT_EQ(link.text, "round " + std::to_string(link.round.value_or(0)));
        text += (text.empty() ? "" : " ") + std::to_string(link.round.value_or(0));
    }
    return text;
}

TEST(AskRecord, links_lead_to_rounds_that_the_answer_holds_not_to_those_in_its_sentences) {
    fake::Disk disk;
    record_three(disk);
    const auto round = ask_record(disk, "run", "why 1", std::nullopt);
    EXPECT_EQ(round.error, "");
    EXPECT_EQ(links_to(round), "1 3") << "decided, and its score closed";
    const auto node = ask_record(disk, "run", "why node-07", std::nullopt);
    EXPECT_EQ(links_to(node), "1 3");
    const auto not_done = ask_record(disk, "run", "why-not migrate:node-03", 2);
    EXPECT_EQ(not_done.error, "");
    EXPECT_EQ(links_to(not_done), "2");
}

}  // namespace
}  // namespace parley::app
