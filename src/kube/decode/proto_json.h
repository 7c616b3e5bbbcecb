// Kube, protobuf as the API server writes it, turned into the JSON that the decoders read.
//
// A server writes a list of pods as protobuf at half the cost of JSON (docs/decisions/0019). There
// is one decoder for both: what the tables of proto_tables.h do not name is passed over, so that
// the text is short.

#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace parley::kube {

constexpr std::string_view kProtoType = "application/vnd.kubernetes.protobuf";

/// An answer of that type as JSON: a list of pods or a Status. Refuses what is cut off, of another
/// kind, or not in the order in which the API server writes.
[[nodiscard]] Result<std::string> proto_to_json(std::string_view body);

/// The token of the next page, from the beginning of a list; empty where it has none, or has not
/// come yet.
std::string next_in_proto(std::string_view begun);

}  // namespace parley::kube
