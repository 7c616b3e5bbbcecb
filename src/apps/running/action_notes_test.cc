#include "apps/running/action_notes.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

#include <utility>

namespace parley::app {
namespace {

using namespace model;
using explanation::kit::Round;

/// The replicate of node-07, round by round.
struct Course {
    Course() {
        round.input.controls.mode = Mode::act;
        round.decision.forecast = round.forecast;
    }

    /// The notes of a round: "began: replicate node-07. ...", a line each; '!' marks a warning.
    std::string take(std::vector<ActionEvent> events = {}) {
        Published published;
        published.input = round.input;
        published.decision = round.decision;
        published.events = std::move(events);
        std::string out;
        for (const ActionNote& note : notes.take(published)) {
            EXPECT_EQ(note.target, Target(fake::node_id(7)));
            EXPECT_EQ(note.kind, ActionKind::replicate);
            out += std::string(enum_name(note.moment)) + (note.warning ? "!" : "") + ": " +
                   note.text + "\n";
        }
        return out;
    }
    /// The next round, which decides nothing.
    void next() {
        round.move_to(round.input.round + 1, round.input.now + seconds(3));
        round.decide_nothing("all is well", "nothing to save");
        round.decision.ended.clear();
    }
    void ends(ActionState how, std::string note, bool undone = true) {
        OpenAction over = action;
        over.undoing = undone;
        over.ended = over.state = how;
        over.note = std::move(note);
        if (undone) over.undo = {SetTaint{fake::node_id(7), Taint::none}};
        round.decision.ended = {over};
    }

    Round round;
    OpenAction action = round.open_action();
    ActionNotes notes{round.policy};
};

TEST(ActionNotes, an_action_begins_is_done_and_is_undone) {
    Course course;
    EXPECT_EQ(course.take(course.round.all_sent()),
              "began: replicate node-07. Risk 0.86 of failing in 10 min: waiting costs 41.3 "
              "pod-minutes, acting 12.0. Expires 1970-01-01T00:37:06Z.\n"
              "done: replicate node-07 is done: 3 of 3 answered ok.\n");
    course.next();
    EXPECT_EQ(course.take(), "") << "nothing is new";
    course.next();
    course.ends(ActionState::confirmed, "");
    EXPECT_EQ(course.take(), "undone: replicate node-07 is over and was undone.\n");
    course.next();
    EXPECT_EQ(course.take(), "");
}

TEST(ActionNotes, nothing_has_begun_before_something_was_changed) {
    Course course;
    EXPECT_EQ(course.take({course.round.unmarked("the guard holds it")}), "");
    const ActionEvent marked[] = {course.round.unmarked(), course.round.answered()};
    course.next();
    const std::string said = course.take({marked[0], marked[1]});
    EXPECT_TRUE(said.starts_with("began: replicate node-07. Risk 0.86")) << said;
    EXPECT_EQ(said.find("done:"), std::string::npos);
}

TEST(ActionNotes, what_is_given_up_is_a_warning_and_is_undone) {
    Course course;
    const std::string said =
        course.take({course.round.unmarked(), course.round.answered(), course.round.seen(),
                     course.round.failed(ErrorCode::denied, "a webhook said no")});
    EXPECT_NE(said.find("gave_up!: replicate node-07 was given up (a webhook said no).\n"),
              std::string::npos)
        << said;
    course.next();
    course.ends(ActionState::expired, "its time ran out");
    EXPECT_EQ(course.take(),
              "undone: replicate node-07 is over and was undone (its time ran out).\n")
        << "given up was said before";
}

TEST(ActionNotes, what_could_not_be_undone_is_a_warning) {
    Course course;
    course.take(course.round.all_sent());
    course.next();
    OpenAction undoing = course.action;
    undoing.undoing = true;
    undoing.ended = ActionState::confirmed;
    undoing.undo = {SetTaint{fake::node_id(7), Taint::none}};
    undoing.state = ActionState::marked;
    course.round.decision.first_steps = {{undoing, Read{}}};
    EXPECT_EQ(course.take(), "") << "it expired, as it should";
    course.round.decision.first_steps.clear();
    course.round.move_to(144, course.round.input.now + seconds(3));
    course.ends(ActionState::failed, "403");
    EXPECT_EQ(course.take(),
              "not_undone!: replicate node-07 is over and could not all be undone (403).\n");
}

TEST(ActionNotes, what_is_gone_is_no_warning) {
    Course course;
    course.take();
    course.next();
    course.ends(ActionState::moot, "node-07 is gone", false);
    EXPECT_EQ(course.take(), "gave_up: replicate node-07 was given up (node-07 is gone).\n");
}

TEST(ActionNotes, a_follower_tells_nothing_and_a_new_leader_only_what_comes) {
    Course course;
    course.round.input.controls.mode = Mode::dry_run;
    EXPECT_EQ(course.take(course.round.all_sent()), "");
    course.next();
    course.round.input.controls.mode = Mode::act;
    OpenAction taken = course.action;
    for (PlannedStep& step : taken.plan) step.ours = true;
    taken.confirmed = course.round.input.now;
    taken.state = ActionState::marked;
    taken.at = 2;
    course.round.decision.first_steps = {{taken, Read{}}};
    EXPECT_EQ(course.take(), "") << "it was begun by another";
    course.round.decision.first_steps.clear();
    course.round.move_to(144, course.round.input.now + seconds(3));
    course.ends(ActionState::confirmed, "");
    EXPECT_EQ(course.take(), "undone: replicate node-07 is over and was undone.\n");
}

TEST(ActionNotes, what_is_held_at_once_is_no_action_on_its_way) {
    Course course;
    course.round.decision.first_steps.front().action.state = ActionState::held;
    EXPECT_EQ(course.take(), "");
    course.next();
    EXPECT_EQ(course.take(course.round.all_sent()), "");
}

}  // namespace
}  // namespace parley::app
