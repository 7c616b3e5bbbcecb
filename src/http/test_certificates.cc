#include "http/test_certificates.h"

#include "base/check.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace parley::http {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

std::string text_of(BIO* bio) {
    char* bytes = nullptr;
    const long length = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(length)};
}

Memory memory_of(const std::string& text) {
    return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

void add(X509* certificate, int kind, const std::string& value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    PARLEY_CHECK(extension != nullptr);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

Certificate blank(EVP_PKEY* key, const std::string& name, int days) {
    static long serial = 1;
    Certificate made(X509_new(), X509_free);
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    constexpr long kDay = 24L * 3600;
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -2 * kDay);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), days * kDay);
    X509_set_pubkey(made.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
    return made;
}

Certified print(X509* certificate, EVP_PKEY* key) {
    const Memory first(BIO_new(BIO_s_mem()), BIO_free);
    const Memory second(BIO_new(BIO_s_mem()), BIO_free);
    PEM_write_bio_X509(first.get(), certificate);
    PEM_write_bio_PrivateKey(second.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
    return {text_of(first.get()), text_of(second.get())};
}

}  // namespace

Certified make_authority(const std::string& name) {
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Certificate made = blank(key.get(), name, 1);
    X509_set_issuer_name(made.get(), X509_get_subject_name(made.get()));
    add(made.get(), NID_basic_constraints, "critical,CA:TRUE");
    X509_sign(made.get(), key.get(), EVP_sha256());
    return print(made.get(), key.get());
}

Certified make_certificate(const Certified& by, const std::string& names, int days) {
    const Memory certificate_text = memory_of(by.certificate_pem);
    const Memory key_text = memory_of(by.key_pem);
    const Certificate authority(
        PEM_read_bio_X509(certificate_text.get(), nullptr, nullptr, nullptr), X509_free);
    const Key signer(PEM_read_bio_PrivateKey(key_text.get(), nullptr, nullptr, nullptr),
                     EVP_PKEY_free);
    const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Certificate made = blank(key.get(), "tests", days);
    X509_set_issuer_name(made.get(), X509_get_subject_name(authority.get()));
    if (!names.empty()) add(made.get(), NID_subject_alt_name, names);
    X509_sign(made.get(), signer.get(), EVP_sha256());
    return print(made.get(), key.get());
}

}  // namespace parley::http
