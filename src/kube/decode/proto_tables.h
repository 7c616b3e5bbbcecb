// Kube, what somebody reads of the API's protobuf messages: number and JSON name of each field.
//
// Numbers are part of the API: they are never given to another field.

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
    texts,  ///< An array of them, likewise the next.
    messages,
    message,
    inlined,  ///< The fields of a message as if they were our own.
    text_map,
    amounts,  ///< Names to quantities.
};

struct ProtoField {
    std::uint32_t number = 0;
    std::string_view name;
    ProtoShape shape = ProtoShape::text;
    const ProtoMessage* of = nullptr;  ///< For messages.
    bool always = false;               ///< JSON has it though it is empty.
};

struct ProtoMessage {
    std::span<const ProtoField> fields;
};

/// A pod list, a Status; null: we do not ask for it in protobuf.
const ProtoMessage* proto_message(std::string_view kind);

}  // namespace parley::kube
