#include "web/serve/certificate.h"

#include "base/check.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>

namespace parley::web {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

constexpr long kDay = 24L * 3600;
constexpr int kSerialBits = 127;

std::string text_of(BIO* bio) {
    char* bytes = nullptr;
    const long length = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(length)};
}

bool is_address(const std::string& name) {
    const bool digits =
        std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return digits || name.find(':') != std::string::npos;
}

void add(X509* certificate, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    PARLEY_CHECK(extension != nullptr);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

std::string alternatives(const std::vector<std::string>& names) {
    std::string out = "DNS:localhost,IP:127.0.0.1";
    for (const std::string& name : names) {
        // A comma would begin another name; such a name is not valid anyway.
        const bool plain = !name.empty() && name.find_first_of(", \n\"") == std::string::npos;
        if (plain && name != "localhost" && name != "127.0.0.1") {
            out += (is_address(name) ? ",IP:" : ",DNS:") + name;
        }
    }
    return out;
}

std::string fingerprint_of(X509* certificate) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    PARLEY_CHECK(X509_digest(certificate, EVP_sha256(), digest, &length) == 1);
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    for (unsigned int i = 0; i < length; ++i) {
        if (i > 0) out += ':';
        out += kDigits[digest[i] >> 4U];
        out += kDigits[digest[i] & 15U];
    }
    return out;
}

}  // namespace

MadeCertificate make_certificate(const std::vector<std::string>& names) {
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Certificate made(X509_new(), X509_free);
    PARLEY_CHECK(key && made);
    X509_set_version(made.get(), 2);
    BIGNUM* serial = BN_new();
    BN_rand(serial, kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY);
    BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(made.get()));
    BN_free(serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -kDay);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), 396 * kDay);
    X509_set_pubkey(made.get(), key.get());
    X509_NAME* subject = X509_get_subject_name(made.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("Parley dashboard"), -1, -1,
                               0);
    X509_set_issuer_name(made.get(), subject);
    add(made.get(), NID_subject_alt_name, alternatives(names));
    add(made.get(), NID_ext_key_usage, "serverAuth");
    PARLEY_CHECK(X509_sign(made.get(), key.get(), EVP_sha256()) != 0);
    const Memory certificate_text(BIO_new(BIO_s_mem()), BIO_free);
    const Memory key_text(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_X509(certificate_text.get(), made.get());
    PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return {text_of(certificate_text.get()), text_of(key_text.get()), fingerprint_of(made.get())};
}

}  // namespace parley::web
