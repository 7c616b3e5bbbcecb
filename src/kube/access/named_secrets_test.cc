#include "kube/access/named_secrets.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

/// What it finds, each in brackets.
std::string marked(const std::string& text) {
    std::string out;
    std::size_t from = 0;
    for (const Stretch& each : named_secrets(text)) {
        EXPECT_LT(each.begin, each.end) << text;
        EXPECT_LE(from, each.begin) << text;
        out += text.substr(from, each.begin - from) + "[" +
               text.substr(each.begin, each.end - each.begin) + "]";
        from = each.end;
    }
    return out + text.substr(from);
}

TEST(NamedSecrets, a_value_ends_at_white_space_or_at_its_quote) {
    EXPECT_EQ(marked("token=a,b;c&d/e)f g"), "token=[a,b;c&d/e)f] g");
    EXPECT_EQ(marked("token='a b' c"), "token='[a b]' c");
    EXPECT_EQ(marked("'token=a/b' c"), "'token=[a/b]' c");
    EXPECT_EQ(marked("don't say token=a'b c"), "don't say token=[a'b] c");
    EXPECT_EQ(marked(R"("token":"a\"b" c)"), R"("token":"[a\"b]" c)");
    EXPECT_EQ(marked("token='a b"), "token='[a b]") << "nothing closes it";
    EXPECT_EQ(marked("token: |\n  a b\n  c\nd"), "token: |\n  [a b\n  c]\nd");
    EXPECT_EQ(marked("token: |"), "token: [|]");
}

TEST(NamedSecrets, names_are_told_by_their_end) {
    for (const std::string name :
         {"token", "TOKEN", "my-token", "refreshToken", "a.b.token", "tokens", "DB_PASS", "pass",
          "X-Api-Key", "secretKey", "credentials", "auth"}) {
        EXPECT_EQ(marked(name + "=x"), name + "=[x]");
    }
    for (const std::string name : {"tokenizer", "secretary", "bypass", "code", "key", "oauth"}) {
        EXPECT_EQ(marked(name + "=x"), name + "=x");
    }
    EXPECT_EQ(marked("?code=x"), "?code=[x]");
}

TEST(NamedSecrets, only_what_stands_apart_may_be_a_word_of_a_sentence) {
    EXPECT_EQ(marked("token: expired"), "token: expired");
    EXPECT_EQ(marked("token:expired"), "token:[expired]");
    EXPECT_EQ(marked("token: \"expired\""), "token: \"[expired]\"");
    EXPECT_EQ(marked("token: expired1"), "token: [expired1]");
    EXPECT_EQ(marked("token: 403"), "token: 403");
    EXPECT_EQ(marked("token: 4031"), "token: [4031]");
    EXPECT_EQ(marked("the token is not x"), "the token is not x");
    EXPECT_EQ(marked("the token is x"), "the token is [x]");
    EXPECT_EQ(marked("the token x"), "the token x");
    EXPECT_EQ(marked("--token x"), "--token [x]");
    EXPECT_EQ(marked("--token --x"), "--token --x");
}

TEST(NamedSecrets, are_sought_within_braces_by_their_own_names) {
    EXPECT_EQ(marked(R"("credentials":{"id":"a","token":"b c"})"),
              R"("credentials":{"id":"a","token":"[b c]"})");
    EXPECT_EQ(marked("password={a}"), "password=[{a}]");
}

TEST(NamedSecrets, texts_that_end_early_are_read_to_their_end) {
    for (const std::string text :
         {"", "token", "token=", "token: ", "token=\"", "token is", "token is ", "token=\\", "://",
          "://a:", "token>", "token:\n", "token:\n ", "Bearer", "Bearer ", "-", "."}) {
        EXPECT_EQ(marked(text), text == "token=\\" ? "token=[\\]" : text);
    }
}

}  // namespace
}  // namespace parley::kube
