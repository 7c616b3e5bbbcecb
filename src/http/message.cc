#include "http/message.h"

#include <algorithm>

namespace parley::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

const std::string* Response::header(std::string_view name) const {
    for (const Header& each : headers) {
        if (same_name(each.name, name)) return &each.value;
    }
    return nullptr;
}

std::string Response::media_type() const {
    const std::string* type = header("Content-Type");
    if (type == nullptr) return "";
    std::string out = type->substr(0, type->find(';'));
    while (out.ends_with(' ')) out.pop_back();
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

}  // namespace parley::http
