// Base: the one reader of JSON into a tree: bytes in, values out, or what is wrong and at which
// byte. (The large answers of Kubernetes and Prometheus are walked without building a tree:
// kube/decode/decode_json.h, prometheus/answer.cc.)

#pragma once

#include "base/json_value.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace parley {

/// Strict JSON, and NaN, Infinity and -Infinity, which XGBoost writes. Arrays of numbers are
/// packed, with NaN for null. Refuses what readers would disagree about: a name that an object has
/// twice, a number no double holds, half of a surrogate pair, bytes that are no UTF-8.
[[nodiscard]] Result<Json> parse_json(std::string_view bytes);

/// As Python's json module reads, for files that Python wrote: of equal names the last counts, a
/// number no double holds becomes infinite or zero, half of a surrogate pair becomes the
/// replacement character, bytes are taken as they are. No array is packed: `raw` tells 1 from 1.0.
[[nodiscard]] Result<Json> parse_python_json(std::string_view bytes);

/// Whether all of it is one number by JSON's grammar, of any length and size.
bool is_json_number(std::string_view text);

/// What to do with half of a surrogate pair.
enum class LoneSurrogate { refuse, replace };

/// Reads the escape at the front of `rest` (a backslash and what follows) into `out`. Returns null,
/// or why it is not an escape. Either way `rest` begins after what was read.
[[nodiscard]] const char* take_json_escape(std::string_view& rest, std::string& out,
                                           LoneSurrogate lone);

}  // namespace parley
