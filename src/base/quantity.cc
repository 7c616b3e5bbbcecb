#include "base/quantity.h"

#include "base/number.h"

#include <array>
#include <charconv>
#include <limits>
#include <optional>

namespace parley {
namespace {

__extension__ using Wide = unsigned __int128;  // An int64 times a binary suffix.

constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr std::string_view kDecimalSuffixes[] = {"", "k", "M", "G", "T", "P", "E"};
constexpr std::string_view kBinarySuffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What follows the digits: 10^decimal * 2^binary.
struct Factor {
    int decimal = 0;
    int binary = 0;
};

std::optional<Factor> exponent(std::string_view suffix) {
    if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return std::nullopt;
    suffix.remove_prefix(1);
    if (suffix[0] == '+') {
        suffix.remove_prefix(1);
        if (suffix.empty() || !is_digit(suffix[0])) return std::nullopt;
    }
    int value = 0;
    const auto [stopped, error] =
        std::from_chars(suffix.data(), suffix.data() + suffix.size(), value);
    if (error != std::errc() || stopped != suffix.data() + suffix.size() || value < -999 ||
        value > 999)
        return std::nullopt;
    return Factor{.decimal = value};
}

std::optional<Factor> factor_of(std::string_view suffix) {
    for (int i = 0; i < 7; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (suffix == kDecimalSuffixes[at]) return Factor{.decimal = 3 * i};
        if (suffix == kBinarySuffixes[at]) return Factor{.binary = 10 * i};
    }
    if (suffix == "m") return Factor{.decimal = -3};
    if (suffix == "u") return Factor{.decimal = -6};
    if (suffix == "n") return Factor{.decimal = -9};
    return exponent(suffix);
}

/// The digits without the point and without leading zeros. `point` is how many of them stand before
/// the point; it may be negative or beyond the last digit.
struct Digits {
    std::array<unsigned, kNumberTextMax> digit{};
    int count = 0;
    int point = 0;
};

/// Reads digits and at most one point from the front of `text`. None if there is no digit.
std::optional<Digits> take_digits(std::string_view& text) {
    Digits digits;
    bool any = false;
    bool after_point = false;
    std::size_t used = 0;
    for (; used < text.size(); ++used) {
        const char c = text[used];
        if (c == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!is_digit(c)) break;
        any = true;
        if (c == '0' && digits.count == 0) {
            if (after_point) --digits.point;
            continue;
        }
        digits.digit[static_cast<std::size_t>(digits.count++)] = static_cast<unsigned>(c - '0');
        if (!after_point) ++digits.point;
    }
    if (!any) return std::nullopt;
    text.remove_prefix(used);
    return digits;
}

/// digits * 2^binary, rounded up; none if it exceeds `largest`. Exact: the whole part as an
/// integer, the fraction digit by digit from the right, with what it carries over.
std::optional<std::uint64_t> evaluate(const Digits& digits, int binary, std::uint64_t largest) {
    if (digits.count == 0) return 0;
    if (digits.point > 19) return std::nullopt;
    if (digits.point < -30) return 1;  // Less than 10^-30 * 2^60.
    const auto at = [&digits](int i) {
        return i >= 0 && i < digits.count ? digits.digit[static_cast<std::size_t>(i)] : 0U;
    };
    Wide whole = 0;  // At most 10^19, so that times 2^60 it fits.
    for (int i = 0; i < digits.point; ++i) whole = whole * 10 + at(i);
    const Wide multiplier = Wide{1} << binary;
    Wide carry = 0;
    bool remainder = false;
    for (int i = digits.count - 1; i >= digits.point; --i) {
        const Wide sum = at(i) * multiplier + carry;
        remainder = remainder || sum % 10 != 0;
        carry = sum / 10;
    }
    const Wide value = whole * multiplier + carry + (remainder ? 1 : 0);
    if (value > largest) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

/// In units of 10^-decimals.
Result<std::int64_t> parse(std::string_view text, Sign sign, int decimals) {
    const auto malformed = [text](const char* what) {
        return fail(ErrorCode::malformed, in_quotes(text) + " " + what);
    };
    if (text.size() > kNumberTextMax) return malformed("is too long for a quantity");
    std::string_view rest = text;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);
    std::optional<Digits> digits = take_digits(rest);
    const std::optional<Factor> factor = factor_of(rest);
    if (!digits || !factor) return malformed("is not a quantity such as 250m, 2 or 1.5Gi");
    digits->point += factor->decimal + decimals;
    const std::uint64_t largest = negative ? kLargest + 1 : kLargest;
    const std::optional<std::uint64_t> size = evaluate(*digits, factor->binary, largest);
    if (!size) return malformed("is too large a quantity");
    if (negative && *size != 0 && sign == Sign::not_negative) {
        return malformed("must not be negative");
    }
    return static_cast<std::int64_t>(negative ? ~*size + 1 : *size);
}

std::uint64_t size_of(std::int64_t value) {
    return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

/// The largest suffix that leaves no fraction.
std::string whole(std::uint64_t size, std::uint64_t step, const std::string_view (&suffixes)[7]) {
    std::size_t at = 0;
    while (size != 0 && size % step == 0 && at + 1 < std::size(suffixes)) {
        size /= step;
        ++at;
    }
    return std::to_string(size).append(suffixes[at]);
}

/// size / unit with two decimals below 10, one below 100, none above; zeros at the end are left
/// out. None if it rounds to `step` or more: the next unit reads better.
std::optional<std::string> rounded(std::uint64_t size, Wide unit, std::uint64_t step) {
    for (const auto& [places, limit] : {std::pair{100U, 10U}, {10U, 100U}, {1U, 0U}}) {
        const Wide scaled = (Wide{size} * places * 2 + unit) / (unit * 2);
        if (limit != 0 && scaled >= Wide{limit} * places) continue;
        if (scaled / places >= step) return std::nullopt;
        std::string text = std::to_string(static_cast<std::uint64_t>(scaled / places));
        const auto fraction = static_cast<unsigned>(scaled % places);
        if (fraction == 0) return text;
        std::string digits = std::to_string(places + fraction).substr(1);
        while (digits.back() == '0') digits.pop_back();
        return text.append(".").append(digits);
    }
    return std::nullopt;
}

std::string shown(std::uint64_t size, Wide unit, std::uint64_t step,
                  const std::string_view (&suffixes)[7]) {
    for (const std::string_view suffix : suffixes) {
        if (const auto text = rounded(size, unit, step)) return *text + std::string(suffix);
        unit *= step;
    }
    return std::to_string(size);  // Not reached: 1000 E exceeds 64 bits.
}

std::string with_sign(std::int64_t value, const std::string& text) {
    return value < 0 ? "-" + text : text;
}

}  // namespace

Result<std::int64_t> parse_millicores(std::string_view text, Sign sign) {
    return parse(text, sign, 3);
}

Result<std::int64_t> parse_bytes(std::string_view text, Sign sign) { return parse(text, sign, 0); }

std::string print_millicores(std::int64_t millicores) {
    const std::uint64_t size = size_of(millicores);
    if (size % 1000 != 0) return with_sign(millicores, std::to_string(size) + "m");
    return with_sign(millicores, whole(size / 1000, 1000, kDecimalSuffixes));
}

std::string print_bytes(std::int64_t bytes) {
    const std::uint64_t size = size_of(bytes);
    return with_sign(bytes, size < 1024 ? whole(size, 1000, kDecimalSuffixes)
                                        : whole(size, 1024, kBinarySuffixes));
}

std::string show_millicores(std::int64_t millicores) {
    const std::uint64_t size = size_of(millicores);
    if (size != 0 && size < 1000) return with_sign(millicores, std::to_string(size) + "m");
    return with_sign(millicores, shown(size, 1000, 1000, kDecimalSuffixes));
}

std::string show_bytes(std::int64_t bytes) {
    return with_sign(bytes, shown(size_of(bytes), 1, 1024, kBinarySuffixes));
}

}  // namespace parley
