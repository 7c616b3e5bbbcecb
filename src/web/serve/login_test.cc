#include "web/serve/login.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

const TimePoint kNow{hours(500'000).us};

/// Different every time, and the same in every run.
Secret counting() {
    return
        [n = 0](std::size_t bytes) mutable { return std::string(bytes, static_cast<char>(++n)); };
}

TEST(Logins, a_token_opens_one_session) {
    Logins logins("key", counting());
    const std::string token = make_token("key", kNow + minutes(10), "nonce");
    const auto first = logins.try_token(token, kNow);
    EXPECT_EQ(first.tried, Tried::welcome);
    EXPECT_EQ(logins.who(first.session), "session 1");
    EXPECT_EQ(logins.try_token(token, kNow).tried, Tried::used);
    const auto other = logins.try_token(make_token("key", kNow + minutes(10), "other"), kNow);
    EXPECT_EQ(other.tried, Tried::welcome);
    EXPECT_NE(other.session, first.session);
    EXPECT_EQ(logins.who(other.session), "session 2");
    EXPECT_EQ(logins.who(""), std::nullopt);
    EXPECT_EQ(logins.who(first.session.substr(1)), std::nullopt);
}

TEST(Logins, a_token_is_refused_for_its_own_reason) {
    Logins logins("key", counting());
    const std::string good = make_token("key", kNow + minutes(10), "nonce");
    EXPECT_EQ(logins.try_token(make_token("key", kNow - seconds(1), "n"), kNow).tried,
              Tried::expired);
    EXPECT_EQ(logins.try_token(make_token("key", kNow, "n"), kNow).tried, Tried::welcome)
        << "the last second counts";
    EXPECT_EQ(logins.try_token(make_token("another", kNow + minutes(1), "n"), kNow).tried,
              Tried::wrong);
    std::string longer = good;
    longer.replace(0, 1, "9");  // It would be valid for longer, but its signature does not match.
    for (const std::string& bad : {std::string(), std::string("a"), std::string("a.b.c"),
                                   good + "0", longer, std::string(1000, '.')}) {
        EXPECT_EQ(logins.try_token(bad, kNow).tried, Tried::wrong) << bad;
    }
}

TEST(Logins, who_guesses_too_often_waits_and_locks_nobody_out) {
    Logins logins("key", counting());
    for (int i = 0; i < Logins::kFailuresMax; ++i) {
        EXPECT_EQ(logins.try_token("1.2.3", kNow).tried, Tried::wrong);
    }
    EXPECT_EQ(logins.try_token("1.2.3", kNow).tried, Tried::too_often);
    const std::string good = make_token("key", kNow + hours(1), "nonce");
    EXPECT_EQ(logins.try_token(good, kNow).tried, Tried::welcome) << "a right one is let in";
    EXPECT_EQ(logins.try_token(good, kNow).tried, Tried::used) << "and says why it is not";
    EXPECT_EQ(logins.try_token("1.2.3", kNow + seconds(60)).tried, Tried::too_often);
    EXPECT_EQ(logins.try_token("1.2.3", kNow + seconds(61)).tried, Tried::wrong);
}

TEST(Logins, the_oldest_of_too_many_sessions_ends) {
    Logins logins("key", counting());
    const auto enter = [&](std::size_t n) {
        const std::string nonce = std::to_string(n);
        return logins.try_token(make_token("key", kNow + hours(1), nonce), kNow).session;
    };
    const std::string first = enter(0);
    const std::string second = enter(1);
    for (std::size_t i = 2; i <= Logins::kSessionsMax; ++i) enter(i);
    EXPECT_EQ(logins.who(first), std::nullopt);
    EXPECT_TRUE(logins.who(second).has_value());
}

TEST(Logins, secrets_of_any_length_compare) {
    EXPECT_TRUE(same_secret("", ""));
    EXPECT_TRUE(same_secret("abc", "abc"));
    for (const char* other : {"", "ab", "abd", "abcd", "ABC"})
        EXPECT_FALSE(same_secret("abc", other));
    EXPECT_NE(real_secret()(16), real_secret()(16));
}

TEST(RateLimit, a_burst_is_answered_and_then_so_many_a_second) {
    RateLimit limit(10, 3);
    EXPECT_TRUE(limit.take(kNow) && limit.take(kNow) && limit.take(kNow));
    EXPECT_FALSE(limit.take(kNow));
    EXPECT_FALSE(limit.take(kNow + milliseconds(99)));
    EXPECT_TRUE(limit.take(kNow + milliseconds(200)));
    EXPECT_TRUE(limit.take(kNow + milliseconds(200)));
    EXPECT_FALSE(limit.take(kNow + milliseconds(100))) << "a clock that goes back fills nothing";
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(limit.take(kNow + hours(1)));
    EXPECT_FALSE(limit.take(kNow + hours(1)));
}

}  // namespace
}  // namespace parley::web
