#include "apps/live/live_text.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

LiveOptions prod() {
    LiveOptions live;
    live.name = "prod";
    live.access.server = {.tls = true, .host = "10.0.0.1", .port = 6443};
    live.access.from = "admin.conf";
    return live;
}

TEST(LiveText, greets_with_the_cluster_and_the_mode) {
    const std::string text = live_greeting(prod());
    EXPECT_TRUE(text.starts_with("Following prod at https://10.0.0.1:6443 (admin.conf), mode "))
        << text;
    EXPECT_TRUE(text.ends_with("; Ctrl-C ends it.\n")) << text;
}

TEST(LiveText, says_where_it_listens_for_the_api_server) {
    LiveOptions live = prod();
    live.webhook = kube::WebhookOptions{.address = "127.0.0.1", .port = 9443};
    EXPECT_NE(live_greeting(live).find("about new Jobs, on 127.0.0.1 port 9443.\n"),
              std::string::npos);
}

TEST(LiveText, says_what_the_exerciser_touches_and_whether_its_pods_count) {
    LiveOptions live = prod();
    live.exercise = ExerciseOptions{.plan = {.space = "ex"}};
    live.exercise->plan.watched = true;
    const std::string counted = live_greeting(live);
    EXPECT_NE(counted.find(touched_text("prod", *live.exercise) + "\n"), std::string::npos);
    EXPECT_EQ(counted.find("are not counted"), std::string::npos) << counted;
    live.exercise->plan.watched = false;
    EXPECT_TRUE(live_greeting(live).ends_with(
        "Its pods are not counted: --namespace-prefixes leaves out ex.\n"));
}

TEST(LiveText, says_what_following_cost) {
    LiveState state;
    state.cluster.requests = 30;
    EXPECT_EQ(load_text(state, seconds(20)), "Asked the API server 30 times, 1.5 a second.\n");
    state.cluster.program = "aws";
    state.skipped = 2;
    EXPECT_EQ(load_text(state, seconds(20)),
              "Asked the API server 30 times, 1.5 a second.\nLogged in by aws.\n"
              "2 rounds were left out, as others took too long.\n");
    EXPECT_NE(load_text(state, {}).find("a second"), std::string::npos) << "no time has passed";
    LiveState acts;
    acts.leadership = {.leads = true, .epoch = 3, .holder = "me"};
    EXPECT_TRUE(load_text(acts, seconds(20)).ends_with("Led in epoch 3.\n"));
    acts.leadership = {.holder = "other"};
    EXPECT_TRUE(load_text(acts, seconds(20)).ends_with("Did not lead at the end: other did.\n"));
    acts.leadership.trouble = "reading the lease: 403";
    EXPECT_TRUE(load_text(acts, seconds(20))
                    .ends_with("Did not lead at the end: reading the lease: 403.\n"));
}

TEST(LiveText, tells_how_the_exerciser_began_and_ended_and_what_stayed_wrong) {
    const auto happened = [](const char* text, bool fine, bool last) {
        exercise::Happened one;
        one.place = "prod/ex";
        one.text = text;
        one.fine = fine;
        one.last = last;
        return one;
    };
    EXPECT_EQ(exercise_text({}), "");
    EXPECT_EQ(exercise_text(
                  {happened("made its namespace", true, true), happened("phase 1", true, true),
                   happened("phase 2, tried again", false, false),
                   happened("phase 3 failed", false, true), happened("cleaned up", true, true)}),
              "Exerciser, prod/ex: made its namespace.\nExerciser, prod/ex: phase 3 failed.\n"
              "Exerciser, prod/ex: cleaned up.\n");
}

}  // namespace
}  // namespace parley::app
