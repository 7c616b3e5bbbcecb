// JSON as Python writes it: what is read has one spelling, which reads back as the same value and
// is no longer than it need be; cut short it is nothing.

#include "base/check.h"
#include "fuzz/input.h"
#include "tuner/json.h"

#include <string>

namespace {

using namespace parley;
using tuner::Json;

void check(const Json& value, int depth) {
    PARLEY_CHECK(depth <= tuner::kJsonDepthMax);
    PARLEY_CHECK(value.is(Json::Kind::object) ? value.names.size() == value.items.size()
                                              : value.names.empty());
    PARLEY_CHECK(value.items.empty() || value.is(Json::Kind::list) || value.is(Json::Kind::object));
    for (const std::string& name : value.names) PARLEY_CHECK(value.find(name) != nullptr);
    for (const Json& item : value.items) {
        PARLEY_CHECK(value.raw.find(item.raw) != std::string_view::npos);
        check(item, depth + 1);
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const std::string_view text = input.rest();
    const auto value = tuner::parse_json(text);
    if (!value) {
        PARLEY_CHECK(fuzz::readable(value.error().message));
        return;
    }
    check(*value, 0);
    const std::string once = tuner::canonical(*value);
    const auto again = tuner::parse_json(once);
    PARLEY_CHECK(again.has_value());
    PARLEY_CHECK(tuner::canonical(*again) == once);
    if (value->is(Json::Kind::list) || value->is(Json::Kind::object)) {
        PARLEY_CHECK(!tuner::parse_json(text.substr(0, text.find_last_of("]}"))));
    }
    const auto quoted = tuner::json_text(text);
    const auto read = tuner::parse_json(quoted);
    PARLEY_CHECK(read && read->is(Json::Kind::text));
}
