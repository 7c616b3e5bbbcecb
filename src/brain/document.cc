#include "brain/document.h"

#include <algorithm>

namespace parley::brain {

const Numbers* Value::numbers() const {
    static const Numbers nothing;
    const auto* items = std::get_if<Items>(&content);
    if (items != nullptr && items->empty()) return &nothing;
    return std::get_if<Numbers>(&content);
}

const Items* Value::items() const {
    static const Items nothing;
    const auto* numbers = std::get_if<Numbers>(&content);
    if (numbers != nullptr && numbers->empty()) return &nothing;
    return std::get_if<Items>(&content);
}

const Value* Value::find(std::string_view name) const {
    const auto* all = members();
    if (all == nullptr) return nullptr;
    const auto found = std::ranges::find(all->names, name);
    const auto place = static_cast<std::size_t>(found - all->names.begin());
    return found == all->names.end() ? nullptr : &all->values[place];
}

const std::string* name_twice(const Members& members) {
    std::vector<const std::string*> names;
    names.reserve(members.names.size());
    for (const std::string& name : members.names) names.push_back(&name);
    const auto text = [](const std::string* name) -> const std::string& { return *name; };
    std::ranges::sort(names, {}, text);
    const auto twice = std::ranges::adjacent_find(names, {}, text);
    return twice == names.end() ? nullptr : *twice;
}

}  // namespace parley::brain
