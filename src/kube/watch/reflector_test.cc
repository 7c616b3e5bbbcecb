#include "kube/watch/reflector.h"

#include "base/clock_wait.h"
#include "http/imposter.h"
#include "http/test_loop.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <gtest/gtest.h>

#include <set>

namespace parley::kube {
namespace {

using http::Reply;
using Manner = Reply::Manner;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};

std::string node_json(int number, int version) {
    const std::string n = std::to_string(number);
    return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"node-)" + n +
           R"(","uid":"00000000-0000-4000-8000-00000000000)" + n + R"(","resourceVersion":")" +
           std::to_string(version) + R"(","creationTimestamp":"2026-01-01T00:00:00Z"}})";
}

std::string list_json(const std::vector<std::string>& items, int version,
                      const std::string& token = "") {
    std::string all;
    for (const std::string& item : items) all += (all.empty() ? "" : ",") + item;
    return R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":")" +
           std::to_string(version) + R"(","continue":")" + token + R"("},"items":[)" + all + "]}";
}

std::string event_json(const std::string& type, const std::string& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string bookmark_json(int version, bool ends) {
    return event_json("BOOKMARK",
                      R"({"kind":"Node","apiVersion":"v1","metadata":{"resourceVersion":")" +
                          std::to_string(version) + R"(")" +
                          (ends ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "") +
                          "}}");
}

std::string status_json(int code, const std::string& message) {
    return R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":)" +
           std::to_string(code) + R"(,"message":")" + message + "\"}";
}

bool has(const http::Request& request, std::string_view part) {
    return request.target.find(part) != std::string::npos;
}
bool watches(const http::Request& request) { return has(request, "watch=1"); }
bool streams(const http::Request& request) { return has(request, "sendInitialEvents"); }

Reply json(std::string body) { return {.headers = kJson, .body = std::move(body)}; }
Reply stream(std::vector<std::string> lines) {
    return {.headers = kJson, .pieces = std::move(lines), .manner = Manner::hang_after};
}
Reply refusal(int code) {
    return {.status = code, .headers = kJson, .body = status_json(code, "no")};
}

/// A reflector of nodes against a scripted server; all other kinds count as absent.
struct Bench {
    explicit Bench(http::Imposter::Script script, bool streaming = false)
        : server(loop.executor(), std::move(script)) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        api = *Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        ReflectorOptions options;
        options.rules.streaming = streaming;
        options.rules.wait_min = milliseconds(2);
        options.rules.wait_max = milliseconds(4);
        options.rules.short_watch = {};
        options.page = 2;
        options.page_limits.whole = milliseconds(200);
        options.line_max = milliseconds(200);
        reflector = std::make_shared<Reflector>(*api, picture, Kind::node, "", options);
        for (const KindFacts& kind : all_kinds()) {
            if (kind.kind != Kind::node) picture.set_absent(kind.kind);
        }
        const auto run = [](std::shared_ptr<Reflector> it) -> boost::asio::awaitable<void> {
            co_await it->follow();
        };
        boost::asio::co_spawn(loop.context(), run(reflector), boost::asio::detached);
    }

    /// Runs until this holds, for at most ten seconds.
    bool until(const std::function<bool()>& holds) {
        const Deadline deadline(seconds(10));
        while (!holds() && !deadline.over()) {
            loop.context().run_one_for(std::chrono::milliseconds(50));
        }
        return holds();
    }
    bool in_step() {
        return until([this] { return reflector->state().condition == Condition::in_step; });
    }
    /// Names of the nodes that the picture has told of so far.
    std::set<std::string> nodes() {
        const auto batch = picture.take(TimePoint{});
        for (const cluster::Change& change : batch.changes) {
            if (const auto* node = std::get_if<cluster::NodeChange>(&change)) {
                names[node->row.uid.text()] = node->row.id.text();
            }
            if (const auto* gone = std::get_if<cluster::NodeGone>(&change)) {
                names.erase(gone->uid.text());
            }
        }
        std::set<std::string> out;
        for (const auto& [uid, name] : names) out.insert(name);
        return out;
    }

    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Api> api;
    Picture picture;
    std::shared_ptr<Reflector> reflector;
    std::map<std::string, std::string> names;
};

using Names = std::set<std::string>;

TEST(Reflector, lists_page_by_page_and_follows_changes) {
    Bench bench([](const http::Request& request) {
        if (watches(request)) {
            EXPECT_TRUE(has(request, "resourceVersion=10"));
            EXPECT_TRUE(has(request, "allowWatchBookmarks=true"));
            return stream({event_json("ADDED", node_json(4, 11)),
                           event_json("DELETED", node_json(1, 12)), bookmark_json(13, false)});
        }
        EXPECT_TRUE(has(request, "limit=2"));
        if (has(request, "continue=t1")) return json(list_json({node_json(3, 3)}, 10));
        return json(list_json({node_json(1, 1), node_json(2, 2)}, 10, "t1"));
    });
    ASSERT_TRUE(bench.in_step());
    ASSERT_TRUE(bench.until([&] { return bench.reflector->state().events == 3; }));
    EXPECT_EQ(bench.nodes(), (Names{"node-2", "node-3", "node-4"}));
    EXPECT_EQ(bench.server.requests().size(), 3U);
}

TEST(Reflector, a_page_that_fails_is_asked_for_again_and_none_before_it) {
    int first = 0;
    int second = 0;
    Bench bench([&](const http::Request& request) {
        if (watches(request)) return stream({});
        if (has(request, "continue=t1")) {
            return ++second < 3 ? refusal(500) : json(list_json({node_json(3, 3)}, 10));
        }
        ++first;
        return json(list_json({node_json(1, 1), node_json(2, 2)}, 10, "t1"));
    });
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), (Names{"node-1", "node-2", "node-3"}));
    EXPECT_EQ(first, 1);
    EXPECT_EQ(second, 3);
    EXPECT_EQ(bench.reflector->state().lists, 1U);
}

TEST(Reflector, a_streaming_list_replaces_what_was_known_only_at_its_end) {
    Bench bench(
        [](const http::Request& request) {
            EXPECT_TRUE(streams(request));
            return stream({event_json("ADDED", node_json(1, 5)), bookmark_json(9, true),
                           event_json("MODIFIED", node_json(1, 10))});
        },
        true);
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), Names{"node-1"});
    EXPECT_EQ(bench.server.requests().size(), 1U);
}

TEST(Reflector, an_error_inside_a_streaming_list_falls_back_to_pages) {
    int streamed = 0;
    Bench bench(
        [&](const http::Request& request) {
            if (streams(request)) {
                ++streamed;
                return stream({event_json("ADDED", node_json(9, 5)),
                               event_json("ERROR", status_json(500, "etcd is too old"))});
            }
            if (watches(request)) return stream({});
            return json(list_json({node_json(1, 1)}, 10));
        },
        true);
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), Names{"node-1"}) << "the list that broke off says nothing";
    EXPECT_EQ(streamed, 1);
}

TEST(Reflector, lists_again_when_its_place_is_too_old) {
    int lists = 0;
    Bench bench([&](const http::Request& request) {
        if (!watches(request)) {
            ++lists;
            return json(list_json({node_json(lists, lists * 10)}, lists * 10));
        }
        if (lists == 1) return stream({event_json("ERROR", status_json(410, "too old"))});
        return stream({});
    });
    ASSERT_TRUE(bench.until([&] { return bench.reflector->state().lists == 2; }));
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), Names{"node-2"});
}

struct Breakage {
    const char* what;
    Reply reply;
};

TEST(Reflector, whatever_breaks_it_ends_in_step_again) {
    const Breakage cases[] = {
        {"500", refusal(500)},
        {"429", {.status = 429, .headers = {{"Retry-After", "0"}}, .body = "{}"}},
        {"reset", {.manner = Manner::reset}},
        {"cut", {.headers = kJson, .body = list_json({node_json(7, 1)}, 5), .manner = Manner::cut}},
        {"garbage", {.body = "\x01\x02\x03\r\n\r\n", .manner = Manner::raw}},
        {"HTML", {.headers = {{"Content-Type", "text/html"}}, .body = "<html>log in</html>"}},
        {"half a line", stream({R"({"type":"ADDED","obj)"})},
        {"no JSON", stream({"hello\n"})},
        {"unknown type", stream({event_json("SURPRISE", node_json(8, 50))})},
    };
    for (const Breakage& c : cases) {
        for (const bool on_watch : {false, true}) {
            int times = 0;
            Bench bench([&](const http::Request& request) {
                if (watches(request) == on_watch && times++ < 2) return c.reply;
                return watches(request) ? stream({event_json("ADDED", node_json(2, 11))})
                                        : json(list_json({node_json(1, 1)}, 10));
            });
            EXPECT_TRUE(bench.until([&] {
                return bench.reflector->state().condition == Condition::in_step &&
                       bench.nodes() == Names{"node-1", "node-2"};
            })) << c.what
                << (on_watch ? " on watch: " : " on list: ") << bench.reflector->state().trouble;
            EXPECT_EQ(bench.reflector->state().trouble, "") << c.what;
        }
    }
}

TEST(Reflector, a_kind_that_we_may_not_read_is_done_without_and_says_why) {
    Bench denied([](const http::Request&) { return refusal(403); });
    ASSERT_TRUE(denied.until([&] { return denied.picture.complete(); }));
    EXPECT_EQ(denied.reflector->state().condition, Condition::denied);
    EXPECT_EQ(denied.reflector->state().trouble, "listing nodes: 403, no");
    Bench absent([](const http::Request&) { return refusal(404); });
    ASSERT_TRUE(absent.until([&] { return absent.picture.complete(); }));
    EXPECT_EQ(absent.reflector->state().condition, Condition::absent);
    EXPECT_EQ(absent.server.requests().size(), 1U);
}

TEST(Reflector, what_was_read_once_is_kept_when_permission_is_taken_away) {
    int watched = 0;
    Bench bench([&](const http::Request& request) {
        if (!watches(request) && watched == 0) return json(list_json({node_json(1, 1)}, 10));
        ++watched;
        return refusal(403);
    });
    ASSERT_TRUE(
        bench.until([&] { return bench.reflector->state().condition == Condition::broken; }));
    EXPECT_EQ(bench.nodes(), Names{"node-1"});
}

TEST(Reflector, what_cannot_be_understood_is_counted_and_not_fatal) {
    Bench bench([](const http::Request& request) {
        if (watches(request)) return stream({event_json("ADDED", R"({"metadata":{"name":7}})")});
        return json(list_json({node_json(1, 1), R"({"metadata":{}})"}, 10));
    });
    ASSERT_TRUE(bench.in_step());
    ASSERT_TRUE(bench.until([&] { return bench.reflector->state().unreadable == 2; }));
    EXPECT_EQ(bench.nodes(), Names{"node-1"});
    EXPECT_EQ(bench.reflector->state().examples.size(), 2U);
}

TEST(Reflector, starts_over_when_it_is_told_to) {
    int lists = 0;
    Bench bench([&](const http::Request& request) {
        if (watches(request)) return stream({});
        ++lists;
        return json(list_json({node_json(lists, 1)}, 10));
    });
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), Names{"node-1"});
    bench.reflector->start_over();
    ASSERT_TRUE(bench.until([&] { return lists == 2; }));
    ASSERT_TRUE(bench.in_step());
    EXPECT_EQ(bench.nodes(), Names{"node-2"});
}

}  // namespace
}  // namespace parley::kube
