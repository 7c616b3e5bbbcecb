// Base: checksums against accidents (CRC-32C) and digests against everything else (SHA-256).

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

/// CRC-32C (Castagnoli), continued from `before`: crc32c(b, crc32c(a)) is the checksum of a
/// followed by b. Uses the CPU's own instruction where there is one.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);
/// The same without the CPU's instruction.
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before = 0);

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view bytes);

/// SHA-256 of bytes that come in pieces.
class Sha256 {
public:
    Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    ~Sha256();

    Sha256& update(std::string_view bytes);
    /// The digest of all pieces so far; then begins anew.
    Digest finish();

private:
    struct Free {
        void operator()(void* context) const;
    };
    std::unique_ptr<void, Free> context_;
};

/// The digest's bytes, to be written or digested in turn.
inline std::string_view bytes_of(const Digest& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// 64 lower-case hexadecimal digits.
std::string hex(const Digest& digest);
/// The reverse of hex(); nothing for any other text.
std::optional<Digest> digest_from_hex(std::string_view text);

}  // namespace parley
