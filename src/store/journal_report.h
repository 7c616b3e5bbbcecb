// Store: what reading a journal found: where it stands, what is broken, what was never finished.

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

/// Bytes in the middle of the journal that are no frames, or not the right ones: kept as they are.
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
    std::uint64_t frames = 0;         ///< That hold.
    std::uint64_t dropped = 0;        ///< Of these, without their payload: retention took it.
    std::uint64_t torn_bytes = 0;     ///< Never finished and never acknowledged; ignored.
    std::uint64_t last_sequence = 0;  ///< 0 if there is no frame.
    std::string chain_head;           ///< Of the last frame, in hexadecimal; names all before it.
    bool closed = false;              ///< It ends as its writer meant it to.
    std::vector<Damage> damage;
};

/// "000001.log".
std::string segment_name(std::uint32_t segment);
/// The reverse; nothing for any other name.
std::optional<std::uint32_t> segment_number(const std::string& name);

}  // namespace parley::store
