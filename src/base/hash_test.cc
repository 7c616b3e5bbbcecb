#include "base/hash.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

std::string counting(std::size_t length) {
    std::string bytes(length, '\0');
    for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(i * 7 + i / 256);
    return bytes;
}

// From RFC 3720, appendix B.4.
TEST(Crc32c, known_values) {
    EXPECT_EQ(crc32c(""), 0u);
    EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(Crc32c, instruction_and_table_agree_at_every_length) {
    const std::string bytes = counting(300);
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        const auto part = std::string_view(bytes).substr(bytes.size() - length);
        EXPECT_EQ(crc32c(part), crc32c_by_table(part)) << length;
    }
}

TEST(Crc32c, pieces_give_the_same_as_the_whole) {
    const std::string bytes = counting(100);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        const auto view = std::string_view(bytes);
        EXPECT_EQ(crc32c(view.substr(cut), crc32c(view.substr(0, cut))), crc32c(bytes));
        EXPECT_EQ(crc32c_by_table(view.substr(cut), crc32c_by_table(view.substr(0, cut))),
                  crc32c(bytes));
    }
}

// From FIPS 180-4's examples.
TEST(Sha256, known_values) {
    EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex(sha256("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, pieces_give_the_same_as_the_whole_again_and_again) {
    const std::string bytes = counting(1000);
    Sha256 hasher;
    for (const std::size_t cut : {0u, 1u, 63u, 64u, 65u, 1000u}) {
        const auto view = std::string_view(bytes);
        EXPECT_EQ(hasher.update(view.substr(0, cut)).update(view.substr(cut)).finish(),
                  sha256(bytes));
    }
}

TEST(Digest, hex_and_back) {
    const Digest digest = sha256("x");
    EXPECT_EQ(digest_from_hex(hex(digest)), digest);
    EXPECT_EQ(digest_from_hex(""), std::nullopt);
    EXPECT_EQ(digest_from_hex(hex(digest) + "0"), std::nullopt);
    EXPECT_EQ(digest_from_hex(hex(digest).replace(63, 1, "g")), std::nullopt);
    EXPECT_EQ(digest_from_hex(hex(digest).replace(0, 1, "A")), std::nullopt);
}

}  // namespace
}  // namespace parley
