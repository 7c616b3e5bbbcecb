// Base: the JSON Schema of any described type, made from its description. A checked-in copy makes
// every change of format visible in review.

#pragma once

#include "base/describe.h"
#include "base/json.h"
#include "base/table.h"

#include <map>
#include <string>
#include <string_view>

namespace parley {

/// Collects one definition per struct and enum; a type refers to the others by name.
class SchemaBuilder {
public:
    template <class T>
    std::string of() {
        if constexpr (std::same_as<T, bool>) {
            return R"({"type":"boolean"})";
        } else if constexpr (Integer<T>) {
            return R"({"type":"integer"})";
        } else if constexpr (TimeLike<T>) {
            return R"({"type":"number","description":"seconds"})";
        } else if constexpr (std::same_as<T, double>) {
            return R"({"type":["number","null"]})";
        } else if constexpr (DescribedEnum<T>) {
            return enumeration<T>();
        } else if constexpr (std::same_as<T, std::string> || std::same_as<T, Name> || HasText<T>) {
            return R"({"type":"string"})";
        } else if constexpr (is_optional<T>) {
            return R"({"anyOf":[{"type":"null"},)" + of<typename T::value_type>() + "]}";
        } else if constexpr (is_vector<T> || is_array<T>) {
            return R"({"type":"array","items":)" + of<typename T::value_type>() + "}";
        } else if constexpr (is_table<T>) {
            using Row = std::remove_cvref_t<decltype(std::declval<T>().at(0))>;
            return R"({"type":"array","items":)" + of<Row>() + "}";
        } else if constexpr (is_variant<T>) {
            return alternatives(static_cast<const T*>(nullptr));
        } else if constexpr (HasParts<T>) {
            return of<typename T::Parts>();
        } else {
            return structure<T>();
        }
    }

    /// The whole document with `root` on top; definitions are sorted by name.
    std::string document(const std::string& root) const;

private:
    template <class... Ts>
    std::string alternatives(const std::variant<Ts...>*) {
        std::string list;
        ((list += (list.empty() ? "" : ",") + alternative<Ts>()), ...);
        return R"({"anyOf":[)" + list + "]}";
    }

    /// A struct inside a variant carries its own name under `kind`.
    template <class T>
    std::string alternative() {
        if constexpr (DescribedStruct<T> && !HasText<T> && !TimeLike<T>) {
            const std::string kind = R"("kind":{"const":")" + snake_case(type_name<T>()) + "\"}";
            const std::string rest = members<T>();
            return object(rest.empty() ? kind : kind + "," + rest);
        } else {
            return of<T>();
        }
    }

    template <class T>
    std::string enumeration() {
        std::string list;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
            [&](auto e) { list += (list.empty() ? "\"" : ",\"") + std::string(e.name) + "\""; });
        return refer(type_name<T>(), R"({"enum":[)" + list + "]}");
    }

    template <class T>
    std::string structure() {
        const std::string name = distinct<T>();
        if (definitions_.contains(name)) return refer(name, definitions_.at(name));
        definitions_[name] = "";  // Ends recursion.
        return refer(name, object(members<T>()));
    }

    template <class T>
    std::string members() {
        std::string list;
        boost::mp11::mp_for_each<MembersOf<T>>([&](auto member) {
            using Member = std::remove_cvref_t<decltype(member.of(std::declval<T&>()))>;
            list += (list.empty() ? "\"" : ",\"") + std::string(member.name) + "\":" + of<Member>();
        });
        return list;
    }

    static std::string object(const std::string& properties) {
        return R"({"type":"object","additionalProperties":false,"properties":{)" + properties +
               "}}";
    }

    /// Parts of one template with different arguments are different definitions.
    template <class T>
    static std::string distinct() {
        if constexpr (requires { T::schema_name(); }) {
            return T::schema_name();
        } else {
            return type_name<T>();
        }
    }

    std::string refer(const std::string& name, std::string definition);

    std::map<std::string, std::string> definitions_;
};

/// The JSON Schema (2020-12) of to_json(T).
template <class T>
std::string json_schema() {
    SchemaBuilder builder;
    const std::string root = builder.of<T>();
    return builder.document(root);
}

}  // namespace parley
