#include "store/frame.h"

#include "base/check.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace parley::store {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\xF5PJ";  // 0xF5 is in no UTF-8 text.
constexpr std::uint8_t kKeyframeFlag = 1;
constexpr std::size_t kChecksumAt = 4;
constexpr std::size_t kStoredLengthAt = 8;
constexpr std::size_t kChainedAt = 16;
constexpr std::size_t kDigestAt = 36;
constexpr std::size_t kChainAt = 68;
static_assert(kChainAt + sizeof(Digest) == kFrameHeaderBytes);

template <class T>
T take(std::string_view bytes, std::size_t at) {
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

template <class T>
void give(char* bytes, std::size_t at, T value) {
    std::memcpy(bytes + at, &value, sizeof value);
}

/// All fields but the checksum.
std::array<char, kFrameHeaderBytes> bytes_of_header(const FrameHeader& header) {
    std::array<char, kFrameHeaderBytes> bytes{};
    std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
    give(bytes.data(), 3, kFrameFormat);
    give(bytes.data(), kStoredLengthAt, header.stored_length);
    give(bytes.data(), 12, header.encoding);
    give(bytes.data(), kChainedAt, header.sequence);
    give(bytes.data(), 24, header.payload_length);
    give(bytes.data(), 28, header.pending);
    give(bytes.data(), 32, header.version);
    give(bytes.data(), 34, header.kind);
    give(bytes.data(), 35, header.keyframe ? kKeyframeFlag : std::uint8_t{0});
    give(bytes.data(), kDigestAt, header.payload_digest);
    give(bytes.data(), kChainAt, header.chain);
    return bytes;
}

std::uint32_t checksum_of(std::string_view frame) {
    return crc32c(frame.substr(kStoredLengthAt), crc32c(frame.substr(0, kChecksumAt)));
}

void append_frame(std::string& out, const FrameHeader& header, std::string_view stored) {
    const std::size_t begin = out.size();
    const auto bytes = bytes_of_header(header);
    out.append(bytes.data(), bytes.size());
    out.append(stored);
    give(out.data() + begin, kChecksumAt, checksum_of(std::string_view(out).substr(begin)));
}

bool is_possible(std::string_view bytes, const FrameHeader& header) {
    if (take<std::uint8_t>(bytes, 13) != 0 || take<std::uint16_t>(bytes, 14) != 0) return false;
    if (take<std::uint8_t>(bytes, 35) > kKeyframeFlag) return false;
    if (header.sequence == 0 || header.sequence > kSequenceMax) return false;
    if (header.pending >= header.sequence) return false;
    if (header.payload_length > kPayloadBytesMax) return false;
    switch (header.encoding) {
        case Encoding::raw:
            return header.stored_length == header.payload_length;
        case Encoding::zstd:
            return header.stored_length < header.payload_length;
        case Encoding::dropped:
            return header.stored_length == 0;
    }
    return false;
}

/// Reused, since creating one costs more than a small payload.
ZSTD_DCtx* decompressor() {
    thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(
        ZSTD_createDCtx(), ZSTD_freeDCtx);
    PARLEY_CHECK(context != nullptr);
    return context.get();
}

ZSTD_CCtx* as_context(void* context) { return static_cast<ZSTD_CCtx*>(context); }

tl::unexpected<Error> unreadable(const FrameView& frame, const std::string& why) {
    return fail(ErrorCode::malformed,
                "the payload of frame " + std::to_string(frame.header.sequence) + " " + why);
}

}  // namespace

const char* text_of(FrameFault fault) {
    switch (fault) {
        case FrameFault::blank:
            return "there are only zeros";
        case FrameFault::no_frame:
            return "no frame begins there";
        case FrameFault::cut_short:
            return "the frame is cut short";
        case FrameFault::bad_checksum:
            return "the checksum does not match";
        case FrameFault::impossible:
            return "the frame contradicts itself";
        case FrameFault::newer_format:
            return "the frame has a newer format";
    }
    PARLEY_CHECK(false);
}

tl::expected<FrameView, FrameFault> parse_frame(std::string_view bytes) {
    const auto lead = bytes.substr(0, kFrameHeaderBytes);
    if (lead.find_first_not_of('\0') == std::string_view::npos) {
        return tl::unexpected(FrameFault::blank);
    }
    if (!lead.starts_with(kMagic.substr(0, std::min(lead.size(), kMagic.size())))) {
        return tl::unexpected(FrameFault::no_frame);
    }
    if (bytes.size() < kFrameHeaderBytes) return tl::unexpected(FrameFault::cut_short);
    FrameHeader header;
    header.stored_length = take<std::uint32_t>(bytes, kStoredLengthAt);
    if (header.stored_length > bytes.size() - kFrameHeaderBytes) {
        return tl::unexpected(FrameFault::cut_short);
    }
    const auto frame = bytes.substr(0, kFrameHeaderBytes + header.stored_length);
    if (take<std::uint32_t>(frame, kChecksumAt) != checksum_of(frame)) {
        return tl::unexpected(FrameFault::bad_checksum);
    }
    const auto format = take<std::uint8_t>(frame, 3);
    if (format > kFrameFormat) return tl::unexpected(FrameFault::newer_format);
    header.encoding = take<Encoding>(frame, 12);
    header.sequence = take<std::uint64_t>(frame, kChainedAt);
    header.payload_length = take<std::uint32_t>(frame, 24);
    header.pending = take<std::uint32_t>(frame, 28);
    header.version = take<std::uint16_t>(frame, 32);
    header.kind = take<std::uint8_t>(frame, 34);
    header.keyframe = take<std::uint8_t>(frame, 35) == kKeyframeFlag;
    header.payload_digest = take<Digest>(frame, kDigestAt);
    header.chain = take<Digest>(frame, kChainAt);
    if (format == 0 || !is_possible(frame, header)) return tl::unexpected(FrameFault::impossible);
    return FrameView{header, frame.substr(kFrameHeaderBytes)};
}

std::size_t find_magic(std::string_view bytes, std::size_t from) {
    return bytes.find(kMagic, from);
}

Digest chain_after(const Digest& before, const FrameHeader& header) {
    const auto bytes = bytes_of_header(header);
    std::array<char, 2 * sizeof(Digest) + 4 + kDigestAt - kChainedAt> input{};
    char* at = input.data();
    const auto add = [&at](const void* piece, std::size_t size) {
        std::memcpy(at, piece, size);
        at += size;
    };
    add(before.data(), before.size());
    add(bytes.data(), 4);
    add(bytes.data() + kChainedAt, kDigestAt - kChainedAt);
    add(header.payload_digest.data(), header.payload_digest.size());
    return sha256({input.data(), input.size()});
}

Result<std::string> decode_payload(const FrameView& frame) {
    PARLEY_CHECK(frame.header.encoding != Encoding::dropped);
    std::string payload;
    if (frame.header.encoding == Encoding::raw) {
        payload = frame.stored;
    } else {
        // The size that zstd declares must agree before memory is allocated.
        const auto declared = ZSTD_getFrameContentSize(frame.stored.data(), frame.stored.size());
        if (declared != frame.header.payload_length) {
            return unreadable(frame, "is not of the length that its header gives");
        }
        payload.resize(frame.header.payload_length);
        const std::size_t length =
            ZSTD_decompressDCtx(decompressor(), payload.data(), payload.size(), frame.stored.data(),
                                frame.stored.size());
        if (ZSTD_isError(length) != 0 || length != payload.size()) {
            return unreadable(frame, "cannot be decompressed");
        }
    }
    if (sha256(payload) != frame.header.payload_digest) {
        return unreadable(frame, "does not match its digest");
    }
    return payload;
}

std::string drop_payload(const FrameView& frame) {
    FrameHeader header = frame.header;
    header.encoding = Encoding::dropped;
    header.stored_length = 0;
    std::string out;
    append_frame(out, header, {});
    return out;
}

FrameEncoder::FrameEncoder(int level, std::size_t compress_above)
    : context_(ZSTD_createCCtx()), compress_above_(compress_above) {
    PARLEY_CHECK(context_ != nullptr);
    PARLEY_CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(as_context(context_.get()),
                                                     ZSTD_c_compressionLevel, level)) == 0);
}

FrameEncoder::~FrameEncoder() = default;

void FrameEncoder::Free::operator()(void* context) const { ZSTD_freeCCtx(as_context(context)); }

void FrameEncoder::encode(std::string& out, FrameHeader header, std::string_view payload,
                          Digest& chain) {
    PARLEY_CHECK(payload.size() <= kPayloadBytesMax);
    header.encoding = Encoding::raw;
    header.payload_length = static_cast<std::uint32_t>(payload.size());
    header.payload_digest = sha256(payload);
    header.chain = chain_after(chain, header);
    chain = header.chain;
    std::string_view stored = payload;
    std::string compressed;
    if (payload.size() > compress_above_) {
        // A payload that does not shrink is stored uncompressed.
        compressed.resize(payload.size() - 1);
        const std::size_t length =
            ZSTD_compress2(as_context(context_.get()), compressed.data(), compressed.size(),
                           payload.data(), payload.size());
        if (ZSTD_isError(length) == 0) {
            header.encoding = Encoding::zstd;
            stored = std::string_view(compressed).substr(0, length);
        }
    }
    header.stored_length = static_cast<std::uint32_t>(stored.size());
    append_frame(out, header, stored);
}

}  // namespace parley::store
