// Kube, for tests: protobuf as the API server writes it, put together by hand.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::kube {

inline std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
    return out + static_cast<char>(value);
}

inline std::string bytes_field(std::uint32_t number, std::string_view bytes) {
    return varint(number << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

inline std::string number_field(std::uint32_t number, std::int64_t value) {
    return varint(number << 3) + varint(static_cast<std::uint64_t>(value));
}

inline std::string map_entry(std::uint32_t number, std::string_view key, std::string_view value) {
    return bytes_field(number, bytes_field(1, key) + bytes_field(2, value));
}

inline std::string time_field(std::uint32_t number, std::int64_t seconds) {
    return bytes_field(number, number_field(1, seconds) + number_field(2, 0));
}

/// What an answer looks like: a mark, the kind, and the bytes of the message.
inline std::string proto_answer(std::string_view kind, std::string_view raw) {
    return std::string("k8s\0", 4) + bytes_field(1, bytes_field(1, "v1") + bytes_field(2, kind)) +
           bytes_field(2, raw) + bytes_field(3, "") + bytes_field(4, "");
}

/// Its head: version and token of the next page.
inline std::string list_head(std::string_view version, std::string_view token) {
    return bytes_field(1, bytes_field(1, "") + bytes_field(2, version) + bytes_field(3, token) +
                              number_field(4, 7));
}

}  // namespace parley::kube
