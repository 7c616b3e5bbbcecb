// Config: any described struct as YAML that reads back as the same value, with a comment at each
// value that says where it came from.

#pragma once

#include "base/number.h"
#include "base/time_text.h"
#include "config/origin.h"
#include "config/read.h"

#include <string>
#include <string_view>

namespace parley::config {

/// Quotes the text if YAML would read it as something else.
std::string yaml_text(std::string_view text);
/// As a person writes it: 0.0005, not 5e-04. Reads back as the same bits.
std::string yaml_number(double value);
/// Writes it as `500m`, `1Gi` or a plain number, depending on the key.
std::string yaml_whole(std::int64_t value, std::string_view key);

/// Writes values line by line; comments stand in one column where they fit.
class Printer {
public:
    /// Without origins no comments are written.
    explicit Printer(const Origins* origins = nullptr) : origins_(origins) {}

    template <class T>
    void print(const T& value) {
        members(value, "", 0);
    }
    std::string take() { return std::move(out_); }

private:
    template <class T>
    static std::string scalar(const T& value, std::string_view key) {
        if constexpr (std::same_as<T, bool>) {
            return value ? "true" : "false";
        } else if constexpr (std::same_as<T, std::uint64_t>) {
            return std::to_string(value);
        } else if constexpr (Integer<T>) {
            return yaml_whole(value, key);
        } else if constexpr (std::same_as<T, double>) {
            return yaml_number(value);
        } else if constexpr (TimeLike<T>) {
            return print_duration({value.us});
        } else if constexpr (DescribedEnum<T>) {
            return std::string(enum_name(value));
        } else if constexpr (std::same_as<T, std::string>) {
            return yaml_text(value);
        } else if constexpr (std::same_as<T, Name>) {
            return yaml_text(value.view());
        } else {
            return yaml_text(value.text());
        }
    }

    template <class T>
    static constexpr bool is_group =
        (DescribedStruct<T> && !TimeLike<T> && !HasText<T>) || is_variant<T>;

    template <class T>
    void members(const T& value, const std::string& path, int indent) {
        if constexpr (is_variant<T>) {
            std::visit(
                [&](const auto& chosen) {
                    using Chosen = std::remove_cvref_t<decltype(chosen)>;
                    line("kind", snake_case(type_name<Chosen>()), path + ".kind", indent);
                    members(chosen, path, indent);
                },
                value);
        } else {
            for_each_member(value, [&](std::string_view name, const auto& member) {
                const std::string below =
                    path.empty() ? std::string(name) : path + "." + std::string(name);
                field(std::string(name), member, below, indent);
            });
        }
    }

    template <class T>
    void field(const std::string& name, const T& value, const std::string& path, int indent) {
        if constexpr (is_optional<T>) {
            if (value) {
                field(name, *value, path, indent);
            } else {
                line(name, "null", path, indent);
            }
        } else if constexpr (is_vector<T>) {
            list(name, value, path, indent);
        } else if constexpr (is_group<T>) {
            const std::size_t before = out_.size();
            open(name, indent);
            const std::size_t begun = out_.size();
            members(value, path, indent + 1);
            if (out_.size() == begun) {  // A struct without members.
                out_.resize(before);
                line(name, "{}", path, indent);
            }
        } else {
            line(name, scalar(value, name), path, indent);
        }
    }

    template <class T>
    void list(const std::string& name, const T& values, const std::string& path, int indent) {
        using Item = typename T::value_type;
        if constexpr (is_group<Item>) {
            if (values.empty()) return line(name, "[]", path, indent);
            open(name, indent);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t begin = out_.size();
                members(values[i], path + "[" + std::to_string(i) + "]", indent + 2);
                dash(begin, indent + 1);
            }
        } else {
            static_assert(!is_vector<Item> && !is_optional<Item>, "no lists of lists");
            std::string text;
            for (const auto& value : values)
                text += (text.empty() ? "" : ", ") + scalar(value, name);
            line(name, "[" + text + "]", path, indent);
        }
    }

    void open(const std::string& name, int indent);
    void line(const std::string& name, const std::string& value, const std::string& path,
              int indent);
    /// Turns the first line after `begin` into a list item, by putting a dash into its indentation.
    void dash(std::size_t begin, int indent);

    const Origins* origins_;
    std::string out_;
};

template <class T>
std::string print_yaml(const T& value, const Origins* origins = nullptr) {
    Printer printer(origins);
    printer.print(value);
    return printer.take();
}

}  // namespace parley::config
