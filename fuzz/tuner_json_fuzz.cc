// JSON as Python writes it: what is accepted has one spelling, which reads back as the same value
// and is minimal; truncated it is refused. Whatever is strict JSON is also accepted as Python's.

#include "base/check.h"
#include "base/json_read.h"
#include "fuzz/input.h"
#include "tuner/json.h"

#include <string>

namespace {

using namespace parley;

void check(const Json& value, std::size_t depth) {
    PARLEY_CHECK(depth <= kJsonDepthMax);
    const auto inner = [&](const Json& each) {
        PARLEY_CHECK(value.raw.find(each.raw) != std::string_view::npos);
        check(each, depth + 1);
    };
    if (const JsonItems* items = value.items()) {
        for (const Json& item : *items) inner(item);
    }
    if (const JsonMembers* members = value.members()) {
        PARLEY_CHECK(members->names.size() == members->values.size());
        for (const std::string& name : members->names) PARLEY_CHECK(value.find(name) != nullptr);
        for (const Json& member : members->values) inner(member);
    }
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    const std::string_view text = input.rest();
    const auto strictly = parse_json(text);
    if (!strictly) PARLEY_CHECK(fuzz::readable(strictly.error().message));
    const auto value = parse_python_json(text);
    if (!value) {
        PARLEY_CHECK(!strictly && fuzz::readable(value.error().message));
        return;
    }
    check(*value, 0);
    const std::string once = tuner::canonical(*value);
    const auto again = parse_python_json(once);
    PARLEY_CHECK(again.has_value());
    PARLEY_CHECK(tuner::canonical(*again) == once);
    if (value->items() != nullptr || value->members() != nullptr) {
        PARLEY_CHECK(!parse_python_json(text.substr(0, text.find_last_of("]}"))));
    }
    const auto quoted = tuner::json_text(text);
    const auto read = parse_python_json(quoted);
    PARLEY_CHECK(read && read->text() != nullptr);
}
