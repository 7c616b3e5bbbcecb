// Base: whether two described values are the same bits. Unlike ==, a NaN equals itself and -0 is
// not 0: what is recorded must be exactly what was seen.

#pragma once

#include "base/describe.h"
#include "base/table.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace parley {

template <class T>
bool same(const T& a, const T& b) {
    if constexpr (std::same_as<T, double>) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    } else if constexpr (is_optional<T>) {
        return a.has_value() == b.has_value() && (!a || same(*a, *b));
    } else if constexpr (is_vector<T> || is_array<T>) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!same(a[i], b[i])) return false;
        }
        return true;
    } else if constexpr (is_variant<T>) {
        return a.index() == b.index() &&
               std::visit(
                   [&](const auto& x) {
                       return same(x, *std::get_if<std::remove_cvref_t<decltype(x)>>(&b));
                   },
                   a);
    } else if constexpr (is_table<T>) {
        // Both have the same number of rows, so a chunk that only one of them has holds no rows.
        if (a.size() != b.size()) return false;
        for (std::size_t c = 0; c < std::min(a.chunk_count(), b.chunk_count()); ++c) {
            if (a.shares_chunk(b, c)) continue;
            if (a.chunk(c).taken != b.chunk(c).taken) return false;
            if (!same(a.chunk(c).rows, b.chunk(c).rows)) return false;
        }
        return true;
    } else if constexpr (HasParts<T>) {
        return same(a.parts(), b.parts());
    } else if constexpr (DescribedStruct<T> && !TimeLike<T>) {
        bool equal = true;
        for_each_pair(a, b,
                      [&](auto, const auto& x, const auto& y) { equal = equal && same(x, y); });
        return equal;
    } else {
        return a == b;
    }
}

}  // namespace parley
