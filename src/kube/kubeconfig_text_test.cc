#include "kube/kubeconfig_text.h"

#include "kube/kubeconfig_kit_test.h"

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
    for (const std::string kept :
         {"An error occurred (AccessDeniedException) when calling GetCallerIdentity",
          "Could not connect to https://sts.eu-west-1.amazonaws.com/ from "
          "ip-10-0-0-17.ec2.internal",
          "arn:aws:iam::123456789012:role/reader is not in /home/ann/.aws/config, line 12"}) {
        EXPECT_EQ(without_secrets(kept), kept);
    }
}

}  // namespace
}  // namespace parley::kube
