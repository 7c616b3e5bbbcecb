// Brain: UBJSON from outside as a tree of values. Bytes in, values or a reason out.

#pragma once

#include "base/json_value.h"
#include "base/result.h"

#include <optional>

namespace parley::brain {

/// UBJSON of draft 12: counted and typed containers, numbers of all sizes but high precision.
[[nodiscard]] Result<Json> parse_ubjson(std::string_view bytes);

/// Reads one value that must fill all bytes. Used once.
class UbjsonReader {
public:
    explicit UbjsonReader(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] Result<Json> read();

private:
    /// What stands in front of a container's content.
    struct Head {
        char type = '\0';  ///< Of every element, unless zero.
        std::optional<std::uint64_t> count;
    };

    bool value(Json& out, char type, std::size_t depth);
    bool object(Json& out, std::size_t depth);
    bool array(Json& out, std::size_t depth);
    bool typed_numbers(Json& out, const Head& head);
    bool head(Head& out);
    /// Whether another element comes; takes the end mark where there is one.
    bool another(const Head& head, std::uint64_t done, char end);
    bool length(std::uint64_t& out);
    bool text(std::string& out);
    /// A number of the type; the type must be one of a number.
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
