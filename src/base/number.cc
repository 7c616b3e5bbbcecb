#include "base/number.h"

#include "base/check.h"

#include <charconv>
#include <cmath>

namespace parley {
namespace {

tl::unexpected<Error> malformed(std::string_view text, const std::string& what) {
    return fail(ErrorCode::malformed, in_quotes(text) + " " + what);
}

template <class T>
std::string print(T value) {
    if constexpr (std::is_floating_point_v<T>) return print_double(value);
    return std::to_string(value);
}

/// `kind` completes the message "is not ...".
template <class T>
Result<T> parse(std::string_view text, T lo, T hi, const char* kind) {
    if (text.empty()) return fail(ErrorCode::malformed, std::string("empty text is not ") + kind);
    if (text.size() > kNumberTextMax) return malformed(text, "is too long for a number");
    T value{};
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument || stopped != text.data() + text.size()) {
        return malformed(text, std::string("is not ") + kind);
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (error == std::errc() && !std::isfinite(value)) {
            return malformed(text, "is not a finite number");
        }
    }
    if (error != std::errc()) return malformed(text, "is out of range");
    if (value < lo || value > hi) {
        return malformed(text, "must be from " + print(lo) + " to " + print(hi));
    }
    return value;
}

bool is_negative(std::string_view printed) { return printed.starts_with('-'); }

bool is_zero(std::string_view printed) {
    return printed.find_first_not_of("-0.") == std::string_view::npos;
}

}  // namespace

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kShown = 40;
    std::string shown = "\"";
    for (const char c : text.substr(0, kShown)) {
        shown += (c >= ' ' && c <= '~' && c != '"') ? c : '?';
    }
    if (text.size() > kShown) shown += "...";
    return shown + "\"";
}

Result<double> parse_double(std::string_view text, double lo, double hi) {
    return parse<double>(text, lo, hi, "a number");
}

Result<std::int64_t> parse_int64(std::string_view text, std::int64_t lo, std::int64_t hi) {
    return parse<std::int64_t>(text, lo, hi, "a whole number");
}

Result<std::uint64_t> parse_uint64(std::string_view text, std::uint64_t lo, std::uint64_t hi) {
    return parse<std::uint64_t>(text, lo, hi, "a whole number from zero up");
}

std::string print_double(double value) {
    char buffer[32];  // The longest is "-2.2250738585072014e-308".
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    PARLEY_CHECK(error == std::errc());
    return {buffer, end};
}

std::string fixed(double value, int decimals) {
    PARLEY_CHECK(decimals >= 0 && decimals <= 17);
    if (!std::isfinite(value)) return "?";
    char buffer[336];  // 309 digits before the point.
    const auto [end, error] =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
    PARLEY_CHECK(error == std::errc());
    std::string printed(buffer, end);
    if (is_negative(printed) && is_zero(printed)) printed.erase(0, 1);
    return printed;
}

std::string signed_fixed(double value, int decimals) {
    const std::string printed = fixed(value, decimals);
    if (printed == "?" || is_negative(printed) || is_zero(printed)) return printed;
    return "+" + printed;
}

std::string thousands(std::int64_t value) {
    std::string printed = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t i = printed.size(); i > first + 3;) {
        i -= 3;
        printed.insert(i, 1, ',');
    }
    return printed;
}

}  // namespace parley
