#include "http/tls.h"

#include "http/test_certificates.h"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Tls, takes_authorities_and_our_own_certificate) {
    const Certified authority = make_authority("one");
    const Certified ours = make_certificate(authority, "");
    EXPECT_TRUE(Tls::make({}));
    EXPECT_TRUE(Tls::make({.ca_pem = authority.certificate_pem}));
    EXPECT_TRUE(
        Tls::make({.ca_pem = authority.certificate_pem + make_authority("two").certificate_pem}));
    EXPECT_TRUE(Tls::make({.ca_pem = authority.certificate_pem,
                           .certificate_pem = ours.certificate_pem,
                           .key_pem = ours.key_pem}));
}

TEST(Tls, refuses_what_is_none_and_says_which) {
    const Certified authority = make_authority("one");
    const Certified ours = make_certificate(authority, "");
    const Certified other = make_certificate(authority, "");
    struct Case {
        TlsOptions options;
        const char* part;
    };
    const Case cases[] = {
        {{.ca_pem = "junk"}, "certificate authority"},
        {{.ca_pem = authority.certificate_pem, .certificate_pem = "x", .key_pem = ours.key_pem},
         "client certificate is"},
        {{.certificate_pem = ours.certificate_pem, .key_pem = "x"}, "client key is"},
        {{.certificate_pem = ours.certificate_pem, .key_pem = other.key_pem}, "client key is"},
        {{.certificate_pem = ours.certificate_pem}, "give both"},
        {{.key_pem = ours.key_pem}, "give both"},
    };
    for (const Case& c : cases) {
        const auto tls = Tls::make(c.options);
        ASSERT_FALSE(tls);
        EXPECT_EQ(tls.error().code, ErrorCode::denied);
        EXPECT_NE(tls.error().message.find(c.part), std::string::npos) << tls.error().message;
        EXPECT_EQ(tls.error().message.find("PRIVATE"), std::string::npos);
    }
}

}  // namespace
}  // namespace parley::http
