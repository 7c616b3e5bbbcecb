// Web: the JSON Schema of any described view, as OpenAPI 3.1 wants it: every member is required,
// what may be unknown may be null, and structs and enums stand by name among the components.

#pragma once

#include "web/views/view_json.h"

#include <map>
#include <string>

namespace parley::web {

/// Collects a definition per struct and enum.
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
            return R"({"anyOf":[)" + of<typename T::value_type>() + R"(,{"type":"null"}]})";
        } else if constexpr (is_vector<T> || is_array<T>) {
            return R"({"type":"array","items":)" + of<typename T::value_type>() + "}";
        } else if constexpr (is_tuple<T>) {
            return places(static_cast<const T*>(nullptr));
        } else if constexpr (is_by_name<T>) {
            return R"({"type":"object","additionalProperties":)" + of<typename T::mapped_type>() +
                   "}";
        } else if constexpr (DescribedEnum<T>) {
            return enumeration<T>();
        } else {
            return structure<T>();
        }
    }

    const std::map<std::string, std::string>& definitions() const { return definitions_; }

private:
    template <class... Ts>
    std::string places(const std::tuple<Ts...>*) {
        std::string list;
        ((list += (list.empty() ? "" : ",") + of<Ts>()), ...);
        const std::string count = std::to_string(sizeof...(Ts));
        return R"({"type":"array","prefixItems":[)" + list + R"(],"minItems":)" + count +
               R"(,"maxItems":)" + count + "}";
    }

    template <class T>
    std::string enumeration() {
        std::string list;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
            [&](auto e) { list += (list.empty() ? "\"" : ",\"") + std::string(e.name) + "\""; });
        definitions_[type_name<T>()] = R"({"type":"string","enum":[)" + list + "]}";
        return refer(type_name<T>());
    }

    template <class T>
    std::string structure() {
        const std::string name = type_name<T>();
        if (definitions_.contains(name)) return refer(name);
        definitions_[name] = "";  // Ends recursion.
        std::string properties;
        std::string required;
        boost::mp11::mp_for_each<MembersOf<T>>([&](auto member) {
            using Member = std::remove_cvref_t<decltype(member.of(std::declval<T&>()))>;
            const std::string comma = properties.empty() ? "\"" : ",\"";
            properties += comma + std::string(member.name) + "\":" + of<Member>();
            required += comma + std::string(member.name) + "\"";
        });
        definitions_[name] = R"({"type":"object","additionalProperties":false,"required":[)" +
                             required + R"(],"properties":{)" + properties + "}}";
        return refer(name);
    }

    static std::string refer(const std::string& name) {
        return R"({"$ref":"#/components/schemas/)" + name + "\"}";
    }

    std::map<std::string, std::string> definitions_;
};

}  // namespace parley::web
