// Config: fills any described struct from a tree of YAML nodes. Members that the file does not name
// keep their value; an unknown name is an error that points at it.
//
// Besides the members' types, their names count: `..._m` are millicores (`500m` or 500), `..._mib`
// mebibytes (`32Gi` or 32768), whole numbers called `memory...` or `...bytes` bytes (`1Gi` or
// 1073741824). Spans and points of time are written `3s` or as seconds; points count from the start
// of the run. An alternative of a variant is chosen by the key `kind`, as in our JSON.

#pragma once

#include "base/describe.h"
#include "base/json.h"
#include "base/result.h"
#include "config/origin.h"
#include "config/yaml.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::config {

enum class Unit { none, millicores, mebibytes, bytes };
Unit unit_of(std::string_view key);

/// A number at `path` lies in [lo, hi]; times count as seconds. `[]` stands for any index.
struct Bound {
    std::string_view path;
    double lo = 0;
    double hi = 0;
    std::string_view why = {};  ///< The reason that is shown to whoever passes it; may be empty.
};

/// Reads one source. The values go straight into the target and stay there when reading fails.
class Reader {
public:
    /// Borrows all three; each path that was set is noted in `origins`.
    Reader(const Source& source, Origins& origins, std::span<const Bound> bounds = {})
        : source_(source), origins_(origins), bounds_(bounds) {}

    /// Reads the value at `path` ("" for the root); the last word of the path decides about units.
    template <class T>
    [[nodiscard]] Result<void> read(const Node& node, T& into, const std::string& path) {
        if constexpr (is_optional<T>) {
            return optional(node, into, path);
        } else if constexpr (is_vector<T>) {
            return list(node, into, path);
        } else if constexpr (is_variant<T>) {
            return variant(node, into, path);
        } else if constexpr (DescribedStruct<T> && !TimeLike<T> && !HasText<T>) {
            return structure(node, into, path, false);
        } else {
            origins_[path] = {source_.name, node.place};
            return scalar(node, into, path);
        }
    }

    /// An error about what stands at `node`.
    [[nodiscard]] tl::unexpected<Error> refuse(const Node& node, const std::string& sentence,
                                               const std::string& hint = "") const;

private:
    template <class T>
    Result<void> scalar(const Node& node, T& into, const std::string& path) {
        if constexpr (std::same_as<T, bool>) {
            return truth(node, into, path);
        } else if constexpr (std::same_as<T, std::uint64_t>) {
            return count(node, into, path);
        } else if constexpr (Integer<T>) {
            std::int64_t wide = 0;
            const auto done = whole(node, wide, path, std::numeric_limits<T>::min(),
                                    static_cast<std::int64_t>(std::numeric_limits<T>::max()));
            if (done) into = static_cast<T>(wide);
            return done;
        } else if constexpr (std::same_as<T, double>) {
            return number(node, into, path);
        } else if constexpr (TimeLike<T>) {
            return time(node, into.us, path);
        } else if constexpr (DescribedEnum<T>) {
            std::vector<std::string> names;
            boost::mp11::mp_for_each<boost::describe::describe_enumerators<T>>(
                [&](auto e) { names.emplace_back(e.name); });
            const auto chosen = choice(node, names, path);
            if (!chosen) return tl::unexpected(chosen.error());
            into = *enum_from_name<T>(*chosen);
            return {};
        } else {
            std::string written;
            if (const auto done = text(node, written, path); !done) return done;
            if constexpr (std::same_as<T, std::string>) {
                into = std::move(written);
            } else if constexpr (std::same_as<T, Name>) {
                into = Name::of(written);
            } else {
                into.name = Name::of(written);  // NodeId and NamespaceId.
            }
            return {};
        }
    }

    template <class T>
    Result<void> optional(const Node& node, T& into, const std::string& path) {
        if (node.shape == Shape::nothing) {
            origins_[path] = {source_.name, node.place};
            into.reset();
            return {};
        }
        if (!into) into.emplace();
        return read(node, *into, path);
    }

    template <class T>
    Result<void> list(const Node& node, T& into, const std::string& path) {
        if (node.shape != Shape::list) {
            return refuse(node, called(path) + " must be a list", "write [a, b] or - a, - b");
        }
        origins_[path] = {source_.name, node.place};
        into.clear();  // A list is replaced, never added to.
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            typename T::value_type item{};
            const std::string place = path + "[" + std::to_string(i) + "]";
            if (const auto done = read(node.items[i], item, place); !done) return done;
            into.push_back(std::move(item));
        }
        return {};
    }

    template <class T>
    Result<void> structure(const Node& node, T& into, const std::string& path, bool has_kind) {
        if (node.shape != Shape::map) {
            return refuse(node, called(path) + " must be a group of settings",
                          "it takes " + known<T>(4));
        }
        for (const Entry& entry : node.entries) {
            if (has_kind && entry.key == "kind") continue;
            Result<void> done;
            bool found = false;
            const std::string place = path.empty() ? entry.key : path + "." + entry.key;
            for_each_member(into, [&](std::string_view name, auto& member) {
                if (name != entry.key) return;
                found = true;
                done = read(entry.value, member, place);
            });
            if (!found) return unknown(entry, names_of<T>());
            if (!done) return done;
        }
        return {};
    }

    template <class... Ts>
    Result<void> variant(const Node& node, std::variant<Ts...>& into, const std::string& path) {
        const std::vector<std::string> kinds = {snake_case(type_name<Ts>())...};
        const auto kind = kind_of(node, kinds, path);
        if (!kind) return tl::unexpected(kind.error());
        Result<void> done;
        const auto try_one = [&]<class T>(T value) {
            if (snake_case(type_name<T>()) != *kind) return;
            done = structure(node, value, path, true);
            into = std::move(value);
        };
        (try_one(Ts{}), ...);
        return done;
    }

    template <class T>
    static std::vector<std::string> names_of() {
        std::vector<std::string> names;
        boost::mp11::mp_for_each<MembersOf<T>>(
            [&](auto member) { names.emplace_back(member.name); });
        return names;
    }
    template <class T>
    static std::string known(std::size_t at_most) {
        return some_of(names_of<T>(), at_most);
    }

    static std::string some_of(const std::vector<std::string>& names, std::size_t at_most);
    static std::string called(const std::string& path);
    Result<void> unknown(const Entry& entry, const std::vector<std::string>& names) const;
    Result<std::string> kind_of(const Node& node, const std::vector<std::string>& kinds,
                                const std::string& path);
    Result<std::string> choice(const Node& node, const std::vector<std::string>& names,
                               const std::string& path) const;
    Result<void> truth(const Node& node, bool& into, const std::string& path) const;
    Result<void> count(const Node& node, std::uint64_t& into, const std::string& path) const;
    Result<void> whole(const Node& node, std::int64_t& into, const std::string& path,
                       std::int64_t lo, std::int64_t hi) const;
    Result<void> number(const Node& node, double& into, const std::string& path) const;
    Result<void> time(const Node& node, std::int64_t& into_us, const std::string& path) const;
    Result<void> text(const Node& node, std::string& into, const std::string& path) const;
    const Bound* bound_of(const std::string& path) const;

    const Source& source_;
    Origins& origins_;
    std::span<const Bound> bounds_;
};

}  // namespace parley::config
