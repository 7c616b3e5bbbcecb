// Prometheus, access: settings in; where to connect, and which credentials to present now, out.

#pragma once

#include "base/result.h"
#include "http/connection.h"
#include "http/message.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::prometheus {

struct Access {
    std::string url;               ///< May have a path in front of /api/v1.
    std::string token_file;        ///< Bearer token; read again before every round.
    std::string user;              ///< Basic authentication, with password_file.
    std::string password_file;     ///< For basic authentication.
    std::string certificate_file;  ///< Our own, with key_file; read again before every round.
    std::string key_file;
    std::string ca_file;      ///< Certificates to trust; empty: those that this machine trusts.
    std::string server_name;  ///< The name that its certificate must carry; empty: the host's.
    bool insecure = false;    ///< Trusts any certificate; on loopback only.
    std::vector<http::Header> headers;  ///< Sent with every request, such as X-Scope-OrgID.
};

/// What the files held when last read. Never shown.
struct Shown {
    std::vector<http::Header> headers;
    std::string ca_pem, certificate_pem, key_pem;
    friend bool operator==(const Shown&, const Shown&) = default;
};

/// The address. Refuses addresses at which clouds hand out credentials, in every spelling;
/// credentials over plain http; unverified servers off loopback; two ways of authentication;
/// headers that may not be set. Messages name settings, never their values.
[[nodiscard]] Result<http::Url> checked(const Access& access);

/// Reads the files again. Errors name the file.
[[nodiscard]] Result<Shown> read_files(const Access& access);

/// For https.
[[nodiscard]] Result<std::shared_ptr<const http::Tls>> tls_of(const Access& access,
                                                              const Shown& shown);

}  // namespace parley::prometheus
