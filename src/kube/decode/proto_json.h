// Kube, protobuf as the API server writes it, turned into the JSON that the decoders read.
//
// A server writes a list of pods as protobuf at half the cost of JSON (docs/decisions/0019). The
// result goes through the JSON decoder; fields that proto_tables.h does not list are skipped, so
// that the text is short.

#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace parley::kube {

constexpr std::string_view kProtoType = "application/vnd.kubernetes.protobuf";

/// An answer (a list of pods, or a Status) as JSON. Refuses bytes that are cut off, of another
/// kind, or not in the order in which the API server writes them.
[[nodiscard]] Result<std::string> proto_to_json(std::string_view body);

/// The token of the next page, from the beginning of a list; empty if there is none, or it has not
/// arrived yet.
std::string next_in_proto(std::string_view begun);

}  // namespace parley::kube
