#include "config/print.h"

#include "base/json.h"
#include "base/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace parley::config {
namespace {

constexpr std::size_t kCommentColumn = 44;
constexpr std::int64_t kMebibytesMax = std::numeric_limits<std::int64_t>::max() >> 20;
// Beyond these an exponent is easier to read than the zeros.
constexpr double kPlainLeast = 1e-7;
constexpr double kPlainMost = 1e15;

bool is_word(std::string_view text) {
    constexpr std::string_view kInside =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    const bool letter =
        !text.empty() && (text[0] == '_' || text[0] == '/' || text[0] == '.' ||
                          (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
    return letter && text.find_first_not_of(kInside) == std::string_view::npos;
}

/// Words that YAML, or some reader of it, takes for something other than text.
bool is_taken(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::string_view kTaken[] = {"null", "true", "false", "yes", "no", "on",  "off", "y",
                                           "n",    ".inf", ".nan",  "...", ".",  "nan", "inf"};
    return std::ranges::find(kTaken, lower) != std::ranges::end(kTaken) ||
           (lower[0] == '.' && lower.find_first_not_of("0123456789e.-", 1) == std::string::npos);
}

}  // namespace

std::string yaml_text(std::string_view text) {
    if (is_word(text) && !is_taken(text)) return std::string(text);
    std::string out;
    append_json_text(out, text);
    return out;
}

std::string yaml_number(double value) {
    const double size = std::fabs(value);
    const bool plain = size == 0 || (size >= kPlainLeast && size < kPlainMost);
    if (!plain) return print_double(value);
    std::array<char, 64> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return {text.data(), end.ptr};
}

std::string yaml_whole(std::int64_t value, std::string_view key) {
    const Unit unit = unit_of(key);
    if (value > 0 && unit == Unit::millicores) return std::to_string(value) + "m";
    if (value > 0 && value <= kMebibytesMax && unit == Unit::mebibytes) {
        return print_bytes(value << 20);
    }
    if (value > 0 && unit == Unit::bytes) return print_bytes(value);
    return std::to_string(value);
}

void Printer::open(const std::string& name, int indent) {
    out_ += std::string(static_cast<std::size_t>(indent) * 2, ' ') + name + ":\n";
}

void Printer::line(const std::string& name, const std::string& value, const std::string& path,
                   int indent) {
    std::string text = std::string(static_cast<std::size_t>(indent) * 2, ' ') + name + ": " + value;
    if (origins_ != nullptr) {
        const auto found = origins_->find(path);
        text.resize(std::max(text.size() + 1, kCommentColumn), ' ');
        text += "# " + (found == origins_->end() ? "default" : found->second.text());
    }
    out_ += text + "\n";
}

void Printer::dash(std::size_t begin, int indent) {
    if (begin < out_.size()) {
        out_[begin + static_cast<std::size_t>(indent) * 2] = '-';
    } else {
        out_ += std::string(static_cast<std::size_t>(indent) * 2, ' ') + "- {}\n";
    }
}

}  // namespace parley::config
