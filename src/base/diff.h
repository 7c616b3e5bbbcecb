// Base: the first difference between two described values, as a path a person can follow.

#pragma once

#include "base/describe.h"
#include "base/json.h"
#include "base/same.h"
#include "base/table.h"

#include <optional>
#include <string>

namespace parley {

struct Difference {
    std::string path;   ///< Such as `verdict.judged[2].fate.rule`.
    std::string left;   ///< As JSON.
    std::string right;  ///< As JSON.
};

namespace diff {

template <class T>
std::optional<Difference> find(const T& a, const T& b, const std::string& path);

template <class T>
std::optional<Difference> find_in_sequence(const T& a, const T& b, const std::string& path) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (auto found = find(a[i], b[i], path + "[" + std::to_string(i) + "]")) return found;
    }
    return Difference{path + ".size", std::to_string(a.size()), std::to_string(b.size())};
}

template <class T>
std::optional<Difference> find_in_table(const T& a, const T& b, const std::string& path) {
    for (Slot slot = 0; slot < std::max(a.end_slot(), b.end_slot()); ++slot) {
        const auto* x = a.find(slot);
        const auto* y = b.find(slot);
        const std::string place = path + "[" + std::to_string(slot) + "]";
        if ((x == nullptr) != (y == nullptr)) {
            return Difference{place, x ? to_json(*x) : "absent", y ? to_json(*y) : "absent"};
        }
        if (x == nullptr) continue;
        if (auto found = find(*x, *y, place)) return found;
    }
    return Difference{path + ".end", std::to_string(a.end_slot()), std::to_string(b.end_slot())};
}

template <class T>
std::optional<Difference> find(const T& a, const T& b, const std::string& path) {
    if (same(a, b)) return std::nullopt;
    if constexpr (is_optional<T>) {
        if (a && b) return find(*a, *b, path);
    } else if constexpr (is_vector<T> || is_array<T>) {
        return find_in_sequence(a, b, path);
    } else if constexpr (is_table<T>) {
        return find_in_table(a, b, path);
    } else if constexpr (is_variant<T>) {
        if (a.index() == b.index()) {
            return std::visit(
                [&](const auto& x) {
                    return find(x, *std::get_if<std::remove_cvref_t<decltype(x)>>(&b), path);
                },
                a);
        }
    } else if constexpr (HasParts<T>) {
        return find(a.parts(), b.parts(), path);
    } else if constexpr (DescribedStruct<T> && !TimeLike<T>) {
        std::optional<Difference> found;
        for_each_pair(a, b, [&](std::string_view name, const auto& x, const auto& y) {
            const std::string dot = path.empty() ? "" : ".";
            if (!found) found = find(x, y, path + dot + std::string(name));
        });
        return found;
    }
    return Difference{path, to_json(a), to_json(b)};
}

}  // namespace diff

/// Nothing if they are the same bits.
template <class T>
std::optional<Difference> first_difference(const T& a, const T& b) {
    return diff::find(a, b, "");
}

}  // namespace parley
