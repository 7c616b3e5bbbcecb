// Web: the JSON Schema of any described view for OpenAPI 3.1: every member is required, what may be
// unknown may be null, and structs and enums are named components.

#pragma once

#include "model/action.h"
#include "web/views/view_json.h"

#include <array>
#include <map>
#include <span>
#include <string>

namespace parley::web {

/// Holds a figure per role, and is written with the roles as keys.
template <class T>
concept KeyedByRole = requires(T& figures, model::Role role) { figures[role]; };

/// Collects a definition per struct and enum. Roles are plain strings in it, so that a new agent
/// changes no definition: /api/runs lists the agents there are.
class ViewSchemas {
public:
    /// The schema of view_json(T).
    template <class T>
    std::string of() {
        if constexpr (std::same_as<T, AnyJson>) {
            return R"({"type":["object","null"]})";
        } else if constexpr (std::same_as<T, bool>) {
            return R"({"type":"boolean"})";
        } else if constexpr (Integer<T>) {
            return R"({"type":"integer"})";
        } else if constexpr (std::same_as<T, double>) {
            return R"({"type":"number"})";
        } else if constexpr (std::same_as<T, std::string>) {
            return R"({"type":"string"})";
        } else if constexpr (is_optional<T>) {
            return or_null(of<typename T::value_type>());
        } else if constexpr (is_vector<T> || is_array<T>) {
            return list_of(of<typename T::value_type>());
        } else if constexpr (is_tuple<T>) {
            return places(static_cast<const T*>(nullptr));
        } else if constexpr (is_by_name<T>) {
            return by_name(of<typename T::mapped_type>());
        } else if constexpr (std::same_as<T, model::Role>) {
            return named(
                "Role",
                R"({"type":"string","description":"One of the agents that /api/runs lists."})");
        } else if constexpr (KeyedByRole<T>) {
            using Figure = std::remove_cvref_t<decltype(std::declval<T&>()[model::Role{}])>;
            return named(type_name<T>(), by_name(of<Figure>()));
        } else if constexpr (DescribedEnum<T>) {
            static constexpr auto words = words_of(boost::describe::describe_enumerators<T>());
            return enumeration(type_name<T>(), words);
        } else {
            static constexpr auto members = members_of<T>(MembersOf<T>());
            return structure(type_name<T>(), members);
        }
    }

    const std::map<std::string, std::string>& definitions() const { return definitions_; }

private:
    /// A table of these for each struct, and one function for all: code for every member by itself
    /// took 20 s to compile.
    struct Member {
        const char* name;
        std::string (ViewSchemas::*schema)();
    };

    template <class T, template <class...> class List, class... Each>
    static constexpr std::array<Member, sizeof...(Each)> members_of(List<Each...>) {
        return {Member{
            Each::name,
            &ViewSchemas::of<std::remove_cvref_t<decltype(Each::of(std::declval<T&>()))>>}...};
    }

    template <template <class...> class List, class... Each>
    static constexpr std::array<const char*, sizeof...(Each)> words_of(List<Each...>) {
        return {Each::name...};
    }

    template <class... Ts>
    std::string places(const std::tuple<Ts...>*) {
        const std::string each[] = {of<Ts>()...};
        return places(std::span<const std::string>(each));
    }

    std::string named(const std::string& name, const std::string& schema);
    static std::string or_null(const std::string& schema);
    static std::string list_of(const std::string& items);
    static std::string by_name(const std::string& values);
    static std::string places(std::span<const std::string> each);
    std::string enumeration(const std::string& name, std::span<const char* const> words);
    std::string structure(const std::string& name, std::span<const Member> members);

    std::map<std::string, std::string> definitions_;
};

}  // namespace parley::web
