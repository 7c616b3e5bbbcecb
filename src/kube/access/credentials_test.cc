#include "kube/access/credentials.h"

#include "base/time_text.h"
#include "kube/access/kubeconfig_kit_test.h"
#include "kube/access/kubeconfig_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace parley::kube {
namespace {

const TimePoint kStart = *parse_time("2025-03-01T12:00:00Z");

/// "token t, version 1", or the error.
std::string seen(const Result<Credential>& found) {
    if (!found) return message_of(found);
    std::string out = found->token.empty() ? "" : "token " + found->token.reveal() + ", ";
    if (!found->certificate_pem.empty()) out += "certificate, ";
    return out + "version " + std::to_string(found->version);
}

TEST(Credentials, of_nobody_are_empty_and_those_of_a_token_never_change) {
    Credentials none({}, {});
    EXPECT_EQ(seen(none.current(kStart)), "version 1");
    Credentials fixed({.identity = {.token = Secret("t")}}, {});
    EXPECT_EQ(seen(fixed.current(kStart)), "token t, version 1");
    fixed.refused(1);
    EXPECT_EQ(seen(fixed.current(kStart + hours(100))), "token t, version 1");
    EXPECT_FALSE(fixed.runs_program(kStart));
}

class TokenFile : public testing::Test {
protected:
    TokenFile()
        : path_(scratch_.write("token", "one\n")),
          credentials_({.identity = {.token_file = path_}}, {}) {}

    std::string at(Duration after) {
        return scratch_.shown(seen(credentials_.current(kStart + after)));
    }

    /// Another token of the same length, without changing the stamp.
    void change_unseen(const std::string& token) {
        const auto time = std::filesystem::last_write_time(path_);
        scratch_.write("token", token);
        std::filesystem::last_write_time(path_, time);
    }

    Scratch scratch_;
    std::string path_;
    Credentials credentials_;
};

TEST_F(TokenFile, is_read_again_when_it_changes) {
    EXPECT_EQ(at({}), "token one, version 1");
    scratch_.write("token", "longer\n");
    EXPECT_EQ(at(seconds(1)), "token longer, version 2");
    std::filesystem::rename(scratch_.write("new", "newest\n"), path_);
    EXPECT_EQ(at(seconds(2)), "token newest, version 3");
    scratch_.write("token", "newest\n");
    // The same token, so the version does not change.
    EXPECT_EQ(at(seconds(3)), "token newest, version 3");
}

TEST_F(TokenFile, is_read_again_every_minute) {
    EXPECT_EQ(at({}), "token one, version 1");
    change_unseen("two\n");
    EXPECT_EQ(at(seconds(59)), "token one, version 1");
    EXPECT_EQ(at(seconds(60)), "token two, version 2");
    change_unseen("red\n");
    EXPECT_EQ(at(seconds(10)), "token red, version 3");  // The clock went back.
}

TEST_F(TokenFile, is_read_again_after_a_401) {
    EXPECT_EQ(at({}), "token one, version 1");
    change_unseen("two\n");
    credentials_.refused(0);  // From a slow request with an old version.
    EXPECT_EQ(at(seconds(1)), "token one, version 1");
    credentials_.refused(1);
    EXPECT_EQ(at(seconds(1)), "token two, version 2");
    credentials_.refused(1);
    EXPECT_EQ(at(seconds(2)), "token two, version 2");
}

TEST_F(TokenFile, may_be_away_for_a_while_once_it_was_read) {
    EXPECT_EQ(at({}), "token one, version 1");
    std::filesystem::remove(path_);
    EXPECT_EQ(at(seconds(1)), "token one, version 1");
    EXPECT_EQ(scratch_.shown(credentials_.warning()),
              "DIR/token: there is no such file; check the path");
    scratch_.write("token", "\n");
    EXPECT_EQ(at(hours(1)), "token one, version 1");
    EXPECT_EQ(scratch_.shown(credentials_.warning()),
              "the token file DIR/token is empty; write a token into it");
    credentials_.refused(1);
    EXPECT_EQ(at(hours(1)), "the token file DIR/token is empty; write a token into it");
    scratch_.write("token", "two");
    EXPECT_EQ(at(hours(1)), "token two, version 2");
    EXPECT_EQ(credentials_.warning(), "");
}

TEST_F(TokenFile, must_hold_a_token) {
    scratch_.write("token", kCanary + "\n" + kCanary);
    EXPECT_EQ(at({}),
              "the token file DIR/token is no token: it holds spaces or what cannot be printed; "
              "write the token alone");
    scratch_.write("token", std::string((1 << 20) + 1, 'x'));
    EXPECT_TRUE(at({}).starts_with("DIR/token: it has 1048577 bytes"));
}

TEST_F(TokenFile, beats_the_token_beside_it_once_it_is_there) {
    Credentials both({.identity = {.token = Secret("spare"), .token_file = path_}}, {});
    std::filesystem::remove(path_);
    EXPECT_EQ(seen(both.current(kStart)), "token spare, version 1");
    scratch_.write("token", "one");
    EXPECT_EQ(seen(both.current(kStart)), "token one, version 2");
    std::filesystem::remove(path_);
    EXPECT_EQ(seen(both.current(kStart)), "token one, version 2");
}

TEST(CertificateFiles, are_read_again_together) {
    const Scratch scratch;
    const std::string certificate = scratch.write("c", kCertificate);
    const std::string key = scratch.write("k", kKey);
    Credentials credentials(
        {.identity = {.token = Secret("t"),
                      .certificate =
                          ClientCertificate{.certificate_file = certificate, .key_file = key}}},
        {});
    const auto first = credentials.current(kStart);
    EXPECT_EQ(seen(first), "token t, certificate, version 1");
    EXPECT_EQ(first->certificate_pem.reveal(), kCertificate);
    EXPECT_EQ(first->key_pem.reveal(), kKey);
    scratch.write("k", kKey + kKey);
    EXPECT_EQ(seen(credentials.current(kStart)), "token t, certificate, version 2");
    scratch.write("c", kKey);
    EXPECT_EQ(seen(credentials.current(kStart)), "token t, certificate, version 2");
    EXPECT_EQ(scratch.shown(credentials.warning()),
              "client-certificate DIR/c holds a key and no certificate; are the two swapped?");
    credentials.refused(2);
    scratch.write("c", kCertificate);
    std::filesystem::remove(key);
    EXPECT_EQ(scratch.shown(seen(credentials.current(kStart))),
              "client-key: DIR/k: there is no such file; check the path");
}

/// As `aws eks update-kubeconfig` writes it, with an imitation of aws that checks its input and
/// answers with `token-N until EXPIRES`, where N counts its runs.
class Eks : public testing::Test {
protected:
    void SetUp() override {
        scratch_.script("bin/aws", R"(
[ "$*" = "eks get-token --cluster-name shop --region eu-west-1 --role-arn arn:aws:iam::1:role/r" ] ||
    { echo "usage: aws $*" >&2; exit 2; }
[ "$AWS_PROFILE" = prod ] || { echo "no profile" >&2; exit 3; }
echo x >> "$HERE/runs"
printf '%s' "$KUBERNETES_EXEC_INFO" > "$HERE/info"
n=$(wc -l < "$HERE/runs")
. "$HERE/answer"
)");
        set_expiry("2025-03-01T12:14:00Z");
        scratch_.write("config", R"(apiVersion: v1
kind: Config
current-context: arn:aws:eks:eu-west-1:1:cluster/shop
contexts:
- {name: "arn:aws:eks:eu-west-1:1:cluster/shop", context: {cluster: c, user: u}}
clusters:
- {name: c, cluster: {server: "https://X.gr7.eu-west-1.eks.amazonaws.com"}}
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: aws
      args: [--region, eu-west-1, eks, get-token, --cluster-name, shop, --role-arn, "arn:aws:iam::1:role/r"]
      env: [{name: AWS_PROFILE, value: prod}]
      installHint: see docs.aws.amazon.com
)");
        set_args(
            "eks, get-token, --cluster-name, shop, --region, eu-west-1, --role-arn, "
            "arn:aws:iam::1:role/r");
        options_.environment = process_environment();
        options_.environment["PATH"] = scratch_.path("bin") + ":" + options_.environment["PATH"];
        options_.environment["HERE"] = scratch_.folder();
        options_.plugin_limit = seconds(20);
    }

    void set_args(const std::string& args) {
        std::string text = scratch_.read("config");
        const std::size_t at = text.find("args: [");
        text.replace(at, text.find('\n', at) - at, "args: [" + args + "]");
        scratch_.write("config", text);
    }

    void set_answer(const std::string& shell) { scratch_.write("answer", shell); }

    void set_expiry(const std::string& time) {
        set_answer(
            R"(echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1",)"
            R"( "spec": {}, "status": {"expirationTimestamp": ")" +
            time +
            R"(", "token": "token-'"$n"'"}}')"
            "\n");
    }

    Credentials load() const {
        auto access = load_access({}, {.kubeconfig = scratch_.path("config")});
        EXPECT_TRUE(access) << access.error().message;
        return {*access, options_};
    }

    std::string at(Credentials& credentials, Duration after) const {
        return scratch_.shown(seen(credentials.current(kStart + after)));
    }

    long runs() const { return std::ranges::count(scratch_.read("runs"), '\n'); }

    Scratch scratch_;
    CredentialOptions options_;
    const std::string whom_ = "the credential plugin DIR/bin/aws: ";
};

TEST_F(Eks, is_asked_once_until_shortly_before_its_token_expires) {
    Credentials credentials = load();
    EXPECT_EQ(credentials.program(), "");
    EXPECT_TRUE(credentials.runs_program(kStart));
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    EXPECT_EQ(scratch_.shown(credentials.program()), "DIR/bin/aws");
    EXPECT_EQ(scratch_.read("info"),
              R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",)"
              R"("spec":{"interactive":false}})");
    set_expiry("2025-03-01T12:28:00Z");
    const Duration early = minutes(14) - seconds(30);
    EXPECT_FALSE(credentials.runs_program(kStart + early - microseconds(1)));
    EXPECT_EQ(at(credentials, early - microseconds(1)), "token token-1, version 1");
    EXPECT_TRUE(credentials.runs_program(kStart + early));
    EXPECT_EQ(at(credentials, early), "token token-2, version 2");
    EXPECT_EQ(at(credentials, minutes(20)), "token token-2, version 2");
    EXPECT_EQ(runs(), 2);
}

TEST_F(Eks, is_asked_again_after_a_401_but_not_over_and_over) {
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    credentials.refused(1);
    EXPECT_EQ(at(credentials, seconds(9)), "token token-1, version 1");
    EXPECT_EQ(at(credentials, seconds(10)), "token token-2, version 2");
    credentials.refused(1);  // Sent before the renewal.
    EXPECT_EQ(at(credentials, minutes(1)), "token token-2, version 2");
    for (int i = 0; i < 100; ++i) {
        const auto found = credentials.current(kStart + minutes(2) + milliseconds(100) * i);
        ASSERT_TRUE(found);
        credentials.refused(found->version);
    }
    EXPECT_EQ(runs(), 3);
}

TEST_F(Eks, keeps_a_token_without_expiry_until_a_401) {
    set_answer(
        R"(echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",)"
        R"("status":{"token":"token-'"$n"'"}}')");
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    EXPECT_EQ(at(credentials, hours(1000)), "token token-1, version 1");
    credentials.refused(1);
    EXPECT_EQ(at(credentials, hours(1000)), "token token-2, version 2");
}

TEST_F(Eks, may_fail_while_the_old_token_is_good) {
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    set_answer("echo 'SSO session expired: run aws sso login' >&2; exit 255");
    EXPECT_EQ(at(credentials, minutes(14) - seconds(20)), "token token-1, version 1");
    const std::string why = whom_ +
                            "it failed with exit status 255; run it by hand to see why: SSO "
                            "session expired: run aws sso login";
    EXPECT_EQ(scratch_.shown(credentials.warning()), why);
    EXPECT_EQ(at(credentials, minutes(14)), why);
    EXPECT_EQ(runs(), 3);
    // From now on it is tried less and less often.
    const auto failed = credentials.current(kStart + minutes(14) + seconds(5));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().retry_after, seconds(15));
    EXPECT_EQ(failed.error().code, ErrorCode::unavailable);
    EXPECT_EQ(runs(), 3);
    set_expiry("2025-03-01T13:00:00Z");
    EXPECT_EQ(at(credentials, minutes(14) + seconds(20)), "token token-4, version 2");
    EXPECT_EQ(credentials.warning(), "");
}

TEST_F(Eks, is_used_though_its_clock_is_an_hour_behind) {
    set_expiry("2025-03-01T11:14:00Z");
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    EXPECT_EQ(at(credentials, seconds(5)), "token token-1, version 1");
    EXPECT_EQ(at(credentials, seconds(10)), "token token-2, version 2");
    EXPECT_EQ(runs(), 2);
}

TEST_F(Eks, renews_a_short_token_a_tenth_of_its_life_before) {
    set_expiry("2025-03-01T12:01:40Z");
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    EXPECT_FALSE(credentials.runs_program(kStart + seconds(89)));
    EXPECT_TRUE(credentials.runs_program(kStart + seconds(90)));
}

TEST_F(Eks, answers_with_a_certificate_too) {
    set_answer(
        R"(printf %s '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",)"
        R"("status":{"clientCertificateData":"-----BEGIN CERTIFICATE-----\nx\n-----END )"
        R"(CERTIFICATE-----","clientKeyData":"-----BEGIN EC PRIVATE KEY-----\nx\n-----END EC )"
        R"(PRIVATE KEY-----"}}')");
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "certificate, version 1");
}

TEST_F(Eks, fails_with_what_a_person_needs_to_know) {
    const auto fails = [&] {
        Credentials credentials = load();
        return at(credentials, {});
    };
    set_answer("echo not json " + kCanary);
    EXPECT_EQ(fails(),
              whom_ + "it does not answer with JSON; run it by hand to see what it writes");
    set_answer(
        R"(echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":")" +
        kCanary + R"("}}')");
    EXPECT_EQ(fails(),
              whom_ +
                  "it answers in client.authentication.k8s.io/v1 where the kubeconfig says "
                  "client.authentication.k8s.io/v1beta1; write the same in both, or update "
                  "the plugin");
    set_answer("head -c 2097152 /dev/zero");
    EXPECT_EQ(fails(), whom_ + "it wrote more than 1048576 bytes; is it a credential plugin?");
    set_answer("echo token " + kCanary + " rejected >&2; exit 1");
    EXPECT_EQ(fails(),
              whom_ +
                  "it failed with exit status 1; run it by hand to see why: token (hidden) "
                  "rejected");
    options_.plugin_limit = milliseconds(200);
    set_answer("sleep 60");
    EXPECT_EQ(fails(),
              whom_ + "it took longer than 200ms; run it by hand to see what it waits for");
    options_.plugin_limit = seconds(20);
    set_args("eks, get-token, --cluster-name, " + kCanary);
    EXPECT_EQ(fails(),
              whom_ +
                  "it failed with exit status 2; run it by hand to see why: usage: aws eks "
                  "get-token --cluster-name (hidden)");
    std::filesystem::remove(scratch_.path("bin/aws"));
    options_.environment["PATH"] = scratch_.path("bin");
    EXPECT_EQ(fails(),
              "the credential plugin \"aws\" is in no folder of PATH; its kubeconfig says: see "
              "docs.aws.amazon.com");
}

TEST_F(Eks, is_run_only_if_allowed) {
    options_.allow_exec = {"/usr/bin/true"};
    Credentials refused = load();
    EXPECT_EQ(at(refused, {}),
              "the kubeconfig runs the program \"DIR/bin/aws\", which is not allowed; "
              "allow it with --allow-exec DIR/bin/aws");
    EXPECT_EQ(runs(), 0);
    options_.allow_exec = {scratch_.path("bin/aws")};
    Credentials allowed = load();
    EXPECT_EQ(at(allowed, {}), "token token-1, version 1");
}

TEST_F(Eks, is_told_when_a_person_is_there) {
    options_.terminal = true;
    Credentials credentials = load();
    EXPECT_EQ(at(credentials, {}), "token token-1, version 1");
    EXPECT_NE(scratch_.read("info").find("\"interactive\":true"), std::string::npos);
}

TEST_F(Eks, is_not_run_if_it_insists_on_a_terminal) {
    std::string text = scratch_.read("config");
    text.replace(text.find("      command: aws"), 0, "      interactiveMode: Always\n");
    scratch_.write("config", text);
    Credentials credentials = load();
    EXPECT_TRUE(at(credentials, {}).starts_with(whom_ + "it wants to ask a person"));
    EXPECT_EQ(runs(), 0);
}

}  // namespace
}  // namespace parley::kube
