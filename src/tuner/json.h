// Tuner: values to JSON as Python writes it, in one spelling. Optuna's files hold it; they are read
// by parse_python_json of base/json_read.h.

#pragma once

#include "base/json_value.h"

#include <string>
#include <string_view>

namespace parley::tuner {

/// With escapes for everything outside ASCII, as Python writes it, so that any reader takes it.
void append_text(std::string& out, std::string_view text);
std::string json_text(std::string_view text);

/// The shortest digits that read back; "NaN", "Infinity" and "-Infinity" else. A whole number keeps
/// its ".0", by which Python tells a float from an int.
std::string print_float(double value);

/// The same value in one spelling: spaces after ',' and ':', an int as it was written, a float as
/// print_float writes it. Members keep their order. Of what parse_python_json read, while its text
/// is there.
std::string canonical(const Json& value);

}  // namespace parley::tuner
