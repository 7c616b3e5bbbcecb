// Base: any described value to strict JSON. What is not finite becomes null.

#pragma once

#include "base/describe.h"
#include "base/table.h"

#include <cmath>
#include <string>
#include <string_view>

namespace parley {

/// Quoted and escaped; bytes that are not UTF-8 become the replacement character, so that the
/// result is valid whatever a cluster calls its things.
void append_json_text(std::string& out, std::string_view text);
void append_json_number(std::string& out, double value);

/// `PowerState` becomes `power_state`.
std::string snake_case(std::string_view name);

/// The last part of a type's name, without namespaces and template arguments.
template <class T>
std::string type_name() {
    std::string_view text = __PRETTY_FUNCTION__;
    text = text.substr(text.find("T = ") + 4);
    text = text.substr(0, text.find_first_of(";]<"));
    const auto colon = text.rfind(':');
    return std::string(colon == std::string_view::npos ? text : text.substr(colon + 1));
}

template <class T>
void append_json(std::string& out, const T& value);

/// A struct inside a variant says which one it is, under the key `kind`.
template <class T>
void append_json_alternative(std::string& out, const T& value) {
    if constexpr (DescribedStruct<T> && !HasText<T> && !TimeLike<T>) {
        out += "{\"kind\":\"" + snake_case(type_name<T>()) + '"';
        for_each_member(value, [&](std::string_view name, const auto& member) {
            out += ',';
            append_json_text(out, name);
            out += ':';
            append_json(out, member);
        });
        out += '}';
    } else {
        append_json(out, value);
    }
}

template <class T>
void append_json(std::string& out, const T& value) {
    if constexpr (std::same_as<T, bool>) {
        out += value ? "true" : "false";
    } else if constexpr (Integer<T>) {
        out += std::to_string(value);
    } else if constexpr (TimeLike<T>) {
        append_json_number(out, static_cast<double>(value.us) / 1e6);  // Seconds.
    } else if constexpr (DescribedEnum<T>) {
        append_json_text(out, enum_name(value));
    } else if constexpr (std::same_as<T, double>) {
        append_json_number(out, value);
    } else if constexpr (std::same_as<T, std::string>) {
        append_json_text(out, value);
    } else if constexpr (std::same_as<T, Name>) {
        append_json_text(out, value.view());
    } else if constexpr (HasText<T>) {
        append_json_text(out, value.text());
    } else if constexpr (is_optional<T>) {
        if (!value) {
            out += "null";
        } else {
            append_json(out, *value);
        }
    } else if constexpr (is_vector<T> || is_array<T>) {
        out += '[';
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (i > 0) out += ',';
            append_json(out, value[i]);
        }
        out += ']';
    } else if constexpr (is_table<T>) {
        out += '[';
        bool first = true;
        value.for_each([&](Slot, const auto& row) {
            if (!first) out += ',';
            first = false;
            append_json(out, row);
        });
        out += ']';
    } else if constexpr (is_variant<T>) {
        std::visit([&](const auto& inner) { append_json_alternative(out, inner); }, value);
    } else if constexpr (HasParts<T>) {
        append_json(out, value.parts());
    } else {
        out += '{';
        bool first = true;
        for_each_member(value, [&](std::string_view name, const auto& member) {
            if (!first) out += ',';
            first = false;
            append_json_text(out, name);
            out += ':';
            append_json(out, member);
        });
        out += '}';
    }
}

template <class T>
std::string to_json(const T& value) {
    std::string out;
    append_json(out, value);
    return out;
}

}  // namespace parley
