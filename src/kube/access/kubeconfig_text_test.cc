#include "kube/access/kubeconfig_text.h"

#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

TEST(Pem, tells_certificates_from_keys) {
    EXPECT_EQ(message_of(check_certificates(kCertificate)), "");
    EXPECT_EQ(message_of(check_certificates("# a comment\n" + kCertificate + kCertificate)), "");
    EXPECT_EQ(message_of(check_certificates(kKey)),
              "holds a key and no certificate; are the two swapped?");
    EXPECT_EQ(message_of(check_certificates("-----BEGIN CERTIFICATE-----\n" + kCanary)),
              "holds no certificate; it must be PEM, with a line -----BEGIN CERTIFICATE-----");
    EXPECT_EQ(message_of(check_key(kKey)), "");
    for (const std::string kind : {"RSA", "EC"}) {
        const std::string end = " " + kind + " PRIVATE KEY-----\n";
        EXPECT_EQ(message_of(check_key("-----BEGIN" + end + "x\n-----END" + end)), "");
    }
    EXPECT_EQ(message_of(check_key(kCertificate)),
              "holds a certificate and no key; are the two swapped?");
    EXPECT_EQ(message_of(check_key(kCanary)).substr(0, 20), "holds no private key");
}

TEST(Pem, refuses_a_key_that_would_ask_for_a_passphrase) {
    const std::string locked =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n-----END ENCRYPTED PRIVATE KEY-----\n";
    const std::string old =
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n-----END RSA PRIVATE KEY-----\n";
    EXPECT_EQ(message_of(check_key(locked)).substr(0, 29), "is a key under a passphrase, ");
    EXPECT_EQ(message_of(check_key(old)).substr(0, 29), "is a key under a passphrase, ");
}

TEST(Token, is_trimmed_and_can_stand_in_a_header) {
    EXPECT_EQ(clean_token(" \tabc.DEF-_~+/=\r\n").value(), "abc.DEF-_~+/=");
    EXPECT_EQ(message_of(clean_token("")), "is empty; write a token into it");
    EXPECT_EQ(message_of(clean_token(" \n")), "is empty; write a token into it");
    for (const std::string& bad :
         {kCanary + "\r\nX-Admin: yes", kCanary + " x", kCanary + std::string(1, '\0'),
          kCanary + "\x7f", kCanary + "\xc3\xa9"}) {
        EXPECT_EQ(message_of(clean_token(bad)).substr(0, 11), "is no token");
    }
}

TEST(OneLine, is_short_and_printable) {
    EXPECT_EQ(one_line("  a\n\n b\tc \x1b[31m"), "a b c ?[31m");
    EXPECT_EQ(one_line(std::string(400, 'x')), std::string(300, 'x') + "...");
    EXPECT_EQ(one_line("ab\u00fc\u00fc", 3), "ab...");
    EXPECT_EQ(one_line("ab\u00fc\u00fc", 4), "ab...");
    EXPECT_EQ(one_line("ab\u00fc\u00fc", 5), "ab\u00fc...");
    EXPECT_EQ(in_marks("a\nb"), "\"a b\"");
}

TEST(WithoutSecrets, hides_what_looks_like_one_and_keeps_what_people_need) {
    EXPECT_EQ(without_secrets("token=" + kCanary + " is bad"), "(hidden) is bad");
    EXPECT_EQ(without_secrets("k8s-aws-v1.aHR0cHM6Ly9zdHMuZXU"), "(hidden)");
    EXPECT_EQ(without_secrets("key 0123456789abcdef0123456789abcdef"), "key (hidden)");
    for (const std::string& secret : std::vector<std::string>{
             "07401b.f395accd246ae52d",               // A bootstrap token.
             "3f2b6c1e-0d4a-4b7e-9c55-aa10f3e8d2b1",  // One that is a UUID.
             "MIIEvQIBADANBgkqhkiG9w0BAQEF/AASCBKcwggSj+AgEAAoIBAQC7",
             "Zm9v/YmFy1/QUJD/ZGVm2/R0hJ/amts3/TU5P/cHFy", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
             "password=hunter", "api-key=abcdefgh",
             "-----BEGIN RSA PRIVATE KEY-----\nab/c\nd+e\n-----END RSA PRIVATE KEY-----",
             "-----BEGIN PRIVATE KEY-----\nab/c\nd"}) {
        EXPECT_EQ(without_secrets(secret), "(hidden)") << secret;
        EXPECT_EQ(without_secrets("it says " + secret + "\nend"),
                  secret.ends_with("\nd") ? "it says (hidden)" : "it says (hidden)\nend");
    }
    EXPECT_EQ(without_secrets("Authorization: Bearer abc"), "Authorization: Bearer (hidden)");
    EXPECT_EQ(without_secrets(R"x({"token":"abc"})x"), R"x({"token":"(hidden)"})x");
    EXPECT_EQ(without_secrets("--password hunter"), "--password (hidden)");
    EXPECT_EQ(without_secrets("secret: hunter2"), "secret: (hidden)");
    EXPECT_EQ(without_secrets("https://ann:hunter@sts.example"),
              "https://ann:(hidden)@sts.example");
    EXPECT_EQ(without_secrets("\x1b[31mbad\x1b[0m \x07token"), "bad token");
    const std::string half = kCanary.substr(0, kCanary.size() / 2);
    EXPECT_EQ(without_secrets(half + "\x1b[0m" + kCanary.substr(half.size())), "(hidden)")
        << "colours do not break it into harmless parts";
    for (const std::string kept :
         {"token expired", "could not get a token: EOF", "the secret was not found",
          "/usr/local/bin/Tool2/Lib/aws-iam-authenticator: not found", "pod web-5d4f7c9b8d-abcde",
          "An error occurred (AccessDeniedException) when calling GetCallerIdentity",
          "Could not connect to https://sts.eu-west-1.amazonaws.com/ from "
          "ip-10-0-0-17.ec2.internal",
          "arn:aws:iam::123456789012:role/reader is not in /home/ann/.aws/config, line 12"}) {
        EXPECT_EQ(without_secrets(kept), kept);
    }
}

}  // namespace
}  // namespace parley::kube
