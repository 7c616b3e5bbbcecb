// Brain: UBJSON from outside as a tree of values. Bytes in, values or a reason out.

#pragma once

#include "base/json_value.h"
#include "base/result.h"

#include <optional>

namespace parley::brain {

/// UBJSON draft 12: counted and typed containers, numbers of all sizes except high precision.
[[nodiscard]] Result<Json> parse_ubjson(std::string_view bytes);

/// Reads one value, which must use all bytes. For one use.
class UbjsonReader {
public:
    explicit UbjsonReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] Result<Json> read();

private:
    /// The type and count before a container's content.
    struct Head {
        char type = '\0';  ///< Of every element; zero: each has its own.
        std::optional<std::uint64_t> count;
    };

    bool value(Json& out, char type, std::size_t depth);
    bool object(Json& out, std::size_t depth);
    bool array(Json& out, std::size_t depth);
    bool typed_numbers(Json& out, const Head& head);
    bool head(Head& out);
    /// Whether another element follows; takes the end mark if there is one.
    bool another(const Head& head, std::uint64_t done, char end);
    bool length(std::uint64_t& out);
    bool text(std::string& out);
    /// A number of this type, which must be a type of numbers.
    bool number(char type, double& out);
    bool raw(std::size_t size, std::uint64_t& out);
    char marker();
    /// Keeps the first reason; always false.
    bool wrong(const char* why);

    std::string_view bytes_;
    std::size_t at_ = 0;
    JsonLimits limits_;
    const char* why_ = nullptr;
    std::size_t where_ = 0;
};

}  // namespace parley::brain
