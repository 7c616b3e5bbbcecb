#include "kube/webhook/certificates.h"

#include "base/check.h"

#include <boost/asio/ip/address.hpp>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <ctime>
#include <memory>
#include <utility>

namespace parley::kube {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;

constexpr Duration kSkew = minutes(5);
constexpr int kSerialBits = 127;
constexpr std::size_t kNameMax = 253;

std::string text_of(BIO* bio) {
    char* bytes = nullptr;
    const long length = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(length)};
}

std::string pem_of(X509* certificate) {
    const Memory text(BIO_new(BIO_s_mem()), BIO_free);
    PARLEY_CHECK(text && PEM_write_bio_X509(text.get(), certificate) == 1);
    return text_of(text.get());
}

std::string pem_of(EVP_PKEY* key) {
    const Memory text(BIO_new(BIO_s_mem()), BIO_free);
    PARLEY_CHECK(text && PEM_write_bio_PrivateKey(text.get(), key, nullptr, nullptr, 0, nullptr,
                                                  nullptr) == 1);
    return text_of(text.get());
}

bool add(X509* certificate, X509* issuer, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    if (extension == nullptr) {
        ERR_clear_error();  // Otherwise the next caller of OpenSSL would be told of it.
        return false;
    }
    const bool added = X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

std::time_t whole_seconds(TimePoint time) {
    return static_cast<std::time_t>(time.us / seconds(1).us);
}

/// With a serial number of its own, a key and a time; neither signed nor said whose it is.
Certificate blank(EVP_PKEY* key, TimePoint begins, TimePoint ends) {
    Certificate made(X509_new(), X509_free);
    const Number serial(BN_new(), BN_free);
    PARLEY_CHECK(made && serial);
    PARLEY_CHECK(BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1);
    X509_set_version(made.get(), 2);
    BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(made.get()));
    ASN1_TIME_set(X509_getm_notBefore(made.get()), whole_seconds(begins));
    ASN1_TIME_set(X509_getm_notAfter(made.get()), whole_seconds(ends));
    X509_set_pubkey(made.get(), key);
    return made;
}

/// Authorities of several certificates stand in one bundle, so each has a name of its own.
void call(X509* certificate, const std::string& name) {
    const Number serial(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr), BN_free);
    PARLEY_CHECK(serial);
    char* digits = BN_bn2hex(serial.get());
    PARLEY_CHECK(digits != nullptr);
    const std::string text = name + " " + std::string(digits).substr(0, 16);
    OPENSSL_free(digits);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(text.c_str()), -1, -1, 0);
}

/// "DNS:parley.parley-system.svc,IP:10.0.0.5"; nothing: one of them can be no name.
std::optional<std::string> alternatives(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
        boost::system::error_code failed;
        (void)boost::asio::ip::make_address(name, failed);
        // A comma would begin another one.
        constexpr const char* kLetters =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
        if (failed && (name.empty() || name.size() > kNameMax ||
                       name.find_first_not_of(kLetters) != std::string::npos)) {
            return std::nullopt;
        }
        out += (out.empty() ? "" : ",") + std::string(failed ? "DNS:" : "IP:") + name;
    }
    return out.empty() ? std::nullopt : std::optional(out);
}

}  // namespace

Result<Issued> issue(const std::vector<std::string>& names, Duration lasts, TimePoint now) {
    const TimePoint begins = now - kSkew;
    const TimePoint ends = now + lasts;
    const Key authority_key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    PARLEY_CHECK(authority_key && key);

    const Certificate authority = blank(authority_key.get(), begins, ends);
    X509* by = authority.get();
    call(by, "parley webhook authority");
    X509_set_issuer_name(by, X509_get_subject_name(by));
    PARLEY_CHECK(add(by, by, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
                 add(by, by, NID_key_usage, "critical,keyCertSign") &&
                 add(by, by, NID_subject_key_identifier, "hash"));
    PARLEY_CHECK(X509_sign(by, authority_key.get(), EVP_sha256()) != 0);

    const Certificate made = blank(key.get(), begins, ends);
    X509* ours = made.get();
    call(ours, "parley webhook");
    X509_set_issuer_name(ours, X509_get_subject_name(by));
    const auto named = alternatives(names);
    if (!named || !add(ours, by, NID_subject_alt_name, *named)) {
        return fail(ErrorCode::denied,
                    "no certificate can be made for the webhook's names: each must be a DNS name "
                    "or an address");
    }
    PARLEY_CHECK(add(ours, by, NID_basic_constraints, "critical,CA:FALSE") &&
                 add(ours, by, NID_key_usage, "critical,digitalSignature") &&
                 add(ours, by, NID_ext_key_usage, "serverAuth") &&
                 add(ours, by, NID_authority_key_identifier, "keyid:always"));
    PARLEY_CHECK(X509_sign(ours, authority_key.get(), EVP_sha256()) != 0);
    return Issued{pem_of(by), pem_of(ours), pem_of(key.get()), begins, now + lasts / 2, ends};
}

Rotation::Rotation(std::vector<std::string> names, Duration lasts, Issued first)
    : names_(std::move(names)), lasts_(lasts), serving_(std::move(first)) {}

Result<Rotation> Rotation::begin(std::vector<std::string> names, Duration lasts, TimePoint now) {
    auto first = issue(names, lasts, now);
    if (!first) return tl::unexpected(first.error());
    return Rotation(std::move(names), lasts, *std::move(first));
}

void Rotation::tend(TimePoint now) {
    // A clock that was set back makes ours one of the future, which nobody would trust.
    const auto good = [now](const Issued& each) { return each.begins <= now && now < each.ends; };
    if (next_ && !good(*next_)) next_.reset();
    const bool due = !good(serving_) || now >= serving_.renews;
    if (due && !next_) {
        auto made = issue(names_, lasts_, now);
        PARLEY_CHECK(made);  // The same names were taken at the beginning.
        next_ = *std::move(made);
    }
    if (!good(serving_)) promote();
    std::erase_if(before_, [now](const Before& each) { return each.ends <= now; });
}

void Rotation::promote() {
    if (!next_) return;
    before_.push_back({std::move(serving_.authority_pem), serving_.ends});
    serving_ = *std::exchange(next_, std::nullopt);
}

std::string Rotation::bundle() const {
    // By age, so that it is the same before and after the next one serves.
    std::string out;
    for (const Before& each : before_) out += each.authority_pem;
    out += serving_.authority_pem;
    if (next_) out += next_->authority_pem;
    return out;
}

}  // namespace parley::kube
