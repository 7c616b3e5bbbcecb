// Base: JSON from outside to described values. Strict: every member must be there, and no other.

#pragma once

#include "base/describe.h"
#include "base/json_value.h"
#include "base/number.h"
#include "base/result.h"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Longer texts are refused.
inline constexpr std::size_t kJsonTextMax = 65'536;

template <class T>
[[nodiscard]] Result<void> read_json(const Json& from, T& into, const std::string& path);

namespace detail {

inline tl::unexpected<Error> not_a(const std::string& path, const char* what) {
    return fail(ErrorCode::malformed, path + " must be " + what);
}

template <Integer T>
Result<void> read_integer(const Json& from, T& into, const std::string& path) {
    // Above it, doubles cannot hold every whole number.
    constexpr double kExact = 9'007'199'254'740'992.0;
    constexpr double kLow = std::max(-kExact, static_cast<double>(std::numeric_limits<T>::min()));
    constexpr double kHigh = std::min(kExact, static_cast<double>(std::numeric_limits<T>::max()));
    const double* number = from.number();
    const bool whole = number != nullptr && std::floor(*number) == *number;
    if (!whole || *number < kLow || *number > kHigh) return not_a(path, "a whole number in range");
    into = static_cast<T>(*number);
    return {};
}

inline Result<void> read_double(const Json& from, double& into, const std::string& path) {
    if (from.is_null()) {  // Values that are not finite are written as null.
        into = std::numeric_limits<double>::quiet_NaN();
        return {};
    }
    if (from.number() == nullptr) return not_a(path, "a number");
    into = *from.number();
    return {};
}

template <DescribedStruct T>
Result<void> read_struct(const Json& from, T& into, const std::string& path) {
    const JsonMembers* members = from.members();
    if (members == nullptr) return not_a(path, "an object");
    Result<void> done;
    std::size_t known = 0;
    for_each_member(into, [&](std::string_view name, auto& member) {
        if (!done) return;
        const Json* value = from.find(name);
        const std::string below = path.empty() ? std::string(name) : path + "." + std::string(name);
        if (value == nullptr) {
            done = fail(ErrorCode::malformed, below + " is missing");
            return;
        }
        ++known;
        done = read_json(*value, member, below);
    });
    if (!done || known == members->names.size()) return done;
    for (const std::string& name : members->names) {
        bool found = false;
        for_each_member(into, [&](std::string_view each, const auto&) { found |= each == name; });
        if (!found) {
            return fail(ErrorCode::malformed, "there is no member " + in_quotes(name) +
                                                  (path.empty() ? "" : " in " + path));
        }
    }
    return done;
}

template <class T>
Result<void> read_vector(const Json& from, std::vector<T>& into, const std::string& path) {
    if constexpr (std::same_as<T, double>) {
        if (from.numbers() == nullptr) return not_a(path, "an array of numbers");
        into = *from.numbers();
        return {};
    } else {
        const JsonItems* items = from.items();
        if (items == nullptr) return not_a(path, "an array");
        into.clear();
        for (std::size_t i = 0; i < items->size(); ++i) {
            const std::string below = path + "[" + std::to_string(i) + "]";
            auto read = read_json((*items)[i], into.emplace_back(), below);
            if (!read) return read;
        }
        return {};
    }
}

}  // namespace detail

/// Reads what base/json.h writes of bool, integers, double, text, enums, structs and vectors of
/// them. The path of what is wrong stands in front of the reason: "inputs.features[3].unit must be
/// a text".
template <class T>
Result<void> read_json(const Json& from, T& into, const std::string& path) {
    if constexpr (std::same_as<T, bool>) {
        if (from.boolean() == nullptr) return detail::not_a(path, "true or false");
        into = *from.boolean();
        return {};
    } else if constexpr (Integer<T>) {
        return detail::read_integer(from, into, path);
    } else if constexpr (std::same_as<T, double>) {
        return detail::read_double(from, into, path);
    } else if constexpr (std::same_as<T, std::string>) {
        if (from.text() == nullptr) return detail::not_a(path, "a text");
        if (from.text()->size() > kJsonTextMax) return detail::not_a(path, "at most 64 KiB");
        into = *from.text();
        return {};
    } else if constexpr (DescribedEnum<T>) {
        const auto value =
            from.text() == nullptr ? std::optional<T>() : enum_from_name<T>(*from.text());
        if (!value) return detail::not_a(path, "a name that is known");
        into = *value;
        return {};
    } else if constexpr (is_vector<T>) {
        return detail::read_vector(from, into, path);
    } else {
        return detail::read_struct(from, into, path);
    }
}

}  // namespace parley
