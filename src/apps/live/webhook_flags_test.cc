#include "apps/live/webhook_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using model::Mode;

TEST(WebhookFlags, without_any_nothing_listens) {
    const auto none = webhook_of({}, Mode::observe, "home", true);
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
}

TEST(WebhookFlags, say_where_it_listens_and_how_it_is_reached) {
    const auto here = webhook_of({.listen = "127.0.0.1:9443"}, Mode::act, "home", false);
    ASSERT_TRUE(here) << here.error().message;
    EXPECT_EQ((*here)->address, "127.0.0.1");
    EXPECT_EQ((*here)->port, 9443);
    EXPECT_EQ((*here)->url + (*here)->service, "");
    EXPECT_EQ((*here)->lasts, hours(24));
    const auto in_pod = webhook_of({.listen = "0.0.0.0:9443"}, Mode::act, "home", true);
    ASSERT_TRUE(in_pod) << in_pod.error().message;
    EXPECT_EQ((*in_pod)->service, "parley");
    EXPECT_EQ((*in_pod)->home, "home");
    const auto there =
        webhook_of({.listen = "0.0.0.0:9443", .url = "https://10.0.0.5:9443", .lasts = "20s"},
                   Mode::act, "home", true);
    ASSERT_TRUE(there) << there.error().message;
    EXPECT_EQ((*there)->url, "https://10.0.0.5:9443");
    EXPECT_EQ((*there)->service, "") << "an address was named";
    EXPECT_EQ((*there)->lasts, seconds(20));
}

TEST(WebhookFlags, that_cannot_be_meant_are_refused) {
    const WebhookFlags wrong[] = {
        {.url = "https://a:1"},
        {.lasts = "1h"},
        {.listen = "nowhere"},
        {.listen = "127.0.0.1:99999"},
        {.listen = "0.0.0.0:9443"},
        {.listen = "[::]:9443"},
        {.listen = "9443", .url = "http://a:1"},
        {.listen = "9443", .url = "a:1"},
        {.listen = "9443", .lasts = "9s"},
        {.listen = "9443", .lasts = "31d"},
        {.listen = "9443", .lasts = "soon"},
    };
    for (const WebhookFlags& flags : wrong) {
        EXPECT_FALSE(webhook_of(flags, Mode::act, "home", false))
            << flags.listen << " " << flags.url << " " << flags.lasts;
    }
    EXPECT_FALSE(webhook_of({.listen = "9443"}, Mode::dry_run, "home", false));
}

}  // namespace
}  // namespace parley::app
