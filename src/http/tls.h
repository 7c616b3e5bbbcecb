// HTTP, TLS: certificates as text in, what connections are made with out.

#pragma once

#include "base/result.h"

#include <memory>
#include <string>

namespace parley::http {

struct TlsOptions {
    std::string ca_pem;           ///< Whom to trust; empty: whom this machine trusts.
    std::string certificate_pem;  ///< Our own, with its chain; empty: none.
    std::string key_pem;          ///< Its key.
    bool insecure = false;        ///< Trust anybody. The caller allows it on loopback alone.
};

/// At least TLS 1.2. Never changed after it is made; connections share it.
class Tls {
public:
    /// Refuses what is no certificate or key, or a key of another certificate.
    [[nodiscard]] static Result<std::shared_ptr<const Tls>> make(const TlsOptions& options);
    ~Tls();

    struct Context;
    const Context& context() const { return *context_; }

private:
    explicit Tls(std::unique_ptr<Context> context);
    std::unique_ptr<Context> context_;
};

}  // namespace parley::http
