#include "base/entropy.h"

#include "base/check.h"

#include <openssl/rand.h>

#include <vector>

namespace parley {

std::string random_bytes(std::size_t count) {
    std::vector<unsigned char> out(count);
    PARLEY_CHECK(RAND_bytes(out.data(), static_cast<int>(count)) == 1);
    return {reinterpret_cast<const char*>(out.data()), count};
}

std::uint64_t random_seed() {
    constexpr unsigned kBits = 53;
    std::uint64_t seed = 0;
    for (const char byte : random_bytes(sizeof seed)) {
        seed = (seed << 8U) | static_cast<unsigned char>(byte);
    }
    return seed >> (64 - kBits);
}

}  // namespace parley
