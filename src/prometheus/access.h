// Prometheus, access: settings in; where to connect, and what to show there at this moment out.

#pragma once

#include "base/result.h"
#include "http/connection.h"
#include "http/message.h"

#include <memory>
#include <string>
#include <vector>

namespace parley::prometheus {

struct Access {
    std::string url;               ///< With a path in front of /api/v1, if there is one.
    std::string token_file;        ///< Bearer token; read again before every round.
    std::string user;              ///< Basic authentication, with password_file.
    std::string password_file;     ///< Likewise.
    std::string certificate_file;  ///< Our own, with key_file; likewise.
    std::string key_file;
    std::string ca_file;                ///< Whom to trust; empty: whom this machine trusts.
    std::string server_name;            ///< Whose certificate it must be; empty: the host's.
    bool insecure = false;              ///< Trust anybody; on loopback alone.
    std::vector<http::Header> headers;  ///< Sent along, such as X-Scope-OrgID.
};

/// What files held when they were last read. Never shown.
struct Shown {
    std::vector<http::Header> headers;
    std::string ca_pem, certificate_pem, key_pem;
    friend bool operator==(const Shown&, const Shown&) = default;
};

/// The address alone. Refuses addresses where clouds hand out credentials, in every spelling;
/// credentials over plain http; trust in anybody off loopback; two ways to say who we are; headers
/// that are not ours to set. Messages name settings, never what they hold.
[[nodiscard]] Result<http::Url> checked(const Access& access);

/// Reads the files anew. Errors name the file.
[[nodiscard]] Result<Shown> read_files(const Access& access);

/// For https.
[[nodiscard]] Result<std::shared_ptr<const http::Tls>> tls_of(const Access& access,
                                                              const Shown& shown);

}  // namespace parley::prometheus
