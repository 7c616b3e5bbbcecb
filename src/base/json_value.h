// Base: a document from outside as a tree of values, whatever form its bytes had (json_read.h,
// brain/ubjson_reader.h), and the limits that every reader keeps.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley {

// What a document may hold, so that hostile bytes take bounded memory and stack.
inline constexpr std::size_t kJsonBytesMax = std::size_t{256} << 20;
inline constexpr std::size_t kJsonDepthMax = 64;
inline constexpr std::size_t kJsonValuesMax = 2'000'000;    ///< Not counting packed numbers.
inline constexpr std::size_t kJsonNumbersMax = 16'000'000;  ///< Packed numbers only.

struct Json;
/// An array of nothing but numbers, packed.
using JsonNumbers = std::vector<double>;
using JsonItems = std::vector<Json>;
/// The i-th name belongs to the i-th value.
struct JsonMembers {
    std::vector<std::string> names;
    std::vector<Json> values;
};

/// One JSON value of any kind.
struct Json {
    std::variant<std::monostate, bool, double, std::string, JsonNumbers, JsonItems, JsonMembers>
        content;
    /// The value as it was written: a view into the text that was parsed, which must outlive it.
    /// Empty if it was not read from text.
    std::string_view raw = {};

    const bool* boolean() const { return std::get_if<bool>(&content); }
    const double* number() const { return std::get_if<double>(&content); }
    const std::string* text() const { return std::get_if<std::string>(&content); }
    const JsonMembers* members() const { return std::get_if<JsonMembers>(&content); }
    bool is_null() const { return std::holds_alternative<std::monostate>(content); }
    /// An array of numbers, also the empty one; null if it is something else.
    const JsonNumbers* numbers() const;
    /// An array that is not packed, also the empty one; null if it is something else.
    const JsonItems* items() const;
    /// The last member of that name; null if this is no object, or has no such member.
    const Json* find(std::string_view name) const;
};

/// Counts what a reader has read and stops it when a limit is passed.
class JsonLimits {
public:
    bool value() { return ++values_ <= kJsonValuesMax; }
    bool numbers(std::uint64_t count) {
        if (count > kJsonNumbersMax - numbers_) return false;
        numbers_ += count;
        return true;
    }

private:
    std::size_t values_ = 0;
    std::uint64_t numbers_ = 0;
};

/// The first name that stands twice; null if none does.
const std::string* name_twice(const JsonMembers& members);

}  // namespace parley
