#include "base/base64.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace parley {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The value of a letter, or nothing.
std::optional<std::uint32_t> value_of(char c) {
    const std::size_t at = kAlphabet.find(c);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<std::uint32_t>(at);
}

/// The bytes of four letters, of which `padding` are "=". Nothing if bits are left over.
bool append_group(std::string& out, std::string_view group, std::size_t padding) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto value = i < 4 - padding ? value_of(group[i]) : std::optional<std::uint32_t>(0);
        if (!value) return false;
        bits = (bits << 6U) | *value;
    }
    const std::uint32_t left_over = padding == 2 ? 0xffffU : padding == 1 ? 0xffU : 0U;
    if ((bits & left_over) != 0) return false;
    for (std::size_t i = 0; i < 3 - padding; ++i) {
        out += static_cast<char>((bits >> (16U - 8U * i)) & 0xffU);
    }
    return true;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
    std::string letters;
    std::ranges::copy_if(text, std::back_inserter(letters),
                         [](char c) { return c != '\n' && c != '\r'; });
    if (letters.size() % 4 != 0) return std::nullopt;
    std::string out;
    for (std::size_t at = 0; at < letters.size(); at += 4) {
        const std::string_view group = std::string_view(letters).substr(at, 4);
        const bool last = at + 4 == letters.size();
        const std::size_t padding = !last                   ? 0
                                    : group.ends_with("==") ? 2
                                    : group.ends_with('=')  ? 1
                                                            : 0;
        if (!append_group(out, group, padding)) return std::nullopt;
    }
    return out;
}

std::string encode_base64(std::string_view bytes) {
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = (bits << 8U) | (i < have ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += i <= have ? kAlphabet[(bits >> (18U - 6U * i)) & 63U] : '=';
        }
    }
    return out;
}

}  // namespace parley
