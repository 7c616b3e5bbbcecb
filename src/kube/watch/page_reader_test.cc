#include "kube/watch/page_reader.h"

#include "http/imposter.h"
#include "http/test_loop.h"
#include "http/url.h"
#include "kube/decode/proto_kit_test.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::kube {
namespace {

using http::Reply;
using Manner = Reply::Manner;

struct Head {
    const char* name;
    std::string begun;
    std::string next;
};

TEST(PageReader, the_next_page_stands_in_the_head_of_this_one) {
    const std::string late(9000, ' ');
    const Head cases[] = {
        {"named", R"({"kind":"PodList","metadata":{"continue":"abc-_=","remaining":1},"items":[)",
         "abc-_="},
        {"nothing_yet", "", ""},
        {"half_of_it", R"({"kind":"PodList","metadata":{"continue":"ab)", ""},
        {"the_last", R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{}]})", ""},
        {"none_said", R"({"metadata":{"continue":""},"items":[]})", ""},
        {"of_an_item", R"({"metadata":{},"items":[{"continue":"mine"}]})", ""},
        {"behind_the_items", R"({"items":[],"metadata":{"continue":"abc"}})", ""},
        {"written_otherwise", R"({"metadata":{"continue":"a\u0062"},"items":[]})", ""},
        {"too_far", late + R"({"metadata":{"continue":"abc"}})", ""},
        {"no_page", "<html>log in</html>", ""},
    };
    for (const Head& c : cases) EXPECT_EQ(next_in_head(c.begun), c.next) << c.name;
}

std::string page_text(int number, const std::string& next) {
    return R"({"metadata":{"continue":")" + next + R"("},"items":[)" + std::to_string(number) +
           "]}";
}

/// Pages 0, 1, 2, ... of a scripted server; a page's token is its number.
struct Bench {
    explicit Bench(http::Imposter::Script script, bool proto = false)
        : server(loop.executor(), std::move(script)) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        api = *Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        reader.emplace(*api, "listing pods", http::Limits{.whole = milliseconds(500)}, proto,
                       [](const std::string& token, bool) {
                           return "/pods" + http::query({{"continue", token}});
                       });
    }

    Result<http::Response> read(const std::string& token) { return loop.ask(reader->read(token)); }
    std::vector<std::string> asked() const {
        std::vector<std::string> out;
        for (const http::Request& request : server.requests()) out.push_back(request.target);
        return out;
    }

    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Api> api;
    std::optional<PageReader> reader;
};

Reply json(std::string body) {
    return {.headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

/// Sends the head at once, the rest never.
Reply hangs(const std::string& head) {
    return {.headers = {{"Content-Type", "application/json"}},
            .pieces = {head},
            .manner = Manner::hang_after};
}

using Targets = std::vector<std::string>;

TEST(PageReader, a_page_is_asked_for_while_the_one_before_it_is_still_written) {
    Bench bench([](const http::Request& request) {
        if (request.target == "/pods") return hangs(R"({"metadata":{"continue":"1"},"items":[)");
        return json(page_text(1, ""));
    });
    EXPECT_FALSE(bench.read("")) << "it never came to its end";
    EXPECT_EQ(bench.asked(), (Targets{"/pods", "/pods?continue=1"}));
}

TEST(PageReader, only_one_page_is_ahead_and_none_is_asked_for_twice) {
    Bench bench([](const http::Request& request) {
        if (request.target == "/pods") return json(page_text(0, "1"));
        if (request.target == "/pods?continue=1") return json(page_text(1, "2"));
        return json(page_text(2, ""));
    });
    ASSERT_EQ(bench.read("")->body, page_text(0, "1"));
    for (int turn = 0; turn < 200; ++turn) {
        bench.loop.context().run_one_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(bench.asked(), (Targets{"/pods", "/pods?continue=1"}))
        << "who reads slowly is not overwhelmed";
    ASSERT_EQ(bench.read("1")->body, page_text(1, "2"));
    ASSERT_EQ(bench.read("2")->body, page_text(2, ""));
    EXPECT_EQ(bench.asked(), (Targets{"/pods", "/pods?continue=1", "/pods?continue=2"}));
}

TEST(PageReader, a_page_that_failed_ahead_is_told_when_it_is_its_turn_and_then_asked_for_again) {
    int asked = 0;
    Bench bench([&](const http::Request& request) {
        if (request.target == "/pods") return json(page_text(0, "1"));
        return ++asked == 1 ? Reply{.status = 500} : json(page_text(1, ""));
    });
    ASSERT_TRUE(bench.read(""));
    const auto failed = bench.read("1");
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::unavailable);
    EXPECT_EQ(bench.read("1")->body, page_text(1, ""));
}

TEST(PageReader, a_page_read_again_uses_what_came_ahead_unless_that_failed) {
    for (const bool failed : {false, true}) {
        std::map<std::string, int> asked;
        Bench bench([&](const http::Request& request) {
            const int times = ++asked[request.target];
            if (request.target == "/pods") return json(page_text(0, "1"));
            if (request.target == "/pods?continue=1") {
                return times == 1 ? hangs(R"({"metadata":{"continue":"2"},"items":[)")
                                  : json(page_text(1, "2"));
            }
            return failed && times == 1 ? Reply{.status = 500} : json(page_text(2, ""));
        });
        ASSERT_TRUE(bench.read(""));
        ASSERT_FALSE(bench.read("1"));
        ASSERT_EQ(bench.read("1")->body, page_text(1, "2"));
        ASSERT_EQ(bench.read("2")->body, page_text(2, "")) << failed;
        EXPECT_EQ(asked["/pods?continue=2"], failed ? 2 : 1);
    }
}

TEST(PageReader, a_list_that_begins_again_takes_nothing_of_the_one_before) {
    int lists = 0;
    Bench bench([&](const http::Request& request) {
        if (request.target == "/pods") return json(page_text(++lists * 10, "1"));
        return json(page_text(lists * 10 + 1, ""));
    });
    ASSERT_EQ(bench.read("")->body, page_text(10, "1"));
    bench.loop.context().run_for(std::chrono::milliseconds(20));  // Page 11 has arrived ahead.
    ASSERT_EQ(bench.read("")->body, page_text(20, "1"));
    EXPECT_EQ(bench.read("1")->body, page_text(21, ""));
}

TEST(PageReader, protobuf_is_asked_for_and_read_as_json_until_it_cannot_be_understood) {
    const auto proto = [](std::string body) {
        return Reply{.headers = {{"Content-Type", "application/vnd.kubernetes.protobuf"}},
                     .body = std::move(body)};
    };
    std::vector<std::string> accepted;
    Bench bench(
        [&](const http::Request& request) {
            for (const http::Header& header : request.headers) {
                if (header.name == "Accept") accepted.push_back(header.value);
            }
            if (request.target == "/pods") {
                return proto(proto_answer("PodList", list_head("9", "1")));
            }
            return accepted.size() == 2 ? proto("k8s?") : json(page_text(1, ""));
        },
        true);
    const auto first = bench.read("");
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->body, R"({"kind":"PodList","apiVersion":"v1","metadata":)"
                           R"({"resourceVersion":"9","continue":"1","remainingItemCount":7},)"
                           R"("items":[]})");
    const auto odd = bench.read("1");
    ASSERT_FALSE(odd);
    EXPECT_EQ(odd.error().message, "listing pods: no protobuf, or cut off");
    EXPECT_EQ(bench.read("1")->body, page_text(1, ""));
    const std::string both = "application/vnd.kubernetes.protobuf, application/json";
    EXPECT_EQ(accepted, (std::vector<std::string>{both, both, "application/json"}));
}

TEST(PageReader, what_came_ahead_as_protobuf_is_not_used_once_json_is_wanted) {
    int as_json = 0;
    Bench bench(
        [&](const http::Request& request) {
            for (const http::Header& header : request.headers) {
                if (header.name == "Accept" && header.value == "application/json") ++as_json;
            }
            return json(request.target == "/pods" ? page_text(0, "1") : page_text(1, ""));
        },
        true);
    ASSERT_TRUE(bench.read(""));
    bench.loop.context().run_for(std::chrono::milliseconds(20));
    EXPECT_EQ(as_json, 0);
    bench.reader->ask_for_json();
    ASSERT_TRUE(bench.read("1"));
    EXPECT_EQ(as_json, 1);
}

TEST(PageReader, a_refusal_in_protobuf_says_why) {
    Bench bench(
        [](const http::Request&) {
            return Reply{.status = 403,
                         .headers = {{"Content-Type", "application/vnd.kubernetes.protobuf"}},
                         .body = proto_answer(
                             "Status", bytes_field(3, "pods is forbidden") + number_field(6, 403))};
        },
        true);
    const auto refused = bench.read("");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::denied);
    EXPECT_EQ(refused.error().message, "listing pods: 403, pods is forbidden");
}

}  // namespace
}  // namespace parley::kube
