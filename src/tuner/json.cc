#include "tuner/json.h"

#include "base/number.h"
#include "base/utf8.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace parley::tuner {
namespace {

/// The next character of UTF-8, and how many bytes it takes; one bad byte is the replacement
/// character.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text) {
    constexpr std::uint32_t kReplacement = 0xFFFD;
    const std::size_t length = utf8_length(text);
    if (length == 0) return {kReplacement, 1};
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::uint32_t code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (byte(i) & 0x3Fu);
    return {code, length};
}

void append_escape(std::string& out, std::uint32_t unit) {
    constexpr char kHex[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xF];
}

/// Written without point and exponent: Python's int.
bool is_int(const Json& number) {
    return !number.raw.empty() && number.raw.find_first_of(".eENI") == std::string_view::npos;
}

void append_canonical(std::string& out, const Json& value) {
    if (value.is_null()) out += "null";
    if (const bool* yes = value.boolean()) out += *yes ? "true" : "false";
    if (const double* number = value.number()) {
        out += is_int(value) ? std::string(value.raw) : print_float(*number);
    }
    if (const std::string* text = value.text()) append_text(out, *text);
    if (const JsonItems* items = value.items()) {
        out += '[';
        for (const Json& item : *items) {
            if (&item != items->data()) out += ", ";
            append_canonical(out, item);
        }
        out += ']';
    }
    const JsonMembers* members = value.members();
    if (members == nullptr) return;
    out += '{';
    for (std::size_t i = 0; i < members->names.size(); ++i) {
        if (i > 0) out += ", ";
        append_text(out, members->names[i]);
        out += ": ";
        append_canonical(out, members->values[i]);
    }
    out += '}';
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto [code, length] = decode(text);
        text.remove_prefix(length);
        if (code == '"' || code == '\\') {
            out += '\\';
            out += static_cast<char>(code);
        } else if (code >= 0x20 && code < 0x7F) {
            out += static_cast<char>(code);
        } else if (code < 0x10000) {
            append_escape(out, code);
        } else {
            append_escape(out, 0xD800 + ((code - 0x10000) >> 10));
            append_escape(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
        }
    }
    out += '"';
}

std::string json_text(std::string_view text) {
    std::string out;
    append_text(out, text);
    return out;
}

std::string print_float(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    std::string text = print_double(value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string canonical(const Json& value) {
    std::string out;
    append_canonical(out, value);
    return out;
}

}  // namespace parley::tuner
