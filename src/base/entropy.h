// Base: bits that nobody can foretell, from the operating system. Nothing that is decided may rest
// on them; base/random.h draws what can be drawn again.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace parley {

/// `count` random bytes, good enough for a secret.
std::string random_bytes(std::size_t count);

/// For a run that nobody repeats: below 2^53, so that whoever reads it as JSON has it exactly.
std::uint64_t random_seed();

}  // namespace parley
