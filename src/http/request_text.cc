#include "http/request_text.h"

#include <algorithm>
#include <cctype>

namespace parley::http {
namespace {

bool is_token(std::string_view text) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               kMarks.find(c) != std::string_view::npos;
    });
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

bool is_value(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return c != '\t' && is_control(c); });
}

bool is_target(std::string_view text) {
    return !text.empty() &&
           std::ranges::none_of(text, [](char c) { return c == ' ' || is_control(c); });
}

}  // namespace

Result<std::string> request_text(std::string_view method, std::string_view target,
                                 const std::vector<Header>& headers, std::string_view body) {
    if (!is_token(method)) return fail(ErrorCode::malformed, "this is no method of HTTP");
    if (!is_target(target)) {
        return fail(ErrorCode::malformed,
                    "a blank or a control character stands in the address that is asked for");
    }
    std::string out;
    out.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
    for (const Header& each : headers) {
        if (!is_token(each.name)) return fail(ErrorCode::malformed, "a header has no proper name");
        if (!is_value(each.value)) {
            return fail(ErrorCode::malformed, "the header " + each.name +
                                                  " holds a line break or another control "
                                                  "character; see where its value comes from");
        }
        out.append(each.name).append(": ").append(each.value).append("\r\n");
    }
    if (!body.empty() || method == "POST" || method == "PUT" || method == "PATCH") {
        out.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    }
    return out.append("\r\n").append(body);
}

Result<std::string> request_text(const Request& request, const Url& url,
                                 const std::optional<Proxy>& told) {
    std::vector<Header> headers{{"Host", url.authority()}};
    if (told && !told->user.empty()) {
        headers.push_back({"Proxy-Authorization", proxy_authorization(*told)});
    }
    headers.insert(headers.end(), request.headers.begin(), request.headers.end());
    const std::string target = (told ? url.text() : url.path) + request.target;
    return request_text(request.method, target, headers, request.body);
}

}  // namespace parley::http
