// Kube, the fields we read of the API's protobuf messages: number and JSON name of each.
//
// Numbers are part of the API: they are never reused for another field.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parley::kube {

struct ProtoMessage;

/// How a field becomes JSON.
enum class ProtoShape : std::uint8_t {
    text,
    whole,
    truth,
    time,   ///< Seconds and nanoseconds to RFC 3339.
    texts,  ///< An array of texts.
    messages,
    message,
    inlined,  ///< The fields of a message, as if they belonged to the outer one.
    text_map,
    amounts,  ///< Names to quantities.
};

struct ProtoField {
    std::uint32_t number = 0;
    std::string_view name;
    ProtoShape shape = ProtoShape::text;
    const ProtoMessage* of = nullptr;  ///< For messages.
    bool always = false;               ///< Written to JSON even if it is empty.
};

struct ProtoMessage {
    std::span<const ProtoField> fields;
};

/// A pod list or a Status; null: we do not ask for this kind as protobuf.
const ProtoMessage* proto_message(std::string_view kind);

}  // namespace parley::kube
