#include "web/serve/certificate.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

namespace parley::web {
namespace {

TEST(Certificate, is_for_the_names_it_was_made_for) {
    const MadeCertificate made = make_certificate({"parley.lan", "10.0.0.5", "a,b"});
    const std::unique_ptr<BIO, decltype(&BIO_free)> text(
        BIO_new_mem_buf(made.certificate_pem.data(), static_cast<int>(made.certificate_pem.size())),
        BIO_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(
        PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr), X509_free);
    ASSERT_NE(certificate, nullptr);
    EXPECT_EQ(X509_check_host(certificate.get(), "parley.lan", 0, 0, nullptr), 1);
    EXPECT_EQ(X509_check_host(certificate.get(), "localhost", 0, 0, nullptr), 1);
    EXPECT_EQ(X509_check_host(certificate.get(), "evil.example", 0, 0, nullptr), 0);
    EXPECT_EQ(X509_check_ip_asc(certificate.get(), "10.0.0.5", 0), 1);
    EXPECT_EQ(made.fingerprint.size(), 32U * 3 - 1);
    EXPECT_NE(made.fingerprint, make_certificate({}).fingerprint);
}

}  // namespace
}  // namespace parley::web
