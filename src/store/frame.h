// Store: one frame of the journal, to bytes and from bytes. Pure; the bytes may be hostile.

#pragma once

#include "base/hash.h"
#include "base/result.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace parley::store {

/// The version of the layout below, written into each frame; a reader refuses a higher one. Magic,
/// checksum and length have the same place in all versions, so that a newer frame can be told from
/// a broken one.
inline constexpr std::uint8_t kFrameFormat = 1;
inline constexpr std::size_t kFrameHeaderBytes = 100;
inline constexpr std::uint64_t kPayloadBytesMax = std::uint64_t{256} << 20;
/// The highest number a frame may have. No run gets that far: a frame beyond it is not ours.
inline constexpr std::uint64_t kSequenceMax = std::uint64_t{1} << 62;

enum class Encoding : std::uint8_t {
    raw = 0,
    zstd = 1,
    dropped = 2,  ///< Retention removed the payload; its digest and length are kept.
};

/// Little-endian, without gaps:
///   0 magic 3, format 1 | 4 CRC-32C of all other bytes of the frame | 8 stored length 4 |
///   12 encoding 1, zeros 3 | 16 sequence 8 | 24 payload length 4 | 28 pending 4 | 32 version 2 |
///   34 kind 1 | 35 flags 1 (1 = keyframe) | 36 SHA-256 of the payload before compression |
///   68 chain | 100 stored payload
/// chain = SHA-256(chain of the frame before, bytes 0-3, bytes 16-35, payload digest): all that
/// stays when retention drops a payload.
struct FrameHeader {
    Encoding encoding = Encoding::raw;
    std::uint32_t stored_length = 0;
    std::uint64_t sequence = 0;        ///< From 1 to kSequenceMax, without gaps.
    std::uint32_t payload_length = 0;  ///< Before compression.
    std::uint32_t pending =
        0;  ///< How many frames just before were not durable when it was written.
    std::uint16_t version = 0;  ///< Of the payload; defined by the caller.
    std::uint8_t kind = 0;      ///< Of the payload; defined by the caller.
    bool keyframe = false;
    Digest payload_digest{};
    Digest chain{};

    /// Every frame before this one was durable when this one was written.
    std::uint64_t first_not_durable() const { return sequence - pending; }
};

/// A frame inside a buffer that somebody else owns.
struct FrameView {
    FrameHeader header;
    std::string_view stored;

    std::size_t size() const { return kFrameHeaderBytes + stored.size(); }
};

enum class FrameFault {
    blank,         ///< Zeros, or no bytes at all.
    no_frame,      ///< Bytes that do not begin a frame.
    cut_short,     ///< Begins like a frame, but the bytes end before it does.
    bad_checksum,  ///< Bytes have changed.
    impossible,    ///< The checksum is right, yet the fields contradict each other.
    newer_format,  ///< Intact, but of a format that this program does not know.
};
const char* text_of(FrameFault fault);

/// The frame at the first byte. Verifies the checksum, but neither chain nor payload.
tl::expected<FrameView, FrameFault> parse_frame(std::string_view bytes);

/// The first place at or after `from` where a frame might begin; npos if none.
std::size_t find_magic(std::string_view bytes, std::size_t from);

/// The chain that `header` must hold, given the chain of the frame before.
Digest chain_after(const Digest& before, const FrameHeader& header);

/// The payload as it was appended, verified by length and digest. At most kPayloadBytesMax. Fails
/// with `malformed`; must not be called for a dropped payload.
[[nodiscard]] Result<std::string> decode_payload(const FrameView& frame);

/// The same frame without its payload; the chain still holds.
std::string drop_payload(const FrameView& frame);

/// Turns payloads into frames. Keeps a compressor between calls; used by one thread at a time.
class FrameEncoder {
public:
    /// `level` is zstd's; payloads of up to `compress_above` bytes are stored uncompressed.
    FrameEncoder(int level, std::size_t compress_above);
    ~FrameEncoder();

    /// Appends a frame to `out`. The caller fills in sequence, pending, version, kind and keyframe
    /// of `header`. `chain` is the chain of the frame before; it is replaced by that of this frame.
    void encode(std::string& out, FrameHeader header, std::string_view payload, Digest& chain);

private:
    struct Free {
        void operator()(void* context) const;
    };
    std::unique_ptr<void, Free> context_;
    std::size_t compress_above_;
};

}  // namespace parley::store
