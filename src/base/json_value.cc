#include "base/json_value.h"

#include <algorithm>

namespace parley {

const JsonNumbers* Json::numbers() const {
    static const JsonNumbers nothing;
    const auto* items = std::get_if<JsonItems>(&content);
    if (items != nullptr && items->empty()) return &nothing;
    return std::get_if<JsonNumbers>(&content);
}

const JsonItems* Json::items() const {
    static const JsonItems nothing;
    const auto* numbers = std::get_if<JsonNumbers>(&content);
    if (numbers != nullptr && numbers->empty()) return &nothing;
    return std::get_if<JsonItems>(&content);
}

const Json* Json::find(std::string_view name) const {
    const auto* all = members();
    if (all == nullptr) return nullptr;
    for (std::size_t i = all->names.size(); i > 0; --i) {
        if (all->names[i - 1] == name) return &all->values[i - 1];
    }
    return nullptr;
}

const std::string* name_twice(const JsonMembers& members) {
    std::vector<const std::string*> names;
    names.reserve(members.names.size());
    for (const std::string& name : members.names) names.push_back(&name);
    const auto text = [](const std::string* name) -> const std::string& { return *name; };
    std::ranges::sort(names, {}, text);
    const auto twice = std::ranges::adjacent_find(names, {}, text);
    return twice == names.end() ? nullptr : *twice;
}

}  // namespace parley
