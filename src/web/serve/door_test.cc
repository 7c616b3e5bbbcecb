#include "web/serve/door.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::web {
namespace {

const DoorPlan kHere{.address = "127.0.0.1", .port = 8765};

struct Case {
    const char* name;
    Wanted wanted;
    RequestHead head;
    int status;  ///< 0: it may come in.
};

RequestHead head(std::string origin = "", std::string site = "") {
    return {.host = "127.0.0.1:8765", .origin = std::move(origin), .fetch_site = std::move(site)};
}

RequestHead post(std::string origin, std::string site, std::string parley = "1",
                 std::string type = "application/json") {
    RequestHead out = head(std::move(origin), std::move(site));
    out.parley = std::move(parley);
    out.content_type = std::move(type);
    return out;
}

TEST(Door, who_may_come_in) {
    const std::string ours = "http://127.0.0.1:8765";
    const Case cases[] = {
        {"a program", Wanted::runs, head(), 0},
        {"the page itself", Wanted::runs, head(ours, "same-origin"), 0},
        {"a page of another site", Wanted::runs, head("https://evil.example"), 403},
        {"another port", Wanted::runs, head("http://127.0.0.1:8766"), 403},
        {"another scheme", Wanted::runs, head("https://127.0.0.1:8765"), 403},
        {"no origin worth a name", Wanted::runs, head("null"), 403},
        {"the shell from anywhere", Wanted::page, head("", "cross-site"), 0},
        {"the shell under another name", Wanted::page, {.host = "evil.example"}, 403},
        {"rebound name", Wanted::runs, {.host = "evil.example:8765"}, 403},
        {"no host", Wanted::page, {}, 400},
        {"two hosts", Wanted::page, {.host = "127.0.0.1:8765", .several_hosts = true}, 400},
        {"probe by any name", Wanted::health, {.host = "10.1.2.3:8081"}, 0},
        {"stream of the page", Wanted::stream, head("", "same-origin"), 0},
        {"stream without a word", Wanted::stream, head(), 403},
        {"stream where browsers name no site", Wanted::stream, post("", ""), 0},
        {"stream of another site all the same", Wanted::stream, post("", "cross-site"), 403},
        {"stream of another site", Wanted::stream, head("", "cross-site"), 403},
        {"stream of a sibling", Wanted::stream, head("", "same-site"), 403},
        {"stop", Wanted::stop, post(ours, "same-origin"), 0},
        {"stop by a program", Wanted::stop, post("", ""), 0},
        {"stop by a form", Wanted::stop, post("", "", "1", "text/plain"), 400},
        {"stop without the header", Wanted::stop, post(ours, "same-origin", ""), 403},
        {"stop from another site", Wanted::stop, post("", "cross-site"), 403},
        {"login", Wanted::login, post(ours, "same-origin", ""), 0},
        {"login with a charset", Wanted::login,
         post(ours, "same-origin", "", "application/json; charset=utf-8"), 0},
        {"login from another site", Wanted::login, post("https://evil.example", ""), 403},
    };
    for (const Case& each : cases) {
        const auto refused = refuse(kHere, each.wanted, each.head);
        EXPECT_EQ(refused ? refused->status : 0, each.status) << each.name;
    }
}

TEST(Door, knows_its_own_names) {
    const auto knows = [](const DoorPlan& plan, const char* host) {
        return knows_host(plan, host);
    };
    for (const char* host : {"127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"}) {
        EXPECT_TRUE(knows(kHere, host)) << host;
    }
    for (const char* host : {"127.0.0.1", "127.0.0.1:80", "127.0.0.1:87650", "localhost.evil:8765",
                             "evil:8765", ":8765", "", "127.0.0.1:8765:8765"}) {
        EXPECT_FALSE(knows(kHere, host)) << host;
    }
    const DoorPlan wide{.address = "10.0.0.5", .port = 443, .tls = true, .hosts = {"parley.lan"}};
    EXPECT_TRUE(knows(wide, "10.0.0.5"));
    EXPECT_TRUE(knows(wide, "parley.lan:443"));
    EXPECT_FALSE(knows(wide, "localhost:443")) << "that is another machine";
}

TEST(Door, cookies_carry_the_port_and_are_strict) {
    EXPECT_EQ(cookie_text(kHere, "abc"), "parley_8765=abc; Path=/; HttpOnly; SameSite=Strict");
    EXPECT_EQ(cookie_text({.port = 1, .tls = true}, "abc"),
              "parley_1=abc; Path=/; HttpOnly; SameSite=Strict; Secure");
    EXPECT_EQ(cookie_in("a=1; parley_8765=abc; b=2", "parley_8765"), "abc");
    EXPECT_EQ(cookie_in("parley_8766=abc", "parley_8765"), std::nullopt);
    EXPECT_EQ(cookie_in("parley_8765=a; parley_8765=b", "parley_8765"), std::nullopt)
        << "one of them was planted";
    EXPECT_EQ(cookie_in("", "parley_8765"), std::nullopt);
}

TEST(Door, every_answer_forbids_inline_code_sniffing_referrers_and_frames) {
    std::string all;
    for (const FixedHeader& each : door_headers()) {
        all += std::string(each.name) + ": " + each.value + "\n";
    }
    for (const char* part : {"default-src 'none'", "script-src 'self'", "style-src 'self'",
                             "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
                             "nosniff", "no-referrer", "X-Frame-Options: DENY"}) {
        EXPECT_NE(all.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(all.find("unsafe"), std::string::npos);
}

TEST(Door, loopback_is_this_machine) {
    for (const char* here : {"127.0.0.1", "127.8.8.8", "::1", "localhost"}) {
        EXPECT_TRUE(is_loopback(here)) << here;
    }
    for (const char* there : {"0.0.0.0", "::", "10.0.0.5", "12.7.0.0", ""}) {
        EXPECT_FALSE(is_loopback(there)) << there;
    }
}

}  // namespace
}  // namespace parley::web
