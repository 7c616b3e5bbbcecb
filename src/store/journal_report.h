// Store: what reading a journal found: how far it goes, what is damaged, what was never finished.

#pragma once

#include "base/hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

/// A place between two frames.
struct Position {
    std::uint32_t segment = 1;
    std::uint64_t offset = 0;
    std::uint64_t sequence = 1;              ///< Of the frame that follows; 0 if not known.
    std::optional<Digest> chain = Digest{};  ///< Of the frame before; nothing if not known.

    friend bool operator==(const Position&, const Position&) = default;
};

/// Bytes in the middle of the journal that are not frames, or not the expected ones. They are left
/// as they are.
struct Damage {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t first_lost = 0;  ///< Sequence numbers that cannot be read,
    std::uint64_t last_lost = 0;   ///< up to this one; below first_lost if none is missing.
    std::string why;

    friend bool operator==(const Damage&, const Damage&) = default;
};

/// "segment 000002, bytes 400 to 611: frames 12 to 13 are lost: the checksum does not match".
std::string text_of(const Damage& damage);

struct Report {
    std::uint64_t frames = 0;   ///< Intact frames.
    std::uint64_t dropped = 0;  ///< Intact frames whose payload retention removed.
    /// Bytes at the end that were never finished and never acknowledged; ignored.
    std::uint64_t torn_bytes = 0;
    std::uint64_t last_sequence = 0;  ///< 0 if there is no frame.
    /// Chain of the last frame, in hexadecimal; it vouches for all frames before.
    std::string chain_head;
    bool closed = false;  ///< Whether its writer closed it properly.
    std::vector<Damage> damage;
};

/// "000001.log".
std::string segment_name(std::uint32_t segment);
/// The reverse of segment_name; nothing for any other name.
std::optional<std::uint32_t> segment_number(const std::string& name);

}  // namespace parley::store
