#include "web/views/difference.h"

#include "web/views/view_json.h"

#include <map>
#include <string>
#include <utility>

namespace parley::web {
namespace {

using Leaves = std::map<std::string, std::string>;

std::string below(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
}

/// The name by which a row is found again at another index.
template <class T>
std::string key_of(const T& row, std::size_t place) {
    if constexpr (requires { row.name; }) {
        return row.name;
    } else if constexpr (requires { row.key; }) {
        return row.key;
    } else if constexpr (requires { row.agent; }) {
        return std::string(enum_name(row.role));
    } else if constexpr (requires { row.cause; }) {
        return row.cause;
    } else if constexpr (requires { row.from_round; }) {
        return row.label;
    } else {
        return std::to_string(place);
    }
}

template <class T>
void flatten(const T& value, const std::string& path, Leaves& out) {
    if constexpr (is_optional<T>) {
        if (value) {
            flatten(*value, path, out);
        } else {
            out[path] = "null";
        }
    } else if constexpr (is_vector<T>) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            flatten(value[i], below(path, key_of(value[i], i)), out);
        }
    } else if constexpr (DescribedStruct<T>) {
        for_each_member(value, [&](std::string_view name, const auto& member) {
            flatten(member, below(path, name), out);
        });
    } else if constexpr (std::same_as<T, std::string>) {
        out[path] = value;
    } else if constexpr (DescribedEnum<T>) {
        out[path] = enum_name(value);
    } else {
        out[path] = view_json(value);
    }
}

/// Paths that differ in every round, or are shown elsewhere.
bool is_noise(const std::string& path) {
    for (const char* each : {"round", "newest_round", "first_round", "at", "t", "wall", "stage",
                             "record", "repeat_count", "run"}) {
        if (path == each) return true;
    }
    return path.starts_with("events.") || path.starts_with("stages.") ||
           path.starts_with("scores.later");
}

}  // namespace

DifferenceView difference_of(const RoundView& from, const RoundView& to, std::size_t most) {
    Leaves was;
    Leaves now;
    flatten(from, "", was);
    flatten(to, "", now);
    DifferenceView view{.from = from.round, .to = to.round};
    const auto add = [&](const std::string& path, const std::string& a, const std::string& b) {
        if (a != b && !is_noise(path) && view.changed.size() < most) {
            view.changed.push_back({path, a, b});
        }
    };
    for (const auto& [path, value] : now) {
        const auto found = was.find(path);
        add(path, found != was.end() ? found->second : "-", value);
    }
    for (const auto& [path, value] : was) {
        if (!now.contains(path)) add(path, value, "-");
    }
    return view;
}

}  // namespace parley::web
