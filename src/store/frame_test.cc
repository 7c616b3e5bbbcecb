#include "store/frame.h"

#include <gtest/gtest.h>

#include <cstring>

namespace parley::store {
namespace {

constexpr std::size_t kCompressAbove = 512;

FrameHeader header_of(std::uint64_t sequence) {
    FrameHeader header;
    header.sequence = sequence;
    header.pending = static_cast<std::uint32_t>(sequence - 1);
    header.version = 3;
    header.kind = 7;
    header.keyframe = true;
    return header;
}

std::string encoded(std::string_view payload, Digest chain = {}) {
    FrameEncoder encoder(1, kCompressAbove);
    std::string bytes;
    encoder.encode(bytes, header_of(2), payload, chain);
    return bytes;
}

/// Changes the bytes and corrects the checksum.
std::string forged(std::string frame, std::size_t at, std::string_view bytes) {
    frame.replace(at, bytes.size(), bytes);
    const auto view = std::string_view(frame);
    const std::uint32_t checksum = crc32c(view.substr(8), crc32c(view.substr(0, 4)));
    std::memcpy(frame.data() + 4, &checksum, sizeof checksum);
    return frame;
}

std::string fault_of(std::string_view bytes) {
    const auto parsed = parse_frame(bytes);
    return parsed ? "none" : text_of(parsed.error());
}

/// Bytes that cannot be compressed.
std::string noise(std::size_t length) {
    std::string bytes;
    for (std::uint64_t i = 0; bytes.size() < length; ++i) {
        bytes += bytes_of(sha256(std::to_string(i)));
    }
    bytes.resize(length);
    return bytes;
}

TEST(Frame, comes_back_as_it_was) {
    const Digest chain = sha256("before");
    const std::string bytes = encoded("payload", chain);
    const std::string more = bytes + "behind it";
    const auto frame = parse_frame(more);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->size(), bytes.size());
    EXPECT_EQ(frame->header.sequence, 2u);
    EXPECT_EQ(frame->header.pending, 1u);
    EXPECT_EQ(frame->header.first_not_durable(), 1u);
    EXPECT_EQ(frame->header.version, 3u);
    EXPECT_EQ(frame->header.kind, 7u);
    EXPECT_TRUE(frame->header.keyframe);
    EXPECT_EQ(frame->header.payload_digest, sha256("payload"));
    EXPECT_EQ(frame->header.chain, chain_after(chain, frame->header));
    EXPECT_EQ(decode_payload(*frame).value(), "payload");
}

struct SizeCase {
    const char* name;
    std::string payload;
    Encoding encoding;
};

TEST(Frame, is_compressed_where_that_helps) {
    const SizeCase cases[] = {
        {"empty", "", Encoding::raw},
        {"at_the_bound", std::string(kCompressAbove, 'a'), Encoding::raw},
        {"above_the_bound", std::string(kCompressAbove + 1, 'a'), Encoding::zstd},
        {"noise", noise(2000), Encoding::raw},
        {"large", std::string(3'000'000, 'a') + noise(1000), Encoding::zstd},
    };
    for (const SizeCase& c : cases) {
        SCOPED_TRACE(c.name);
        const std::string bytes = encoded(c.payload);
        const auto frame = parse_frame(bytes);
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->header.encoding, c.encoding);
        EXPECT_EQ(decode_payload(*frame).value(), c.payload);
    }
}

TEST(Frame, any_changed_bit_is_seen) {
    const std::string good = encoded(std::string(600, 'x'));
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
        std::string bad = good;
        bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
        EXPECT_FALSE(parse_frame(bad)) << bit;
    }
}

TEST(Frame, any_cut_is_seen) {
    const std::string good = encoded("some payload");
    EXPECT_EQ(fault_of(""), "there are only zeros");
    for (std::size_t length = 1; length < good.size(); ++length) {
        EXPECT_EQ(fault_of(good.substr(0, length)), "the frame is cut short") << length;
    }
}

TEST(Frame, faults_have_names) {
    const std::string good = encoded("payload");
    const std::string two("\2\0\0\0\0\0\0\0", 8);
    EXPECT_EQ(fault_of(good), "none");
    EXPECT_EQ(fault_of(std::string(500, '\0')), "there are only zeros");
    EXPECT_EQ(fault_of("text"), "no frame begins there");
    EXPECT_EQ(fault_of(std::string(good).replace(101, 1, "x")), "the checksum does not match");
    EXPECT_EQ(fault_of(forged(good, 3, "\2")), "the frame has a newer format");
    EXPECT_EQ(fault_of(std::string(good).replace(3, 1, "\2")), "the checksum does not match");
    EXPECT_EQ(fault_of(forged(good, 3, std::string(1, '\0'))), "the frame contradicts itself");
    EXPECT_EQ(fault_of(forged(good, 12, "\3")), "the frame contradicts itself");  // Encoding.
    EXPECT_EQ(fault_of(forged(good, 12, "\1")), "the frame contradicts itself");  // Not shorter.
    EXPECT_EQ(fault_of(forged(good, 12, "\2")), "the frame contradicts itself");  // Not empty.
    EXPECT_EQ(fault_of(forged(good, 13, "\1")), "the frame contradicts itself");  // Not zero.
    EXPECT_EQ(fault_of(forged(good, 15, "\1")), "the frame contradicts itself");  // Not zero.
    EXPECT_EQ(fault_of(forged(good, 24, "\6")), "the frame contradicts itself");  // Length.
    EXPECT_EQ(fault_of(forged(good, 35, "\2")), "the frame contradicts itself");  // Flags.
    EXPECT_EQ(fault_of(forged(good, 28, two.substr(0, 4))), "the frame contradicts itself");
    EXPECT_EQ(fault_of(forged(good, 16, std::string(8, '\0'))), "the frame contradicts itself");
    const std::string last("\0\0\0\0\0\0\0\x40", 8);  // kSequenceMax.
    const std::string beyond("\1\0\0\0\0\0\0\x40", 8);
    EXPECT_EQ(fault_of(forged(good, 16, last)), "none");
    EXPECT_EQ(fault_of(forged(good, 16, beyond)), "the frame contradicts itself");
}

TEST(Frame, declared_sizes_are_not_believed) {
    const std::string bytes = encoded(std::string(100'000, 'a'));
    const std::uint32_t huge = 256u << 20;
    std::string declared(4, '\0');
    std::memcpy(declared.data(), &huge, 4);
    const auto bomb = parse_frame(forged(bytes, 24, declared));
    ASSERT_TRUE(bomb);
    EXPECT_EQ(decode_payload(*bomb).error().message,
              "the payload of frame 2 is not of the length that its header gives");

    const std::uint32_t more = huge + 1;
    std::memcpy(declared.data(), &more, 4);
    EXPECT_EQ(fault_of(forged(bytes, 24, declared)), "the frame contradicts itself");

    const std::string broken = forged(bytes, bytes.size() - 3, "\xFF\xFF\xFF");
    EXPECT_EQ(decode_payload(*parse_frame(broken)).error().code, ErrorCode::malformed);
    const std::string other = forged(encoded("payload"), 100, "q");
    EXPECT_EQ(decode_payload(*parse_frame(other)).error().message,
              "the payload of frame 2 does not match its digest");
}

TEST(Frame, without_its_payload_still_has_its_place_in_the_chain) {
    const std::string bytes = encoded(std::string(600, 'x'));
    const auto whole = parse_frame(bytes);
    const std::string shorter = drop_payload(*whole);
    EXPECT_EQ(shorter.size(), kFrameHeaderBytes);
    const auto dropped = parse_frame(shorter);
    ASSERT_TRUE(dropped);
    EXPECT_EQ(dropped->header.encoding, Encoding::dropped);
    EXPECT_EQ(dropped->header.payload_length, 600u);
    EXPECT_EQ(dropped->header.payload_digest, whole->header.payload_digest);
    EXPECT_EQ(chain_after({}, dropped->header), whole->header.chain);
}

TEST(Frame, the_chain_depends_on_everything_that_stays) {
    const FrameHeader header = parse_frame(encoded("payload"))->header;
    const auto changed = [&](auto change) {
        FrameHeader other = header;
        change(other);
        return chain_after({}, other) != chain_after({}, header);
    };
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.sequence; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.payload_length; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.pending; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.version; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.kind; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { h.keyframe = !h.keyframe; }));
    EXPECT_TRUE(changed([](FrameHeader& h) { ++h.payload_digest[31]; }));
    EXPECT_FALSE(changed([](FrameHeader& h) { h.encoding = Encoding::dropped; }));
    EXPECT_FALSE(changed([](FrameHeader& h) { h.stored_length = 0; }));
    EXPECT_NE(chain_after(sha256("another"), header), chain_after({}, header));
}

// A change of these bytes must be deliberate; kFrameFormat changes with it.
TEST(Frame, the_bytes_are_those_of_format_1) {
    EXPECT_EQ(hex(sha256(encoded("payload"))),
              "479c99d809a2c9ff24c76fcabd8158ae0dcb80d7ea02e0410550081430702af2");
}

}  // namespace
}  // namespace parley::store
