// HTTP, proxies: text from configuration or the environment in, where to go and what to say there
// out. Pure.

#pragma once

#include "base/result.h"
#include "http/url.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace parley::http {

struct Proxy {
    enum class Kind : std::uint8_t { http, https, socks5 };
    Kind kind = Kind::http;
    std::string host;
    std::uint16_t port = 3128;
    std::string user;  ///< Empty: no user is sent.
    std::string password;

    std::string authority() const;  ///< For people, without user and password.
};

/// `http://`, `https://` or `socks5://`, optionally with user and password. Error messages never
/// repeat the text, which may hold a password.
[[nodiscard]] Result<Proxy> parse_proxy(std::string_view text);

/// What kubectl would take from HTTPS_PROXY and NO_PROXY for this address; empty: none.
std::string environment_proxy(const Url& url,
                              const std::map<std::string, std::string, std::less<>>& environment);

/// Value of Proxy-Authorization; empty: none is sent.
std::string proxy_authorization(const Proxy& proxy);

/// What SOCKS5 (RFC 1928, 1929) is told, step by step. The proxy looks up the name.
std::string socks_greeting(const Proxy& proxy);
std::string socks_login(const Proxy& proxy);
[[nodiscard]] Result<std::string> socks_request(const Url& to);
/// Why the proxy did not connect, from the second byte of its answer; empty: it did.
std::string socks_refusal(std::uint8_t code);

}  // namespace parley::http
