#include "kube/watch/probe.h"

#include "base/time_text.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TimePoint at(const char* text) { return *parse_time(text); }

TEST(Probe, finds_the_uid_of_an_object) {
    const auto uid = uid_of_object(
        R"({"kind":"Namespace","metadata":{"name":"kube-system","uid":"0123abcd-0000-4000-8000-00000000000f"}})");
    ASSERT_TRUE(uid);
    EXPECT_EQ(uid->text(), "0123abcd-0000-4000-8000-00000000000f");
    for (const char* body : {"", "{", "[]", "{}", R"({"metadata":{}})", R"({"metadata":{"uid":7}})",
                             R"({"metadata":{"uid":""}})", "<html>"}) {
        EXPECT_FALSE(uid_of_object(body)) << body;
    }
}

TEST(Probe, reads_the_date_of_an_answer) {
    EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), at("1994-11-06T08:49:37Z"));
    for (const char* text : {"", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                             "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 25:49:37 GMT",
                             "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, xx Nov 1994 08:49:37 GMT"}) {
        EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
    }
}

TEST(Probe, a_clock_is_off_only_as_far_as_must_be) {
    const auto ahead = [](const char* date, const char* asked, const char* answered) {
        const http::Response answer{200, {{"date", date}}, "{}"};
        return judge_probe(answer, at(asked), at(answered)).ahead;
    };
    const char* date = "Sun, 15 Nov 2026 12:00:00 GMT";
    EXPECT_EQ(ahead(date, "2026-11-15T12:00:00.1Z", "2026-11-15T12:00:00.2Z"), Duration{});
    EXPECT_EQ(ahead(date, "2026-11-15T12:00:00.9Z", "2026-11-15T12:00:01.2Z"), Duration{});
    EXPECT_EQ(ahead(date, "2026-11-15T11:59:59Z", "2026-11-15T12:00:00Z"), Duration{});
    EXPECT_EQ(ahead(date, "2026-11-15T11:00:00Z", "2026-11-15T11:00:00Z"), hours(1));
    EXPECT_EQ(ahead(date, "2026-11-15T13:00:01Z", "2026-11-15T13:00:02Z"), hours(-1));
    EXPECT_EQ(ahead("soon", "2026-11-15T13:00:01Z", "2026-11-15T13:00:02Z"), std::nullopt);
}

}  // namespace
}  // namespace parley::kube
