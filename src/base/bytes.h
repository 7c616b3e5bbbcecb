// Base: writes and reads bytes: variable-length integers, raw doubles, texts. Knows no types of
// ours.

#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// Appends to a growing string of bytes.
class ByteWriter {
public:
    void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }

    void varint(std::uint64_t value) {
        while (value >= 0x80) {
            byte(static_cast<std::uint8_t>(value | 0x80));
            value >>= 7;
        }
        byte(static_cast<std::uint8_t>(value));
    }

    /// Small numbers of either sign stay short.
    void zigzag(std::int64_t value) {
        varint((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
    }

    void real(double value) {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < 8; ++i, bits >>= 8) byte(static_cast<std::uint8_t>(bits));
    }

    void text(std::string_view value) {
        varint(value.size());
        out_.append(value);
    }

    const std::string& bytes() const { return out_; }
    std::string take() { return std::move(out_); }

private:
    std::string out_;
};

/// Reads bytes that may be hostile. After the first one that cannot be right, failed() stays true
/// and every read gives zero. Never reads outside its bytes.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

    bool failed() const { return failed_; }
    bool at_end() const { return rest_.empty(); }
    std::size_t left() const { return rest_.size(); }
    void fail() {
        failed_ = true;
        rest_ = {};
    }

    std::uint8_t byte() {
        if (rest_.empty()) {
            fail();
            return 0;
        }
        const auto value = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }

    std::uint64_t varint() {
        // Most numbers fit into one byte.
        const bool is_short =
            !rest_.empty() && (static_cast<std::uint8_t>(rest_.front()) & 0x80U) == 0;
        return is_short ? byte() : long_varint();
    }

    std::int64_t zigzag() {
        const std::uint64_t value = varint();
        return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
    }

    double real() {
        if (rest_.size() < 8) {
            fail();
            return 0.0;
        }
        std::uint64_t bits = 0;
        for (unsigned i = 0; i < 8; ++i) {
            bits |= std::uint64_t{static_cast<std::uint8_t>(rest_[i])} << (8 * i);
        }
        rest_.remove_prefix(8);
        return std::bit_cast<double>(bits);
    }

    std::string_view text() {
        const std::uint64_t size = varint();
        if (size > rest_.size()) {
            fail();
            return {};
        }
        const std::string_view value = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return value;
    }

    /// The number of things that follow. Each takes at least one byte, so a number larger than the
    /// bytes that are left is refused.
    std::size_t count() {
        const std::uint64_t value = varint();
        if (value > rest_.size()) {
            fail();
            return 0;
        }
        return value;
    }

    /// Must be called before memory for `count` things of `size` bytes is taken: a few hostile
    /// bytes may announce a huge list. Returns false, and fails, beyond kMemoryMax in all.
    bool claim(std::uint64_t count, std::size_t size) {
        if (count > (kMemoryMax - claimed_) / size) {
            fail();
            return false;
        }
        claimed_ += count * size;
        return true;
    }

private:
    std::uint64_t long_varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t part = byte();
            if (shift == 63 && part > 1) break;  // More than 64 bits.
            value |= std::uint64_t{part & 0x7fU} << shift;
            if ((part & 0x80U) == 0) return failed_ ? 0 : value;
        }
        fail();
        return 0;
    }

    /// Several times what one round of the largest cluster needs.
    static constexpr std::uint64_t kMemoryMax = std::uint64_t{256} << 20;

    std::string_view rest_;
    std::uint64_t claimed_ = 0;
    bool failed_ = false;
};

}  // namespace parley
