#include "http/proxy.h"

#include "base/base64.h"
#include "base/number.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <array>
#include <optional>

namespace parley::http {
namespace {

namespace ip = boost::asio::ip;

constexpr std::size_t kSocksTextMax = 255;

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

std::optional<ip::address> address_of(std::string_view host) {
    boost::system::error_code failed;
    const auto address = ip::make_address(std::string(host), failed);
    return failed ? std::nullopt : std::optional(address);
}

/// `10.0.0.0/8`, `fd00::/8`.
bool in_network(std::string_view network, const ip::address& address) {
    boost::system::error_code failed;
    if (address.is_v4()) {
        const auto found = ip::make_network_v4(std::string(network), failed);
        if (failed) return false;
        const ip::network_v4 whole(address.to_v4(), found.prefix_length());
        return whole.canonical() == found.canonical();
    }
    const auto found = ip::make_network_v6(std::string(network), failed);
    if (failed) return false;
    const ip::network_v6 whole(address.to_v6(), found.prefix_length());
    return whole.canonical() == found.canonical();
}

/// One entry of NO_PROXY: `*`, a network, an address, or a name that covers all names below it; a
/// port may follow.
bool spares(std::string_view entry, const Url& url) {
    if (entry == "*") return true;
    const std::string host = lower(url.host);
    const auto address = address_of(host);
    if (address && in_network(entry, *address)) return true;
    const std::size_t colon = entry.rfind(':');
    const bool one_colon = colon != std::string_view::npos && entry.find(':') == colon;
    if (one_colon) {
        if (entry.substr(colon + 1) != std::to_string(url.port)) return false;
        entry = entry.substr(0, colon);
    }
    if (address) return address_of(entry) == address;
    std::string name = lower(entry);
    if (name.starts_with("*.")) name.erase(0, 1);
    if (name.starts_with('.')) return host.ends_with(name);
    return host == name || host.ends_with("." + name);
}

std::string first_of(const std::map<std::string, std::string, std::less<>>& environment,
                     std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) {
        const auto found = environment.find(name);
        if (found != environment.end() && !found->second.empty()) return found->second;
    }
    return "";
}

void append_counted(std::string& out, std::string_view text) {
    out += static_cast<char>(text.size());
    out += text;
}

}  // namespace

std::string Proxy::authority() const {
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Proxy> parse_proxy(std::string_view text) {
    const auto no_proxy = [](const char* why) {
        return fail(ErrorCode::malformed,
                    std::string(why) + "; write it as http://HOST:PORT, https://HOST:PORT or " +
                        "socks5://HOST:PORT");
    };
    const auto parsed = boost::urls::parse_uri(text);
    if (!parsed) return no_proxy("this is no address of a proxy");
    const std::string scheme = lower(parsed->scheme());
    const bool socks = scheme == "socks5" || scheme == "socks5h";
    if (scheme != "http" && scheme != "https" && !socks) {
        return no_proxy("it begins with none of http://, https:// and socks5://");
    }
    Proxy proxy{.kind = socks               ? Proxy::Kind::socks5
                        : scheme == "https" ? Proxy::Kind::https
                                            : Proxy::Kind::http};
    proxy.host = parsed->host_type() == boost::urls::host_type::ipv6
                     ? parsed->host_ipv6_address().to_string()
                     : parsed->host();
    const std::string_view path(parsed->encoded_path().data(), parsed->encoded_path().size());
    const bool more = parsed->has_query() || parsed->has_fragment() || path.size() > 1;
    if (proxy.host.empty() || more) return no_proxy("it names no host, or something behind it");
    proxy.port = socks ? 1080 : scheme == "https" ? 443 : 80;
    if (parsed->has_port()) {
        const auto port = parse_int64(std::string_view(parsed->port()), 1, 65'535);
        if (!port) return no_proxy("its port is not from 1 to 65535");
        proxy.port = static_cast<std::uint16_t>(*port);
    }
    proxy.user = parsed->user();
    proxy.password = parsed->password();
    if (proxy.user.size() > kSocksTextMax || proxy.password.size() > kSocksTextMax) {
        return no_proxy("its user or password is longer than 255 letters");
    }
    return proxy;
}

std::string environment_proxy(const Url& url,
                              const std::map<std::string, std::string, std::less<>>& environment) {
    if (!url.tls || loopback(url.host)) return "";
    std::string proxy = first_of(environment, {"HTTPS_PROXY", "https_proxy"});
    if (proxy.empty()) return "";
    const std::string spared = first_of(environment, {"NO_PROXY", "no_proxy"});
    std::string_view rest = spared;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view entry = trimmed(rest.substr(0, end));
        if (!entry.empty() && spares(entry, url)) return "";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return proxy.find("://") == std::string::npos ? "http://" + proxy : proxy;
}

std::string proxy_authorization(const Proxy& proxy) {
    if (proxy.user.empty()) return "";
    return "Basic " + encode_base64(proxy.user + ":" + proxy.password);
}

std::string socks_greeting(const Proxy& proxy) {
    return proxy.user.empty() ? std::string("\x05\x01\x00", 3) : std::string("\x05\x02\x00\x02", 4);
}

std::string socks_login(const Proxy& proxy) {
    std::string out = "\x01";
    append_counted(out, proxy.user);
    append_counted(out, proxy.password);
    return out;
}

Result<std::string> socks_request(const Url& to) {
    std::string out("\x05\x01\x00", 3);
    const auto address = address_of(to.host);
    if (address && address->is_v4()) {
        out += '\x01';
        for (const unsigned char byte : address->to_v4().to_bytes()) out += static_cast<char>(byte);
    } else if (address) {
        out += '\x04';
        for (const unsigned char byte : address->to_v6().to_bytes()) out += static_cast<char>(byte);
    } else {
        if (to.host.size() > kSocksTextMax) {
            return fail(ErrorCode::denied, "the host's name is too long for a socks5 proxy");
        }
        out += '\x03';
        append_counted(out, to.host);
    }
    out += static_cast<char>(to.port >> 8U);
    out += static_cast<char>(to.port & 0xffU);
    return out;
}

std::string socks_refusal(std::uint8_t code) {
    constexpr std::array<const char*, 9> kWhy = {"",
                                                 "it failed",
                                                 "its rules forbid it",
                                                 "no network there",
                                                 "no host there",
                                                 "refused there",
                                                 "no answer in time",
                                                 "it knows no CONNECT",
                                                 "it knows no such address"};
    if (code == 0) return "";
    return code < kWhy.size() ? kWhy[code] : "answer " + std::to_string(code);
}

}  // namespace parley::http
