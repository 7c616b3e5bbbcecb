// Brain: JSON or UBJSON from outside as a tree of values. Bytes in, values or a reason out.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace parley::brain {

// What a document may hold, so that hostile bytes take bounded memory and stack.
inline constexpr std::size_t kDocumentBytesMax = std::size_t{256} << 20;
inline constexpr std::size_t kDocumentDepthMax = 32;
inline constexpr std::size_t kDocumentValuesMax = 2'000'000;    ///< Without numbers in arrays.
inline constexpr std::size_t kDocumentNumbersMax = 16'000'000;  ///< Those in arrays.

struct Value;
using Numbers = std::vector<double>;
using Items = std::vector<Value>;
/// Of an object: the i-th name belongs to the i-th value.
struct Members {
    std::vector<std::string> names;
    std::vector<Value> values;
};

/// One value. An array of numbers is kept as such, with NaN for null; an array that begins with
/// anything else holds no number.
struct Value {
    std::variant<std::monostate, bool, double, std::string, Numbers, Items, Members> content;

    const bool* boolean() const { return std::get_if<bool>(&content); }
    const double* number() const { return std::get_if<double>(&content); }
    const std::string* text() const { return std::get_if<std::string>(&content); }
    const Members* members() const { return std::get_if<Members>(&content); }
    bool is_null() const { return std::holds_alternative<std::monostate>(content); }
    /// An array of numbers, also the empty one; null if it is something else.
    const Numbers* numbers() const;
    /// An array of other things, also the empty one; null if it is something else.
    const Items* items() const;
    /// Null if this is no object, or has no such member.
    const Value* find(std::string_view name) const;
};

/// Strict JSON, and NaN, Infinity and -Infinity, which XGBoost writes. Refuses a name that an
/// object has twice, since readers would disagree about it.
[[nodiscard]] Result<Value> parse_json(std::string_view bytes);

/// UBJSON of draft 12: counted and typed containers, numbers of all sizes but high precision.
[[nodiscard]] Result<Value> parse_ubjson(std::string_view bytes);

/// Of an input of either form: counts what has been read and stops at what is too much.
class DocumentLimits {
public:
    bool value() { return ++values_ <= kDocumentValuesMax; }
    bool numbers(std::uint64_t count) {
        if (count > kDocumentNumbersMax - numbers_) return false;
        numbers_ += count;
        return true;
    }

private:
    std::size_t values_ = 0;
    std::uint64_t numbers_ = 0;
};

/// The first name that stands twice; null if none does.
const std::string* name_twice(const Members& members);

}  // namespace parley::brain
