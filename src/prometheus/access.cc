#include "prometheus/access.h"

#include "base/base64.h"
#include "base/file.h"
#include "base/number.h"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

namespace parley::prometheus {
namespace {

constexpr std::uint64_t kFileMax = std::uint64_t{1} << 20;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

/// Resolvers accept 2852039166 and 0xa9fea9fe as addresses although they do not look like ones.
bool disguised_address(std::string_view host) {
    boost::system::error_code failed;
    boost::asio::ip::make_address(std::string(host), failed);
    if (!failed) return false;
    if (host.ends_with('.')) host.remove_suffix(1);
    const std::string last = lower(host.substr(host.rfind('.') + 1));
    const bool digits = !last.empty() && std::ranges::all_of(last, [](unsigned char c) {
        return std::isdigit(c) != 0;
    });
    return digits || last.starts_with("0x");
}

bool hands_out_credentials(std::string_view host) {
    const std::string name = lower(host.ends_with('.') ? host.substr(0, host.size() - 1) : host);
    return http::link_local(host) || disguised_address(host) || name == "metadata" ||
           name == "metadata.google.internal" || name == "instance-data" ||
           name == "instance-data.ec2.internal" || name == "100.100.100.200";
}

bool token_character(unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string_view::npos;
}

bool secret_by_name(const std::string& name) {
    static constexpr std::array kWords = {"auth",   "token",  "key",     "cookie",
                                          "secret", "passwd", "session", "password"};
    return std::ranges::any_of(
        kWords, [&](const char* word) { return name.find(word) != std::string::npos; });
}

Result<void> check_header(const http::Header& header, const Access& access, bool tls) {
    static constexpr std::array kOurs = {"host",       "content-length", "transfer-encoding",
                                         "connection", "upgrade",        "accept-encoding",
                                         "te",         "trailer",        "user-agent"};
    const std::string name = lower(header.name);
    const std::string called = "the header " + in_quotes(header.name);
    if (name.empty() || !std::ranges::all_of(name, token_character)) {
        return fail(ErrorCode::denied, called + " has no name that HTTP allows");
    }
    if (std::ranges::find(kOurs, name) != kOurs.end()) {
        return fail(ErrorCode::denied, called + " is not for settings to set");
    }
    const bool one_line = std::ranges::all_of(
        header.value, [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 127); });
    if (!one_line) return fail(ErrorCode::denied, called + " is not one line");
    if (name == "authorization" && !(access.token_file.empty() && access.user.empty())) {
        return fail(ErrorCode::denied, called + " stands beside a token or a user; keep one");
    }
    if (!tls && secret_by_name(name)) {
        return fail(ErrorCode::denied, called + " must not go over plain http; use https");
    }
    return {};
}

Result<void> check_pairs(const Access& access) {
    const auto pair = [](const std::string& a, const std::string& b) {
        return a.empty() == b.empty();
    };
    if (!pair(access.user, access.password_file)) {
        return fail(ErrorCode::denied, "a user and a password file go together");
    }
    if (access.user.find(':') != std::string::npos) {
        return fail(ErrorCode::denied, "the user's name must hold no colon");
    }
    if (!access.user.empty() && !access.token_file.empty()) {
        return fail(ErrorCode::denied, "a token file and a user are two ways to log in; keep one");
    }
    if (!pair(access.certificate_file, access.key_file)) {
        return fail(ErrorCode::denied, "a certificate and its key go together");
    }
    return {};
}

Result<std::string> text_of(const std::string& path) {
    std::error_code failed;
    // A pipe would block, a device would not end.
    if (!std::filesystem::is_regular_file(path, failed)) {
        return fail(failed ? ErrorCode::unavailable : ErrorCode::denied,
                    in_quotes(path) + " is no file that can be read");
    }
    return read_file(real_disk(), path, kFileMax);
}

/// Removes the line end that editors add. Refuses anything else that would break the header.
Result<std::string> secret_in(const std::string& path) {
    auto text = text_of(path);
    if (!text) return text;
    while (text->ends_with('\n') || text->ends_with('\r') || text->ends_with(' ')) text->pop_back();
    const bool fine = !text->empty() && std::ranges::all_of(*text, [](unsigned char c) {
        return c >= ' ' && c != 127;
    });
    if (!fine) return fail(ErrorCode::malformed, in_quotes(path) + " does not hold one line");
    return text;
}

}  // namespace

Result<http::Url> checked(const Access& access) {
    auto url = http::parse_url(access.url);
    if (!url) return url;
    if (hands_out_credentials(url->host)) {
        return fail(ErrorCode::denied,
                    "the address of Prometheus is one where clouds hand out "
                    "credentials; it is never asked");
    }
    if (auto fine = check_pairs(access); !fine) return tl::unexpected(fine.error());
    const bool secrets =
        !access.token_file.empty() || !access.user.empty() || !access.certificate_file.empty();
    if (!url->tls && secrets) {
        return fail(ErrorCode::denied,
                    "credentials for Prometheus must not go over plain http; use https");
    }
    if (access.insecure && !http::loopback(url->host)) {
        return fail(ErrorCode::denied,
                    "trust in any certificate is for loopback alone; name a CA file instead");
    }
    for (const http::Header& each : access.headers) {
        if (auto fine = check_header(each, access, url->tls); !fine) {
            return tl::unexpected(fine.error());
        }
    }
    return url;
}

Result<Shown> read_files(const Access& access) {
    Shown out{.headers = access.headers};
    if (!access.token_file.empty()) {
        auto token = secret_in(access.token_file);
        if (!token) return within("the token file", token.error());
        out.headers.push_back({"Authorization", "Bearer " + *token});
    }
    if (!access.user.empty()) {
        auto password = secret_in(access.password_file);
        if (!password) return within("the password file", password.error());
        out.headers.push_back(
            {"Authorization", "Basic " + encode_base64(access.user + ":" + *password)});
    }
    const std::pair<const std::string&, std::string&> files[] = {
        {access.ca_file, out.ca_pem},
        {access.certificate_file, out.certificate_pem},
        {access.key_file, out.key_pem}};
    for (const auto& [path, into] : files) {
        if (path.empty()) continue;
        auto text = text_of(path);
        if (!text) return tl::unexpected(text.error());
        into = *std::move(text);
    }
    return out;
}

Result<std::shared_ptr<const http::Tls>> tls_of(const Access& access, const Shown& shown) {
    return http::Tls::make({.ca_pem = shown.ca_pem,
                            .certificate_pem = shown.certificate_pem,
                            .key_pem = shown.key_pem,
                            .insecure = access.insecure});
}

}  // namespace parley::prometheus
