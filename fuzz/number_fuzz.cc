// Numbers from outside: what is accepted is finite, equals what the C library reads, and prints and
// reads back as the same bits.

#include "base/check.h"
#include "base/number.h"
#include "base/same.h"
#include "fuzz/input.h"

#include <cmath>
#include <cstdlib>
#include <string>

namespace {

using namespace parley;

void check_print(double value) {
    const std::string text = print_double(value);
    PARLEY_CHECK(text.size() <= 32);
    if (std::isfinite(value)) {
        const auto back = parse_double(text);
        PARLEY_CHECK(back && same(*back, value));
    } else {
        PARLEY_CHECK(!parse_double(text));
    }
    for (const int decimals : {0, 1, 3, 17}) {
        const std::string shown = fixed(value, decimals);
        PARLEY_CHECK(shown.size() <= 340 && (shown == "?") == !std::isfinite(value));
        PARLEY_CHECK(shown.find_first_not_of("-0.") != std::string::npos || shown[0] != '-');
        const std::string with_sign = signed_fixed(value, decimals);
        PARLEY_CHECK(with_sign == shown || with_sign == "+" + shown);
    }
}

void check_double(std::string_view text) {
    const auto value = parse_double(text);
    if (!value) {
        PARLEY_CHECK(fuzz::readable(value.error().message));
        return;
    }
    PARLEY_CHECK(text.size() <= kNumberTextMax && std::isfinite(*value));
    PARLEY_CHECK(same(*value, std::strtod(std::string(text).c_str(), nullptr)));
    PARLEY_CHECK(parse_double(text, *value, *value).has_value());
    PARLEY_CHECK(!parse_double(text, std::nextafter(*value, HUGE_VAL)).has_value());
    check_print(*value);
}

void check_whole(std::string_view text) {
    const auto value = parse_int64(text);
    const auto count = parse_uint64(text);
    if (value) PARLEY_CHECK(parse_int64(std::to_string(*value)) == *value);
    if (count) PARLEY_CHECK(parse_uint64(std::to_string(*count)) == *count);
    if (value && count) PARLEY_CHECK(static_cast<std::uint64_t>(*value) == *count);
    if (value) PARLEY_CHECK(parse_double(text).has_value());
}

void check_thousands(std::int64_t value) {
    std::string text = thousands(value);
    std::erase(text, ',');
    PARLEY_CHECK(text == std::to_string(value));
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    check_double(input.rest());
    check_whole(input.rest());
    PARLEY_CHECK(in_quotes(input.rest()).size() <= 192);
    check_print(fuzz::Input(input).value<double>());
    check_thousands(input.value<std::int64_t>());
}
