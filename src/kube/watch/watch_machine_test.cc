#include "kube/watch/watch_machine.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

Error error_of(ErrorCode code) { return {code, "x", std::nullopt}; }
const Failed kUnavailable{error_of(ErrorCode::unavailable)};
const Failed kExpired{error_of(ErrorCode::expired)};
const Failed kMalformed{error_of(ErrorCode::malformed)};
const Failed kDenied{error_of(ErrorCode::denied)};

std::string text_of(const Todo& todo) {
    if (const auto* list = std::get_if<List>(&todo)) return "list " + list->token;
    if (std::holds_alternative<StreamList>(todo)) return "stream";
    if (const auto* from = std::get_if<WatchFrom>(&todo)) return "watch " + from->version;
    if (std::holds_alternative<ReadOn>(todo)) return "read";
    const Wait& wait = std::get<Wait>(todo);
    return "wait " + std::to_string(wait.from.us / 1000) + "-" + std::to_string(wait.to.us / 1000);
}

/// Feeds events and compares what to do next.
class Story {
public:
    explicit Story(WatchRules rules = {}) : machine(rules) {}
    Story& then(const Happened& happened, const std::string& expected) {
        EXPECT_EQ(text_of(machine.resume(happened)), expected) << "step " << ++step_;
        return *this;
    }
    WatchMachine machine;

private:
    int step_ = 0;
};

const WatchRules kPaged{.streaming = false};

Story watching(WatchRules rules = kPaged) {
    Story story(rules);
    story.machine.resume(Begun{});
    story.machine.resume(PageCame{"", "100"});
    story.machine.resume(Opened{});
    return story;
}

TEST(WatchMachine, lists_page_by_page_and_watches_from_the_end_of_the_list) {
    Story story(kPaged);
    story.then(Begun{}, "list ");
    EXPECT_TRUE(story.machine.listing());
    story.then(PageCame{"t1", "100"}, "list t1").then(PageCame{"t2", "100"}, "list t2");
    EXPECT_FALSE(story.machine.in_step());
    story.then(PageCame{"", "100"}, "watch 100");
    EXPECT_TRUE(story.machine.in_step());
    EXPECT_FALSE(story.machine.listing());
    story.then(Opened{}, "read").then(Changed{"103"}, "read");
    story.then(Ended{seconds(300)}, "watch 103");
}

TEST(WatchMachine, a_streaming_list_goes_over_into_a_watch) {
    Story story;
    story.then(Begun{}, "stream").then(Opened{}, "read");
    story.then(Changed{"900"}, "read").then(Changed{"20"}, "read");
    EXPECT_FALSE(story.machine.in_step());
    story.then(Bookmarked{"1000", true}, "read");
    EXPECT_TRUE(story.machine.in_step());
    EXPECT_FALSE(story.machine.listing());
    story.then(Changed{"1001"}, "read").then(Ended{seconds(300)}, "watch 1001");
}

TEST(WatchMachine, a_streaming_list_that_fails_is_not_tried_again) {
    for (const Happened& failure :
         {Happened(kMalformed), Happened(kUnavailable), Happened(Ended{seconds(1)})}) {
        Story story;
        story.then(Begun{}, "stream").then(Opened{}, "read").then(Changed{"5"}, "read");
        story.then(failure, "wait 400-800").then(Waited{}, "list ");
        story.then(PageCame{"", "7"}, "watch 7").then(kExpired, "wait 800-1600");
        story.then(Waited{}, "list ");
    }
}

TEST(WatchMachine, no_connection_says_nothing_of_streaming_lists) {
    Story story;
    story.then(Begun{}, "stream").then(kUnavailable, "wait 400-800").then(Waited{}, "stream");
    story.then(kDenied, "wait 60000-70000").then(Waited{}, "stream");
}

TEST(WatchMachine, a_permission_that_was_never_there_is_asked_for_less_and_less_often) {
    Story denied(kPaged);
    denied.then(Begun{}, "list ");
    for (const char* wait : {"wait 60000-70000", "wait 120000-130000", "wait 240000-250000",
                             "wait 480000-490000", "wait 600000-610000", "wait 600000-610000"}) {
        denied.then(kDenied, wait).then(Waited{}, "list ");
    }
    denied.then(PageCame{"", "7"}, "watch 7").then(Opened{}, "read");
    EXPECT_TRUE(denied.machine.in_step()) << "a role that is granted later is noticed";
}

TEST(WatchMachine, a_permission_that_was_there_is_asked_for_sooner_and_by_a_whole_list) {
    Story revoked = watching();
    EXPECT_TRUE(revoked.machine.in_step());
    for (const char* wait : {"wait 5000-15000", "wait 10000-20000", "wait 20000-30000",
                             "wait 40000-50000", "wait 60000-70000", "wait 60000-70000"}) {
        revoked.then(kDenied, wait).then(Waited{}, "list ");
        EXPECT_FALSE(revoked.machine.in_step());
    }
    revoked.then(PageCame{"", "120"}, "watch 120");
    EXPECT_TRUE(revoked.machine.in_step());
    revoked.then(kDenied, "wait 5000-15000");
}

TEST(WatchMachine, waits_twice_as_long_after_each_failure_up_to_half_a_minute) {
    Story story = watching();
    story.then(kUnavailable, "wait 400-800").then(Waited{}, "watch 100");
    story.then(kUnavailable, "wait 800-1600").then(Waited{}, "watch 100");
    // The third watch in a row failed: its place may be invalid.
    story.then(kUnavailable, "wait 1600-3200").then(Waited{}, "list ");
    EXPECT_FALSE(story.machine.in_step());
    for (const char* wait : {"wait 3200-6400", "wait 6400-12800", "wait 12800-25600",
                             "wait 15000-30000", "wait 15000-30000"}) {
        story.then(kUnavailable, wait).then(Waited{}, "list ");
    }
    story.then(PageCame{"", "500"}, "watch 500").then(Opened{}, "read");
    story.then(Changed{"501"}, "read").then(kUnavailable, "wait 400-800");
}

TEST(WatchMachine, waits_as_long_as_the_server_says) {
    Failed busy = kUnavailable;
    busy.error.retry_after = seconds(7);
    watching().then(busy, "wait 7000-8000").then(Waited{}, "watch 100");
}

TEST(WatchMachine, expired_lists_at_once_but_not_for_ever) {
    Story story = watching();
    story.then(kExpired, "list ");
    EXPECT_FALSE(story.machine.in_step());
    story.then(PageCame{"", "200"}, "watch 200").then(kExpired, "wait 800-1600");
}

TEST(WatchMachine, a_line_that_cannot_be_read_loses_the_place) {
    Story story = watching();
    story.then(kMalformed, "wait 400-800").then(Waited{}, "list ");
    EXPECT_FALSE(story.machine.in_step());
}

TEST(WatchMachine, a_watch_that_ends_at_once_is_a_failure) {
    watching().then(Ended{seconds(5)}, "watch 100");
    watching()
        .then(Ended{seconds(5) - microseconds(1)}, "wait 400-800")
        .then(Waited{}, "watch 100");
}

TEST(WatchMachine, a_page_that_does_not_come_is_asked_for_again) {
    Story story(kPaged);
    story.then(Begun{}, "list ").then(PageCame{"t1", "9"}, "list t1");
    story.then(kUnavailable, "wait 400-800").then(Waited{}, "list t1");
    EXPECT_TRUE(story.machine.listing());
    story.then(PageCame{"t2", "9"}, "list t2");
    // The same page failed three times: something else may be wrong.
    story.then(kUnavailable, "wait 800-1600").then(Waited{}, "list t2");
    story.then(kUnavailable, "wait 1600-3200").then(Waited{}, "list t2");
    story.then(kUnavailable, "wait 3200-6400").then(Waited{}, "list ");
    story.then(kUnavailable, "wait 6400-12800").then(Waited{}, "list ");
    story.then(PageCame{"", "9"}, "watch 9");
}

TEST(WatchMachine, a_page_that_is_gone_or_broken_starts_over) {
    Story story(kPaged);
    story.then(Begun{}, "list ").then(PageCame{"t1", "9"}, "list t1");
    story.then(kExpired, "wait 400-800").then(Waited{}, "list ");
    story.then(PageCame{"t1", "9"}, "list t1");
    story.then(kMalformed, "wait 800-1600").then(Waited{}, "list ");
}

TEST(WatchMachine, patience_ends_sooner_once_bookmarks_come) {
    Story story = watching();
    EXPECT_EQ(story.machine.patience(), seconds(660));
    story.then(Bookmarked{"105", false}, "read");
    EXPECT_EQ(story.machine.patience(), seconds(150));
    story.then(kUnavailable, "wait 400-800").then(Waited{}, "watch 105");
}

TEST(WatchMachine, an_older_list_means_that_the_past_was_restored) {
    Story story = watching();
    EXPECT_FALSE(story.machine.went_back());
    story.then(kExpired, "list ").then(PageCame{"", "99"}, "watch 99");
    EXPECT_TRUE(story.machine.went_back());
    story.then(kMalformed, "wait 800-1600").then(Waited{}, "list ");
    story.then(PageCame{"", "99"}, "watch 99");
    EXPECT_FALSE(story.machine.went_back());
}

TEST(WatchMachine, a_verification_lists_in_pages_and_goes_on_watching) {
    Story story = watching({});
    story.then(VerifyDue{}, "list ");
    EXPECT_TRUE(story.machine.in_step()) << "what is known stays known meanwhile";
    story.then(PageCame{"", "150"}, "watch 150");
}

}  // namespace
}  // namespace parley::kube
