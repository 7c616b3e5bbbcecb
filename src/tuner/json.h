// Tuner: values to JSON exactly as Python writes it, for Optuna's files. They are read by
// parse_python_json of base/json_read.h.

#pragma once

#include "base/json_value.h"

#include <string>
#include <string_view>

namespace parley::tuner {

/// Escapes everything outside ASCII, as Python does.
void append_text(std::string& out, std::string_view text);
std::string json_text(std::string_view text);

/// The shortest digits that read back; else "NaN", "Infinity" or "-Infinity". A whole number keeps
/// its ".0", by which Python tells a float from an int.
std::string print_float(double value);

/// The value in one spelling: spaces after ',' and ':', an int as written, a float as in
/// print_float. Members keep their order. For values of parse_python_json whose text still exists.
std::string canonical(const Json& value);

}  // namespace parley::tuner
