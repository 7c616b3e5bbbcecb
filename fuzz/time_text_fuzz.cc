// Times and durations: what is accepted prints and reads back the same; any time can be shown.

#include "base/check.h"
#include "base/time_text.h"
#include "fuzz/input.h"

#include <string>

namespace {

using namespace parley;

void check_time(std::string_view text) {
    const auto time = parse_time(text);
    if (!time) {
        PARLEY_CHECK(fuzz::readable(time.error().message));
        return;
    }
    PARLEY_CHECK(parse_time(print_time(*time)) == *time);
    PARLEY_CHECK(parse_time(print_micro_time(*time)) == *time);
}

void check_duration(std::string_view text) {
    const auto span = parse_duration(text);
    if (!span) {
        PARLEY_CHECK(fuzz::readable(span.error().message));
        return;
    }
    PARLEY_CHECK(span->us >= 0);
    PARLEY_CHECK(parse_duration(print_duration(*span)) == *span);
}

void check_shown(std::int64_t us) {
    const auto nearest = parse_time(print_time({us}));
    PARLEY_CHECK(nearest && parse_time(print_micro_time({us})) == *nearest);
    const auto span = parse_duration(print_duration({us}));
    PARLEY_CHECK(us < 0 ? !span : span && span->us == us);
    PARLEY_CHECK(!print_age({us}).empty() && print_age({us}).size() <= 24);
    PARLEY_CHECK(print_simulated({us}).starts_with("T") && print_simulated({us}).size() <= 32);
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    check_time(input.rest());
    check_duration(input.rest());
    check_shown(input.value<std::int64_t>());
}
