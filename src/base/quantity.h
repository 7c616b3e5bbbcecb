// Base: amounts as Kubernetes writes them ("250m", "1.5Gi", "1e3"), exact, as whole millicores or
// bytes.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// CPU is counted in millicores everywhere; a source that counts in cores is converted where it is
/// read.
inline constexpr double kMillicoresPerCore = 1000.0;

enum class Sign { not_negative, any };

/// Reads a quantity: sign, digits with at most one point, and n u m k M G T P E, Ki Mi Gi Ti Pi Ei
/// or an exponent (e3, E-3). A remainder is rounded away from zero, as Kubernetes does, so that a
/// request never becomes smaller. Malformed: anything else, text over 64 characters, an exponent
/// over 999, a value that int64 cannot hold (Kubernetes caps it, but a capped amount is not what
/// was meant), and a negative value unless `sign` allows it.
[[nodiscard]] Result<std::int64_t> parse_millicores(std::string_view text,
                                                    Sign sign = Sign::not_negative);
[[nodiscard]] Result<std::int64_t> parse_bytes(std::string_view text,
                                               Sign sign = Sign::not_negative);

/// Kubernetes' canonical form: no fraction, the largest suffix that leaves none. 250 reads "250m",
/// 2000 "2", 2500 "2500m". Parses back to the same value.
std::string print_millicores(std::int64_t millicores);

/// Kubernetes' canonical form with binary suffixes: 1610612736 reads "1536Mi". Below 1024 bytes
/// Kubernetes uses decimal suffixes, so 1000 reads "1k". Parses back to the same value.
std::string print_bytes(std::int64_t bytes);

/// For people, about three digits, rounded half up: "250m", "1.5", "12.3", "1.2k"; "512", "1.5Gi".
std::string show_millicores(std::int64_t millicores);
std::string show_bytes(std::int64_t bytes);

}  // namespace parley
