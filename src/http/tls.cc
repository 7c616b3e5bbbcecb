#include "http/tls.h"

#include "http/tls_context.h"

#include <boost/asio/buffer.hpp>
#include <openssl/err.h>

#include <utility>

namespace parley::http {
namespace {

using SslContext = boost::asio::ssl::context;
using boost::system::error_code;

Result<void> taken(const error_code& failed, const std::string& what) {
    ERR_clear_error();  // Otherwise OpenSSL reports an old error to the next caller.
    if (!failed) return {};
    return fail(ErrorCode::denied, what + ": " + failed.message());
}

Result<void> trust(SslContext& ssl, const TlsOptions& options) {
    error_code failed;
    if (options.ca_pem.empty()) {
        ssl.set_default_verify_paths(failed);
        return taken(failed, "the certificates that this machine trusts cannot be read");
    }
    ssl.add_certificate_authority(boost::asio::buffer(options.ca_pem), failed);
    return taken(failed, "the certificate authority is no certificate in PEM form");
}

Result<void> present(SslContext& ssl, const TlsOptions& options) {
    if (options.certificate_pem.empty() != options.key_pem.empty()) {
        return fail(ErrorCode::denied,
                    "a client certificate needs its key, and a key its "
                    "certificate; give both");
    }
    if (options.certificate_pem.empty()) return {};
    error_code failed;
    ssl.use_certificate_chain(boost::asio::buffer(options.certificate_pem), failed);
    if (auto ok = taken(failed, "the client certificate is no certificate in PEM form"); !ok) {
        return ok;
    }
    ssl.use_private_key(boost::asio::buffer(options.key_pem), SslContext::pem, failed);
    return taken(failed, "the client key is no key in PEM form, or not that of the certificate");
}

}  // namespace

Tls::Tls(std::unique_ptr<Context> context) : context_(std::move(context)) {}
Tls::~Tls() = default;

Result<std::shared_ptr<const Tls>> Tls::make(const TlsOptions& options) {
    auto made = std::make_unique<Context>();
    SslContext& ssl = made->ssl;
    SSL_CTX_set_min_proto_version(ssl.native_handle(), TLS1_2_VERSION);
    // Without this, OpenSSL would ask for a key's passphrase on the terminal.
    error_code ignored;
    ssl.set_password_callback([](std::size_t, SslContext::password_purpose) { return ""; },
                              ignored);
    made->insecure = options.insecure;
    ssl.set_verify_mode(options.insecure ? boost::asio::ssl::verify_none
                                         : boost::asio::ssl::verify_peer);
    if (!options.insecure) {
        if (auto ok = trust(ssl, options); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = present(ssl, options); !ok) return tl::unexpected(ok.error());
    return std::shared_ptr<const Tls>(new Tls(std::move(made)));
}

}  // namespace parley::http
