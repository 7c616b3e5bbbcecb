#include "kube/decode/decode.h"

#include "kube/decode/decode_kit_test.h"

#include <set>

namespace parley::kube {
namespace {

std::string event_line(const std::string& type, const std::string& object) {
    return R"({"type":")" + type + R"(","object":)" + object + "}";
}

TEST(DecodePage, reads_a_list_and_where_to_go_on) {
    const std::string text =
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"10245",
"continue":"eyJ2Ijoi","remainingItemCount":1500},"items":[)" +
        full_pod() + "]}";
    const auto page = decode_page(Kind::pod, text);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->items.size(), 1U);
    EXPECT_EQ(page->version, "10245");
    EXPECT_EQ(page->continue_token, "eyJ2Ijoi");
    EXPECT_EQ(page->remaining, 1500);
    EXPECT_EQ(page->unreadable_count, 0U);
}

TEST(DecodePage, reads_an_empty_one) {
    for (const char* items : {"[]", "null"}) {
        const auto page = decode_page(
            Kind::node,
            std::string(R"({"kind":"NodeList","metadata":{"resourceVersion":"1"},"items":)") +
                items + "}");
        ASSERT_TRUE(page);
        EXPECT_TRUE(page->items.empty());
    }
}

TEST(DecodePage, reports_what_it_cannot_understand_and_goes_on) {
    const auto page = decode_page(
        Kind::pod,
        list_of(Kind::pod, {R"({"metadata":{"name":"no-uid","namespace":"shop"}})", full_pod(), "7",
                            "null", R"({"metadata":"x"})", full_pod()}));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->items.size(), 2U);
    EXPECT_EQ(page->unreadable_count, 4U);
    ASSERT_EQ(page->unreadable.size(), 4U);
    EXPECT_EQ(page->unreadable[0].name, "shop/no-uid");
    EXPECT_EQ(page->unreadable[0].why, "it has no uid");
    EXPECT_EQ(page->unreadable[1].name, "(without a name)");
    EXPECT_EQ(page->unreadable[3].why, "\"metadata\" is not an object");
}

TEST(DecodePage, counts_all_but_keeps_few_that_it_cannot_understand) {
    const auto page =
        decode_page(Kind::pod, list_of(Kind::pod, std::vector<std::string>(50, "{}")));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->unreadable_count, 50U);
    EXPECT_EQ(page->unreadable.size(), kUnreadableKept);
}

TEST(DecodePage, refuses_what_is_no_list_of_that_kind) {
    const std::string cases[] = {
        "",
        "<html>please log in</html>",
        "[]",
        "{}",
        R"({"kind":"Status","code":403})",
        R"({"kind":"PodList","metadata":{}})",
        R"({"kind":"PodList","metadata":{},"items":{}})",
        R"({"kind":"PodList","metadata":{"resourceVersion":7},"items":[]})",
        R"({"kind":7,"metadata":{},"items":[]})",
        list_of(Kind::node, {full_node()}),
        list_of(Kind::pod, {full_pod()}) + "}",
    };
    for (const std::string& text : cases) {
        const auto page = decode_page(Kind::pod, text);
        ASSERT_FALSE(page) << text.substr(0, 80);
        EXPECT_EQ(page.error().code, ErrorCode::malformed);
        EXPECT_FALSE(page.error().message.empty());
    }
}

TEST(DecodePage, reads_objects_up_to_three_mebibytes) {
    const auto padded = [](std::size_t size) {
        const std::string head = R"({"metadata":{"name":"big","uid":"u"},"data":")";
        return head + std::string(size - head.size() - 2, 'x') + "\"}";
    };
    const auto page = decode_page(
        Kind::space, list_of(Kind::space, {padded(kObjectBytesMax), padded(kObjectBytesMax + 1)}));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->items.size(), 1U);
    ASSERT_EQ(page->unreadable_count, 1U);
    EXPECT_EQ(page->unreadable[0].why, "it is over 3 MiB");
    EXPECT_FALSE(decode_event(Kind::space, event_line("ADDED", padded(kObjectBytesMax))));
}

TEST(DecodeEvent, reads_what_happened) {
    for (const auto& [type, expected] : {std::pair{"ADDED", EventType::added},
                                         {"MODIFIED", EventType::modified},
                                         {"DELETED", EventType::deleted}}) {
        const auto event = decode_event(Kind::pod, event_line(type, full_pod()));
        ASSERT_TRUE(event) << event.error().message;
        EXPECT_EQ(event->type, expected);
        ASSERT_TRUE(event->object);
        EXPECT_EQ(std::get<Pod>(*event->object).version, 4711U);
        EXPECT_EQ(event->version, "4711");
        EXPECT_EQ(event->uid.text(), "a0d1e5a7-4c3b-4f2a-9b1d-00000000002a");
    }
}

TEST(DecodeEvent, reads_a_bookmark_and_the_end_of_a_streamed_list) {
    const auto plain = decode_event(
        Kind::pod,
        event_line("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":"12746"}})"));
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->type, EventType::bookmark);
    EXPECT_EQ(plain->version, "12746");
    EXPECT_FALSE(plain->initial_events_end || plain->object);
    const auto end = decode_event(
        Kind::pod, event_line("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":"12746",
"annotations":{"k8s.io/initial-events-end":"true"}}})"));
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->initial_events_end);
    EXPECT_FALSE(decode_event(Kind::pod, event_line("BOOKMARK", R"({"metadata":{}})")));
}

TEST(DecodeEvent, reads_an_error_with_its_status) {
    const auto event = decode_event(
        Kind::pod, event_line("ERROR", R"({"kind":"Status","status":"Failure","reason":"Expired",
"message":"too old resource version: 1","code":410})"));
    ASSERT_TRUE(event && event->status);
    EXPECT_EQ(event->status->code, 410);
    EXPECT_EQ(event->status->reason, "Expired");
    EXPECT_FALSE(decode_event(Kind::pod, event_line("ERROR", full_pod())));
}

TEST(DecodeEvent, keeps_uid_and_version_of_what_it_cannot_understand) {
    const auto event =
        decode_event(Kind::pod, event_line("DELETED", replaced(full_pod(), R"("containers":[)",
                                                               R"("containers":7,"x":[)")));
    ASSERT_TRUE(event);
    EXPECT_FALSE(event->object);
    ASSERT_TRUE(event->unreadable);
    EXPECT_EQ(event->unreadable->name, "shop/web-5d8f7c9b4-x2k4p");
    EXPECT_EQ(event->version, "4711");
    EXPECT_FALSE(event->uid.none());
}

TEST(DecodeEvent, lets_a_type_it_does_not_know_pass) {
    const auto event = decode_event(Kind::pod, event_line("SYNCED", full_pod()));
    ASSERT_TRUE(event);
    EXPECT_EQ(event->type, EventType::unknown);
    EXPECT_FALSE(event->object);
}

TEST(DecodeEvent, reads_an_object_before_its_type) {
    const auto event =
        decode_event(Kind::pod, R"({"object":)" + full_pod() + R"(,"type":"ADDED"})");
    ASSERT_TRUE(event);
    EXPECT_TRUE(event->object);
}

TEST(DecodeEvent, refuses_what_is_no_event) {
    for (const char* line : {"", "{}", "[]", R"({"type":"ADDED"})", R"({"type":7,"object":{}})",
                             R"({"object":{"metadata":)", "garbage", "\xff"}) {
        EXPECT_FALSE(decode_event(Kind::pod, line)) << line;
    }
}

TEST(DecodeStatus, reads_everything_a_caller_needs) {
    const auto status = decode_status(R"({"kind":"Status","apiVersion":"v1","status":"Failure",
"message":"too many requests","reason":"TooManyRequests","details":{"retryAfterSeconds":7,
"causes":[{"reason":"DisruptionBudget","message":"needs 1 healthy pod","field":"x"}]},"code":429})");
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 429);
    EXPECT_EQ(status->reason, "TooManyRequests");
    EXPECT_EQ(status->retry_after, seconds(7));
    ASSERT_EQ(status->causes.size(), 1U);
    EXPECT_EQ(status->causes[0].reason, "DisruptionBudget");
}

TEST(DecodeStatus, bounds_what_a_server_may_say) {
    std::string causes;
    for (int i = 0; i < 100; ++i) causes += (i > 0 ? "," : "") + std::string(R"({"reason":"r"})");
    const auto status =
        decode_status(R"({"kind":"Status","message":")" + std::string(5000, 'x') +
                      R"(","details":{"retryAfterSeconds":-1,"causes":[)" + causes + "]}}");
    ASSERT_TRUE(status);
    EXPECT_EQ(status->message.size(), 1024U);
    EXPECT_EQ(status->causes.size(), 16U);
    EXPECT_FALSE(status->retry_after);
    for (const char* body :
         {"", "{}", R"({"kind":"Pod"})", R"({"kind":"Status","code":"x"})", "<html>"}) {
        EXPECT_FALSE(decode_status(body)) << body;
    }
}

TEST(DecodeEvent, cut_at_any_byte_is_malformed) {
    for (const std::string& line :
         {event_line("ADDED", full_pod()), event_line("ERROR", R"({"kind":"Status"})")}) {
        for (std::size_t size = 0; size < line.size(); ++size) {
            ASSERT_FALSE(decode_event(Kind::pod, std::string_view(line).substr(0, size))) << size;
        }
        EXPECT_TRUE(decode_event(Kind::pod, line));
    }
}

TEST(DecodePage, cut_at_any_byte_is_malformed) {
    const std::string page = list_of(Kind::node, {full_node(), full_node()});
    for (std::size_t size = 0; size < page.size(); ++size) {
        ASSERT_FALSE(decode_page(Kind::node, std::string_view(page).substr(0, size))) << size;
    }
}

/// Where each value of a JSON text begins and ends.
void find_values(const std::string& text, std::size_t& at,
                 std::vector<std::pair<std::size_t, std::size_t>>& out) {
    const auto blanks = [&] {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    };
    const auto string = [&] {
        for (++at; text[at] != '"'; ++at) {
            if (text[at] == '\\') ++at;
        }
        ++at;
    };
    blanks();
    const std::size_t from = at;
    if (text[at] == '"') {
        string();
    } else if (text[at] == '{' || text[at] == '[') {
        const bool object = text[at++] == '{';
        for (blanks(); text[at] != '}' && text[at] != ']'; blanks()) {
            if (text[at] == ',') ++at;
            blanks();
            if (object) {
                string();
                blanks();
                ++at;
            }
            find_values(text, at, out);
        }
        ++at;
    } else {
        while (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '-' ||
               text[at] == '.')
            ++at;
    }
    out.emplace_back(from, at);
}

/// Every value in turn becomes something else: the object is read or reported, and its neighbour
/// is always read.
void retype_everything(Kind kind, const std::string& object) {
    std::vector<std::pair<std::size_t, std::size_t>> values;
    std::size_t at = 0;
    find_values(object, at, values);
    ASSERT_GT(values.size(), 40U);
    std::size_t read = 0;
    std::size_t reported = 0;
    for (const auto& [from, to] : values) {
        for (const char* other :
             {"null", "7", "-1", "true", R"("")", R"("x")", "{}", "[]", "[[]]", R"({"a":{}})",
              "1e999", "99999999999999999999", R"("999999999999999999999999E")", R"("\ud800")"}) {
            std::string changed = object;
            changed.replace(from, to - from, other);
            const auto page = decode_page(kind, list_of(kind, {changed, object}));
            ASSERT_TRUE(page) << changed;
            ASSERT_EQ(page->items.size() + page->unreadable_count, 2U) << changed;
            ASSERT_GE(page->items.size(), 1U) << changed;
            page->items.size() == 2 ? ++read : ++reported;
            for (const Unreadable& each : page->unreadable) ASSERT_FALSE(each.why.empty());
        }
    }
    EXPECT_GT(read, values.size());
    EXPECT_GT(reported, values.size());
}

TEST(DecodePage, survives_every_field_of_a_pod_with_every_type) {
    retype_everything(Kind::pod, replaced(full_pod(), R"("nodeName":"node-1",)", ""));
}

TEST(DecodePage, survives_every_field_of_a_node_with_every_type) {
    retype_everything(Kind::node, full_node());
}

TEST(DecodePage, needs_of_a_pod_only_name_and_uid) {
    const auto page =
        decode_page(Kind::pod, list_of(Kind::pod, {R"({"metadata":{"name":"p","uid":"u"}})"}));
    ASSERT_TRUE(page);
    ASSERT_EQ(page->items.size(), 1U);
    EXPECT_EQ(std::get<Pod>(page->items[0]).phase, model::PodPhase::unknown);
}

}  // namespace
}  // namespace parley::kube
