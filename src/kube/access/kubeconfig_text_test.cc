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
    EXPECT_EQ(without_secrets("token=" + kCanary + " is bad"), "token=(hidden) is bad");
    EXPECT_EQ(without_secrets("k8s-aws-v1.aHR0cHM6Ly9zdHMuZXU"), "(hidden)");
    EXPECT_EQ(without_secrets("key 0123456789abcdef0123456789abcdef"), "key (hidden)");
    for (const std::string& secret : std::vector<std::string>{
             "07401b.f395accd246ae52d",               // A bootstrap token.
             "3f2b6c1e-0d4a-4b7e-9c55-aa10f3e8d2b1",  // One that is a UUID.
             "MIIEvQIBADANBgkqhkiG9w0BAQEF/AASCBKcwggSj+AgEAAoIBAQC7",
             "Zm9v/YmFy1/QUJD/ZGVm2/R0hJ/amts3/TU5P/cHFy", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
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

struct Line {
    std::string said;
    std::string shown;
};

TEST(WithoutSecrets, hides_the_whole_of_what_a_program_calls_a_secret) {
    const Line lines[] = {
        // aws, its files and environment.
        {"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
         "AWS_SECRET_ACCESS_KEY=(hidden)"},
        {"aws_secret_access_key = wJalr/x+y\nregion = eu-west-1",
         "aws_secret_access_key = (hidden)\nregion = eu-west-1"},
        {"export AWS_SESSION_TOKEN='FwoG/x, y' AWS_REGION=eu-west-1",
         "export AWS_SESSION_TOKEN='(hidden)' AWS_REGION=eu-west-1"},
        {R"x({"AccessKeyId": "AKIA", "SecretAccessKey": "ab/cd\"e f", "Version": 1})x",
         R"x({"AccessKeyId": "AKIA", "SecretAccessKey": "(hidden)", "Version": 1})x"},
        {"<SecretAccessKey>ab/cd ef</SecretAccessKey><SessionToken>gh</SessionToken>",
         "<SecretAccessKey>(hidden)</SecretAccessKey><SessionToken>(hidden)</SessionToken>"},
        {"Authorization: AWS4-HMAC-SHA256 Credential=AKIA/eu/sts, Signature=fe5f\nHost: sts",
         "Authorization: (hidden)\nHost: sts"},
        {"GET https://sts.example/?Action=Who&X-Amz-Security-Token=a/b%2Fc&X-Amz-Expires=60",
         "GET https://sts.example/?Action=Who&X-Amz-Security-Token=(hidden)"},
        // gcloud.
        {R"x("access_token": "ya29.a0Af_x-y",)x", R"x("access_token": "(hidden)",)x"},
        {"{'refresh_token': '1//0g-ab c', 'scopes': 3}",
         "{'refresh_token': '(hidden)', 'scopes': 3}"},
        {R"x(Error: {\"client_secret\":\"GOC/ab c\",\"type\":\"user\"})x",
         R"x(Error: {\"client_secret\":\"(hidden)\",\"type\":\"user\"})x"},
        // az.
        {"az login --service-principal -u app --password p~8Q/!x --tenant t",
         "az login --service-principal -u app --password (hidden) --tenant t"},
        {"AccountName=store;AccountKey=Zm9v/YmFy==;EndpointSuffix=core",
         "AccountName=store;AccountKey=(hidden)"},
        {"AZURE_CLIENT_SECRET: ab~c/d", "AZURE_CLIENT_SECRET: (hidden)"},
        {"https://store.example/blob?sv=2022&sig=ab%2Fcd%3D",
         "https://store.example/blob?sv=2022&"
         "sig=(hidden)"},
        // oidc-login.
        {"open http://localhost:8000/?code=ab/cd&state=x in a browser",
         "open http://localhost:8000/?code=(hidden) in a browser"},
        {"--oidc-client-secret=ab/cd! --oidc-client-id=kube",
         "--oidc-client-secret=(hidden) --oidc-client-id=kube"},
        {R"x(Post "https://login.example/?client_secret=ab/cd": dial tcp: i/o timeout)x",
         R"x(Post "https://login.example/?client_secret=(hidden)": dial tcp: i/o timeout)x"},
        {"got eyJhbGci.e30.c2ln for ann", "got (hidden) for ann"},
        {"id_token%3Dab/cd", "id_token%3D(hidden)"},
        // vault.
        {"Key    Value\ntoken    hvs.ab/c\ntoken_policies    [root]",
         "Key    Value\ntoken    (hidden)\ntoken_policies    [root]"},
        {"X-Vault-Token: s.ab/cd", "X-Vault-Token: (hidden)"},
        {"VAULT_TOKEN := hvs/ab", "VAULT_TOKEN := (hidden)"},
        // YAML and INI.
        {"password: hunter", "password: (hidden)"},
        {"  - token:\n      ab/cd\n    user: ann", "  - token:\n      (hidden)\n    user: ann"},
        {"passphrase: |\n  correct horse\n  battery\nuser: ann",
         "passphrase: |\n  (hidden)\nuser: ann"},
        {"users: {token: 'ab cd', name: ann}", "users: {token: '(hidden)', name: ann}"},
        {"client-key-data: LS0t/LS1", "client-key-data: (hidden)"},
        // Sentences.
        {"passphrase is 'correcthorsebattery'", "passphrase is '(hidden)'"},
        {"the passphrase is correcthorsebattery.", "the passphrase is (hidden)"},
        {"your password is: correct/horse", "your password is: (hidden)"},
        {"passwd=a/b pwd:c/d secret = e/f credential: g/h",
         "passwd=(hidden) pwd:(hidden) secret = (hidden) credential: (hidden)"},
        {"sent 'password=hun ter'", "sent 'password=(hidden) ter'"},
        {"(api-key=ab/cd)", "(api-key=(hidden)"},
        {"secret \"ab cd\" was wrong", "secret \"(hidden)\" was wrong"},
        {"password=\"hun/ter", "password=\"(hidden)"},
        // Logins in addresses, and headers.
        {"https://ann:h%2F!un:ter@sts.example/x", "https://ann:(hidden)@sts.example/x"},
        {"postgres://ann:hun/ter@db.example:5432/x", "postgres://ann:(hidden)@db.example:5432/x"},
        {"-H 'Authorization: Bearer ab/cd' https://x",
         "-H 'Authorization: Bearer (hidden)' https://x"},
        {"Authorization: Basic YW5uOmh1", "Authorization: Basic (hidden)"},
        {"\"Authorization\": \"Bearer ab/cd\"", "\"Authorization\": \"(hidden)\""},
        {"Cookie: a=b; session=c/d\nnext", "Cookie: (hidden)\nnext"},
    };
    for (const Line& each : lines) EXPECT_EQ(without_secrets(each.said), each.shown);
}

TEST(WithoutSecrets, leaves_what_programs_say_about_secrets) {
    for (const std::string kept : {
             "Unable to locate credentials. You can configure credentials by running \"aws "
             "configure\".",
             "An error occurred (ExpiredToken) when calling the AssumeRole operation: The security "
             "token included in the request is expired",
             "Error when retrieving token from sso: Token has expired and refresh failed",
             "ERROR: (gcloud.config.config-helper) There was a problem refreshing your current "
             "auth tokens: ('invalid_grant: Bad Request')",
             "Please run: $ gcloud auth login",
             "AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the "
             "request is the client secret value",
             "error: get-token: authentication error: could not refresh token: oauth2: "
             "cannot fetch token: 400 Bad Request",
             "error getting credentials: exec: executable aws not found",
             "getting token: Post https://login.example:8443/token: dial tcp 10.0.0.1:443: "
             "connect: connection refused",
             "open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
             "open /home/ann/.aws/credentials: permission denied",
             "the token is expired",
             "password is required",
             "the secret is not set",
             "token was revoked",
             "Password: \nError: EOF",
             "Enter passphrase for key /home/ann/id:",
             "WWW-Authenticate: Bearer realm=login,error=invalid_token",
             "basic authentication is disabled",
             "{\"token\": null, \"password\": \"\"}",
             "unknown flag: --token",
             "https://vault.example:8200/v1/auth/token/lookup-self",
             "http://[::1]:8200/x@y",
             "Code: 403. Errors: * permission denied",
             "exit code=1, status: 401 Unauthorized",
         }) {
        EXPECT_EQ(without_secrets(kept), kept);
    }
}

}  // namespace
}  // namespace parley::kube
