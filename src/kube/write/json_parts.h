// Kube, parts of the JSON that is sent and read here: a text in quotes, a text of an object.

#pragma once

#include "base/json.h"
#include "base/json_value.h"

#include <string>
#include <string_view>

namespace parley::kube {

inline std::string quoted(std::string_view text) {
    std::string out;
    append_json_text(out, text);
    return out;
}

/// What stands under a name; null if nothing does, or `from` is null.
inline const Json* part_at(const Json* from, std::string_view name) {
    return from != nullptr ? from->find(name) : nullptr;
}

/// The text under a name; null if there is none.
inline const std::string* text_at(const Json* from, std::string_view name) {
    const Json* found = part_at(from, name);
    return found != nullptr ? found->text() : nullptr;
}

/// The same, empty where there is none; valid as long as `from`.
inline std::string_view text_or_none(const Json* from, std::string_view name) {
    const std::string* text = text_at(from, name);
    return text != nullptr ? std::string_view(*text) : std::string_view();
}

}  // namespace parley::kube
