#include "http/url.h"

#include "base/number.h"

#include <boost/asio/ip/address.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <cctype>

namespace parley::http {
namespace {

tl::unexpected<Error> no_url(std::string_view text, const std::string& why) {
    return fail(ErrorCode::malformed, in_quotes(text) + " is no address to ask: " + why +
                                          "; write it as https://HOST[:PORT][/PATH]");
}

bool has_brackets(std::string_view host) { return host.find(':') != std::string_view::npos; }

}  // namespace

std::string Url::host_text() const { return has_brackets(host) ? "[" + host + "]" : host; }

std::string Url::authority() const {
    return port == (tls ? 443 : 80) ? host_text() : host_text() + ":" + std::to_string(port);
}

std::string Url::text() const { return (tls ? "https://" : "http://") + authority() + path; }

Result<Url> parse_url(std::string_view text) {
    const auto parsed = boost::urls::parse_uri(text);
    // An address that cannot be parsed may hold a password anywhere, so it is not repeated.
    if (!parsed)
        return fail(ErrorCode::malformed,
                    "this is no address to ask; write it as "
                    "https://HOST[:PORT][/PATH]");
    if (parsed->has_userinfo()) {
        return fail(ErrorCode::denied,
                    "the address of " + in_quotes(parsed->host()) +
                        " holds a user or a password; give them as credentials instead");
    }
    Url url;
    url.tls = parsed->scheme_id() == boost::urls::scheme::https;
    if (!url.tls && parsed->scheme_id() != boost::urls::scheme::http) {
        return no_url(text, "its scheme is neither http nor https");
    }
    if (parsed->has_query() || parsed->has_fragment()) {
        return no_url(text, "it has a query or a fragment");
    }
    url.host = parsed->host_type() == boost::urls::host_type::ipv6
                   ? parsed->host_ipv6_address().to_string()
                   : parsed->host();
    if (url.host.empty()) return no_url(text, "it names no host");
    url.port = url.tls ? 443 : 80;
    if (parsed->has_port()) {
        const auto port = parse_int64(std::string_view(parsed->port()), 1, 65'535);
        if (!port) return no_url(text, "its port is not from 1 to 65535");
        url.port = static_cast<std::uint16_t>(*port);
    }
    url.path = parsed->encoded_path();
    while (url.path.ends_with('/')) url.path.pop_back();
    return url;
}

bool loopback(std::string_view host) {
    if (host == "localhost" || host.ends_with(".localhost")) return true;
    boost::system::error_code failed;
    const auto address = boost::asio::ip::make_address(std::string(host), failed);
    return !failed && address.is_loopback();
}

bool link_local(std::string_view host) {
    boost::system::error_code failed;
    const auto address = boost::asio::ip::make_address(std::string(host), failed);
    if (failed) return false;
    if (address.is_v4()) return (address.to_v4().to_uint() >> 16) == 0xa9feU;
    const auto v6 = address.to_v6();
    if (v6.is_v4_mapped())
        return link_local(
            boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, v6).to_string());
    return v6.is_link_local() || v6 == boost::asio::ip::make_address_v6("fd00:ec2::254");
}

std::string escaped(std::string_view text) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain =
            byte < 128 && (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~');
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += kDigits[byte >> 4U];
            out += kDigits[byte & 15U];
        }
    }
    return out;
}

std::string query(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
    std::string out;
    for (const auto& [key, value] : pairs) {
        if (value.empty()) continue;
        out += out.empty() ? '?' : '&';
        out += escaped(key);
        out += '=';
        out += escaped(value);
    }
    return out;
}

}  // namespace parley::http
