#include "kube/access/kubeconfig_server.h"

#include "base/number.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstddef>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <utility>

namespace parley::kube {
namespace {

constexpr std::string_view kForm = "; write it as https://HOST[:PORT][/PATH]";

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_ipv6(const std::string& host) {
    in6_addr address{};
    return ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

/// Removes the scheme and says whether it is https; nothing if it is neither http nor https.
std::optional<bool> take_scheme(std::string_view& text) {
    for (const bool tls : {true, false}) {
        const std::string_view scheme = tls ? "https://" : "http://";
        const bool same = text.size() >= scheme.size() &&
                          std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, [](char c) {
                              return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                          });
        if (!same) continue;
        text.remove_prefix(scheme.size());
        return tls;
    }
    return std::nullopt;
}

/// Cuts host and port off the front of what follows the scheme; empty if there is no host.
std::pair<std::string, std::string> host_and_port(std::string_view authority) {
    if (authority.starts_with('[')) {
        const std::size_t end = authority.find(']');
        if (end == std::string_view::npos) return {};
        const std::string host(authority.substr(1, end - 1));
        const std::string_view rest = authority.substr(end + 1);
        if (!is_ipv6(host) || (!rest.empty() && rest[0] != ':')) return {};
        return {host, std::string(rest)};
    }
    const std::size_t colon = authority.find(':');
    const std::string host(authority.substr(0, colon));
    if (!is_host(host)) return {};
    return {host, colon == std::string_view::npos ? "" : std::string(authority.substr(colon))};
}

bool is_path(std::string_view path) {
    return std::ranges::all_of(path, [](char c) {
        return is_letter_or_digit(c) ||
               std::string_view("/-._~%!$&'()*+,;=:").find(c) != std::string_view::npos;
    });
}

tl::unexpected<Error> no_server(const std::string& why) {
    return fail(ErrorCode::malformed, why + std::string(kForm));
}

}  // namespace

Result<Server> parse_server(std::string_view text) {
    const auto tls = take_scheme(text);
    if (!tls)
        return no_server("the address of the server begins with neither https:// nor http://");
    const std::size_t slash = text.find_first_of("/?#");
    const std::string_view authority = text.substr(0, slash);
    if (authority.find('@') != std::string_view::npos) {
        return fail(ErrorCode::denied,
                    "the address of the server holds a user or a password; give them as the "
                    "credentials of a user instead");
    }
    Server server{.tls = *tls, .port = static_cast<std::uint16_t>(*tls ? 443 : 80)};
    const auto [host, port] = host_and_port(authority);
    if (host.empty()) return no_server("the address of the server names no host");
    server.host = host;
    if (!port.empty()) {
        const auto number = parse_int64(std::string_view(port).substr(1), 1, 65'535);
        if (!number) return no_server("the port of the server is not from 1 to 65535");
        server.port = static_cast<std::uint16_t>(*number);
    }
    if (slash != std::string_view::npos) server.path = text.substr(slash);
    if (server.path.find_first_of("?#") != std::string::npos) {
        return no_server("the address of the server has a query or a fragment");
    }
    if (!is_path(server.path)) return no_server("the path of the server is not plain text");
    while (server.path.ends_with('/')) server.path.pop_back();
    return server;
}

bool is_label(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, fits) &&
           name.front() != '-' && name.back() != '-';
}

bool is_host(std::string_view name) {
    const auto fits = [](char c) {
        return is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
    };
    return !name.empty() && name.size() <= 253 && std::ranges::all_of(name, fits);
}

std::string kind_of(const Identity& identity) {
    if (identity.exec) return one_line("program " + identity.exec->command);
    std::string kind = identity.certificate ? "certificate" : "";
    if (!identity.token_file.empty()) {
        kind += kind.empty() ? "token file" : " and token file";
    } else if (!identity.token.empty()) {
        kind += kind.empty() ? "token" : " and token";
    }
    return kind.empty() ? "none" : kind;
}

}  // namespace parley::kube
