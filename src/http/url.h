// HTTP, addresses: text from configuration in, host, port and path out; parts of targets back to
// text.

#pragma once

#include "base/describe.h"
#include "base/result.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace parley::http {

struct Url {
    bool tls = true;   ///< True: https; false: http.
    std::string host;  ///< Without the brackets of an IPv6 address.
    std::uint16_t port = 443;
    std::string path;  ///< Goes before every target: empty, or `/prefix` without a trailing `/`.

    /// The host as it stands before a port: an IPv6 address in brackets.
    std::string host_text() const;
    /// As in a Host header: the port only where it is not the usual one.
    std::string authority() const;
    /// For people: scheme, authority, path.
    std::string text() const;
    friend bool operator==(const Url&, const Url&) = default;
};
BOOST_DESCRIBE_STRUCT(Url, (), (tls, host, port, path))

/// `http://` and `https://` addresses without user, query or fragment. A name and a password in an
/// address would be shown wherever the address is, so they are refused.
[[nodiscard]] Result<Url> parse_url(std::string_view text);

/// `localhost`, names ending in `.localhost`, 127.0.0.0/8 or ::1. Other names count as remote,
/// wherever they resolve to.
bool loopback(std::string_view host);
/// 169.254.0.0/16, fe80::/10 or fd00:ec2::254: where clouds hand out credentials.
bool link_local(std::string_view host);

/// Percent-encoding of anything but letters, digits and `-._~`.
std::string escaped(std::string_view text);

/// `?a=1&b=2`, names and values escaped; pairs with an empty value are left out. Empty if no pair
/// is left.
std::string query(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs);

}  // namespace parley::http
