// Learn: the key of a machine, which proves where a model was made. Ed25519, by OpenSSL.

#pragma once

#include "base/file.h"
#include "base/hash.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace parley::learn {

/// The name of a public key for people: the first 16 digits of its digest.
std::string key_id_of(std::string_view public_key_hex);

/// A private key with its public one. The private one is never printed.
class SigningKey {
public:
    /// The key at `path`; if there is none, it is created there, readable only by its owner.
    [[nodiscard]] static Result<SigningKey> at(Disk& disk, const std::string& path);

    /// 64 lower-case hexadecimal digits.
    const std::string& public_key() const { return public_; }
    /// 128 hexadecimal digits over the digest's bytes.
    [[nodiscard]] Result<std::string> sign(const Digest& digest) const;

private:
    std::string private_;  ///< 32 bytes.
    std::string public_;
};

/// Whether the holder of the private key of `public_key_hex` signed this digest.
bool verify(std::string_view public_key_hex, const Digest& digest, std::string_view signature_hex);

}  // namespace parley::learn
