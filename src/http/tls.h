// HTTP, TLS: certificates as text in, what connections are made with out.

#pragma once

#include "base/result.h"

#include <memory>
#include <string>

namespace parley::http {

struct TlsOptions {
    std::string ca_pem;           ///< Certificates to trust; empty: those that this machine trusts.
    std::string certificate_pem;  ///< Our own certificate with its chain; empty: none.
    std::string key_pem;          ///< The key of our own certificate.
    bool insecure = false;  ///< Trusts any certificate. The caller allows this on loopback only.
};

/// TLS 1.2 or newer. Immutable, shared by connections.
class Tls {
public:
    /// Refuses text that is not a certificate or key, and a key that belongs to another
    /// certificate.
    [[nodiscard]] static Result<std::shared_ptr<const Tls>> make(const TlsOptions& options);
    ~Tls();

    struct Context;
    const Context& context() const { return *context_; }

private:
    explicit Tls(std::unique_ptr<Context> context);
    std::unique_ptr<Context> context_;
};

}  // namespace parley::http
