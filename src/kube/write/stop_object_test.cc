#include "kube/write/stop_object.h"

#include "kube/write/one_object_test.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <chrono>
#include <functional>

namespace parley::kube {
namespace {

using http::Reply;

std::string object(const std::string& version, const std::string& data) {
    return R"({"metadata":{"name":"parley-stop","resourceVersion":")" + version + R"("},"data":)" +
           data + "}";
}
std::string list_of(const std::string& items) {
    return R"({"metadata":{"resourceVersion":"40"},"items":[)" + items + "]}";
}

TEST(StopObject, stops_unless_it_is_not_there_or_says_that_it_does_not) {
    const auto stops = [](const std::string& data) { return read_stop(object("7", data))->stops; };
    EXPECT_TRUE(stops(R"({"stopped":"true","who":"alice","at":"now","run":"3"})"));
    EXPECT_TRUE(stops("{}")) << "kubectl create configmap parley-stop";
    EXPECT_TRUE(stops("null"));
    EXPECT_TRUE(stops(R"({"stopped":"no"})"));
    EXPECT_FALSE(stops(R"({"stopped":"false"})"));
    EXPECT_EQ(read_stop(object("7", R"({"who":"alice","at":"now","run":"3"})"))->word,
              (StopWord{"alice", "now", "3"}));
    EXPECT_FALSE(read_stop("{}")) << "no version";
    EXPECT_FALSE(read_stop("no JSON"));
    EXPECT_FALSE(read_stop_list(list_of(""))->seen.stops);
    EXPECT_TRUE(read_stop_list(list_of(object("7", "{}")))->seen.stops);
    EXPECT_EQ(read_stop_list(list_of(""))->from, "40");
    EXPECT_FALSE(read_stop_list(R"({"items":[]})"));
}

TEST(StopObject, is_read_back_as_it_was_written) {
    const StopWord word{"alice \"a\"", "2027-01-31T18:00:00Z", "3", "it is back"};
    for (const bool stops : {true, false}) {
        const auto back = read_stop(stop_body("home", stops, word, "9"));
        ASSERT_TRUE(back);
        EXPECT_EQ(*back, (StopSeen{stops, word, "9"}));
    }
    EXPECT_EQ(stop_body("home", true, word, "").find("resourceVersion"), std::string::npos);
}

struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request& asked) {
              if (status != 200) return Reply{.status = status, .headers = kJsonType, .body = "{}"};
              if (asked.target.find("watch=1") != std::string::npos) {
                  return Reply{
                      .headers = kJsonType, .pieces = events, .manner = Reply::Manner::hang_after};
              }
              if (asked.method == "GET") {
                  return Reply{.headers = kJsonType, .body = list_of(stored)};
              }
              said.push_back(asked.method + " " + asked.target);
              stored = asked.body;  // With a version, which a new object has not said.
              if (asked.method == "POST") {
                  stored.insert(stored.find(R"("name")"), R"("resourceVersion":"41",)");
              }
              return Reply{.headers = kJsonType, .body = stored};
          }) {
        stop = std::make_unique<StopObject>(api_of(loop, server), "home");
    }
    void look() {
        (void)loop.ask([](StopObject& object) -> boost::asio::awaitable<bool> {
            co_await object.look();
            co_return true;
        }(*stop));
    }
    /// Follows it until that holds, for 10 s at most.
    bool follow_until(const std::function<bool()>& holds) {
        boost::asio::co_spawn(loop.executor(), stop->follow(), boost::asio::detached);
        const Deadline limit(seconds(10));
        while (!limit.over() && !holds()) loop.context().run_one_for(std::chrono::seconds(1));
        return holds();
    }

    int status = 200;
    std::string stored;
    std::vector<std::string> events;  ///< What a watch says, and then nothing more.
    std::vector<std::string> said;
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<StopObject> stop;
};

TEST(StopObject, is_not_known_before_it_was_read) {
    Bench bench;
    EXPECT_FALSE(bench.stop->now());
    EXPECT_NE(bench.stop->trouble(), "");
    bench.status = 403;
    bench.look();
    EXPECT_FALSE(bench.stop->now()) << "who may not read it may not send";
    EXPECT_NE(bench.stop->trouble().find("config map home/parley-stop"), std::string::npos);
    bench.status = 200;
    bench.look();
    ASSERT_TRUE(bench.stop->now());
    EXPECT_FALSE(bench.stop->now()->stops);
    EXPECT_EQ(bench.stop->trouble(), "");
    bench.status = 503;
    bench.look();
    EXPECT_TRUE(bench.stop->now()) << "what was seen a moment ago still counts";
}

std::string event(const std::string& type, const std::string& about) {
    return R"({"type":")" + type + R"(","object":)" + about + "}\n";
}

TEST(StopObject, a_stop_by_hand_is_known_through_the_watch) {
    Bench bench;
    bench.events = {event("ADDED", object("41", "{}"))};
    EXPECT_TRUE(bench.follow_until([&] { return bench.stop->now() && bench.stop->now()->stops; }));
}

TEST(StopObject, whose_removal_or_false_lifts_it) {
    for (const std::string& last : {event("DELETED", object("42", "{}")),
                                    event("MODIFIED", object("42", R"({"stopped":"false"})"))}) {
        Bench bench;
        bench.stored = object("7", "{}");
        bench.events = {event("BOOKMARK", object("41", "{}")), last};
        EXPECT_TRUE(
            bench.follow_until([&] { return bench.stop->now() && !bench.stop->now()->stops; }));
    }
}

TEST(StopObject, what_the_watch_cannot_say_is_read_again) {
    Bench bench;
    bench.events = {event("ERROR", R"({"code":410})")};
    EXPECT_TRUE(bench.follow_until([&] {
        bench.stored = object("50", "{}");  // Nobody says so but the next list.
        return bench.stop->now() && bench.stop->now()->stops;
    }));
}

TEST(StopObject, is_made_once_and_then_changed) {
    Bench bench;
    EXPECT_FALSE(bench.loop.ask(bench.stop->write(true, {}))) << "it was not read";
    bench.look();
    ASSERT_TRUE(bench.loop.ask(bench.stop->write(true, {"alice", "now", "3"})));
    EXPECT_TRUE(bench.stop->now()->stops);
    ASSERT_TRUE(bench.loop.ask(bench.stop->write(false, {"bob", "later", "3"})));
    EXPECT_FALSE(bench.stop->now()->stops);
    EXPECT_EQ(bench.stop->now()->word.who, "bob");
    const std::string path = "/api/v1/namespaces/home/configmaps";
    EXPECT_EQ(bench.said,
              (std::vector<std::string>{"POST " + path + "?fieldManager=parley",
                                        "PUT " + path + "/parley-stop?fieldManager=parley"}));
}

}  // namespace
}  // namespace parley::kube
