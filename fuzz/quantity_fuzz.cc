// Amounts as Kubernetes writes them: what is accepted prints and reads back the same.

#include "base/check.h"
#include "base/number.h"
#include "base/quantity.h"
#include "fuzz/input.h"

#include <limits>
#include <string>

namespace {

using namespace parley;

struct Amount {
    Result<std::int64_t> (*parse)(std::string_view, Sign);
    std::string (*print)(std::int64_t);
    std::string (*show)(std::int64_t);
    std::int64_t per_unit;
};
constexpr Amount kAmounts[] = {
    {parse_millicores, print_millicores, show_millicores, 1000},
    {parse_bytes, print_bytes, show_bytes, 1},
};

void reads_back(const Amount& amount, std::int64_t value) {
    const std::string text = amount.print(value);
    PARLEY_CHECK(text.size() <= 24);
    PARLEY_CHECK(amount.parse(text, Sign::any) == value);
    const std::string shown = amount.show(value);
    PARLEY_CHECK(!shown.empty() && shown.size() <= 24);
}

void check(const Amount& amount, std::string_view text) {
    const auto value = amount.parse(text, Sign::any);
    const auto positive = amount.parse(text, Sign::not_negative);
    if (!value) {
        PARLEY_CHECK(fuzz::readable(value.error().message) && !positive);
        return;
    }
    PARLEY_CHECK(positive.has_value() == (*value >= 0));
    PARLEY_CHECK(!positive || *positive == *value);
    reads_back(amount, *value);
    // Compares with a second parser, for what that can read.
    const auto whole = parse_int64(text);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / amount.per_unit;
    if (whole && *whole <= most && *whole >= -most)
        PARLEY_CHECK(*value == *whole * amount.per_unit);
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    for (const Amount& amount : kAmounts) check(amount, input.rest());
    for (const Amount& amount : kAmounts) reads_back(amount, input.value<std::int64_t>());
}
