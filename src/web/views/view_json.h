// Web: any described view to strict JSON. Like base/json.h, and also maps by name, tuples as
// arrays, and ready-made JSON.

#pragma once

#include "base/describe.h"
#include "base/json.h"

#include <map>
#include <string>
#include <tuple>

namespace parley::web {

/// Ready-made JSON: an object of any form.
struct AnyJson {
    std::string text = "null";
};

template <class T>
inline constexpr bool is_by_name = false;
template <class T>
inline constexpr bool is_by_name<std::map<std::string, T>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... Ts>
inline constexpr bool is_tuple<std::tuple<Ts...>> = true;

template <class T>
void append_view(std::string& out, const T& value) {
    const auto list = [&](char open, char close, auto&& each) {
        out += open;
        bool first = true;
        each([&] {
            if (!first) out += ',';
            first = false;
        });
        out += close;
    };
    if constexpr (std::same_as<T, AnyJson>) {
        out += value.text;
    } else if constexpr (is_optional<T>) {
        if (value) {
            append_view(out, *value);
        } else {
            out += "null";
        }
    } else if constexpr (is_vector<T> || is_array<T>) {
        list('[', ']', [&](auto comma) {
            for (const auto& each : value) {
                comma();
                append_view(out, each);
            }
        });
    } else if constexpr (is_tuple<T>) {
        list('[', ']', [&](auto comma) {
            std::apply([&](const auto&... each) { (((void)comma(), append_view(out, each)), ...); },
                       value);
        });
    } else if constexpr (is_by_name<T>) {
        list('{', '}', [&](auto comma) {
            for (const auto& [name, each] : value) {
                comma();
                append_json_text(out, name);
                out += ':';
                append_view(out, each);
            }
        });
    } else if constexpr (DescribedStruct<T>) {
        list('{', '}', [&](auto comma) {
            for_each_member(value, [&](std::string_view name, const auto& member) {
                comma();
                append_json_text(out, name);
                out += ':';
                append_view(out, member);
            });
        });
    } else {
        append_json(out, value);
    }
}

template <class T>
std::string view_json(const T& value) {
    std::string out;
    append_view(out, value);
    return out;
}

}  // namespace parley::web
