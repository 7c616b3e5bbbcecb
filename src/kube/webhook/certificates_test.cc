#include "kube/webhook/certificates.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <memory>

namespace parley::kube {
namespace {

const TimePoint kNow{1'795'000'000'000'000};
const std::vector<std::string> kNames{"parley.parley-system.svc", "127.0.0.1", "::1"};

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

std::vector<Certificate> read(const std::string& pem) {
    const std::unique_ptr<BIO, decltype(&BIO_free)> text(
        BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
    std::vector<Certificate> all;
    while (X509* one = PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr)) {
        all.emplace_back(one, X509_free);
    }
    return all;
}

/// As a client does that trusts the bundle, for a server of this name.
bool trusts(const std::string& bundle, const std::string& certificate, const char* name,
            TimePoint at) {
    const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                        X509_STORE_free);
    for (const Certificate& each : read(bundle)) X509_STORE_add_cert(store.get(), each.get());
    const auto shown = read(certificate);
    const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> context(
        X509_STORE_CTX_new(), X509_STORE_CTX_free);
    X509_STORE_CTX_init(context.get(), store.get(), shown.at(0).get(), nullptr);
    X509_VERIFY_PARAM* wanted = X509_STORE_CTX_get0_param(context.get());
    X509_VERIFY_PARAM_set_time(wanted, at.us / 1'000'000);
    X509_VERIFY_PARAM_set_purpose(wanted, X509_PURPOSE_SSL_SERVER);
    X509_VERIFY_PARAM_set1_host(wanted, name, 0);
    return X509_verify_cert(context.get()) == 1;
}

TEST(Certificates, are_trusted_by_who_knows_the_authority_for_their_names_and_time) {
    const auto made = issue(kNames, hours(24), kNow);
    ASSERT_TRUE(made) << made.error().message;
    const char* name = "parley.parley-system.svc";
    EXPECT_TRUE(trusts(made->authority_pem, made->certificate_pem, name, kNow));
    EXPECT_TRUE(trusts(made->authority_pem, made->certificate_pem, name, kNow - minutes(4)));
    EXPECT_TRUE(trusts(made->authority_pem, made->certificate_pem, name, kNow + hours(23)));
    EXPECT_FALSE(trusts(made->authority_pem, made->certificate_pem, name, kNow + hours(25)));
    EXPECT_FALSE(trusts(made->authority_pem, made->certificate_pem, "evil.example", kNow));
    const auto other = issue(kNames, hours(24), kNow);
    EXPECT_FALSE(trusts(other->authority_pem, made->certificate_pem, name, kNow));
    const auto shown = read(made->certificate_pem);
    EXPECT_EQ(X509_check_ip_asc(shown.at(0).get(), "127.0.0.1", 0), 1);
    EXPECT_EQ(X509_check_ip_asc(shown.at(0).get(), "::1", 0), 1);
    EXPECT_EQ(X509_check_ip_asc(shown.at(0).get(), "10.0.0.1", 0), 0);
    EXPECT_EQ(made->renews, kNow + hours(12));
    EXPECT_EQ(made->ends, kNow + hours(24));
}

TEST(Certificates, of_what_is_no_name_are_not_made) {
    for (const char* name : {"", "a,b", "a b", "DNS:x,IP:1.2.3.4", "*.svc", "a\nb"}) {
        const auto made = issue({name}, hours(24), kNow);
        ASSERT_FALSE(made) << name;
        EXPECT_EQ(made.error().code, ErrorCode::denied);
    }
    EXPECT_FALSE(issue({}, hours(24), kNow));
}

TEST(Certificates, rotate_without_a_moment_in_which_a_client_distrusts) {
    const char* name = "parley.parley-system.svc";
    auto rotation = Rotation::begin(kNames, hours(24), kNow);
    ASSERT_TRUE(rotation);
    std::string known = rotation->bundle();  // As the API server last read it.
    int promoted = 0;
    for (TimePoint now = kNow; now < kNow + hours(168); now = now + minutes(20)) {
        rotation->tend(now);
        EXPECT_TRUE(trusts(known, rotation->serving().certificate_pem, name, now));
        known = rotation->bundle();
        EXPECT_TRUE(trusts(known, rotation->serving().certificate_pem, name, now));
        if (rotation->has_next()) {
            rotation->promote();
            ++promoted;
            EXPECT_EQ(rotation->bundle(), known) << "nothing is to be said anew";
        }
        EXPECT_TRUE(trusts(known, rotation->serving().certificate_pem, name, now));
        EXPECT_LE(read(known).size(), 3U);
    }
    EXPECT_EQ(promoted, 13) << "twice a day";
}

TEST(Certificates, that_were_not_replaced_in_time_are_all_the_same) {
    auto rotation = Rotation::begin(kNames, hours(24), kNow);
    ASSERT_TRUE(rotation);
    const std::string first = rotation->serving().certificate_pem;
    rotation->tend(kNow + hours(13));
    EXPECT_TRUE(rotation->has_next());
    EXPECT_EQ(rotation->serving().certificate_pem, first) << "nobody knows the next one yet";
    rotation->tend(kNow + hours(24));
    EXPECT_FALSE(rotation->has_next());
    EXPECT_NE(rotation->serving().certificate_pem, first);
    EXPECT_EQ(read(rotation->bundle()).size(), 1U);
    const std::string second = rotation->serving().certificate_pem;
    rotation->tend(kNow - hours(100));  // The clock was set back.
    EXPECT_NE(rotation->serving().certificate_pem, second);
    EXPECT_EQ(rotation->serving().ends, kNow - hours(76));
    rotation->promote();
    EXPECT_EQ(rotation->serving().ends, kNow - hours(76)) << "there is no next one";
}

}  // namespace
}  // namespace parley::kube
