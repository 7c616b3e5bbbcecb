#include "learn/folder/model_key.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

const Digest kDigest = sha256("something");

TEST(SigningKey, is_made_once_and_found_again) {
    fake::Disk disk;
    const auto first = SigningKey::at(disk, "state/parley/signing.key");
    ASSERT_TRUE(first) << first.error().message;
    const auto again = SigningKey::at(disk, "state/parley/signing.key");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(first->public_key(), again->public_key());
    EXPECT_EQ(first->public_key().size(), 64U);
    EXPECT_EQ(key_id_of(first->public_key()).size(), 16U);
    const auto other = SigningKey::at(disk, "elsewhere.key");
    ASSERT_TRUE(other);
    EXPECT_NE(first->public_key(), other->public_key());
}

TEST(SigningKey, what_it_signs_verifies_and_nothing_else_does) {
    fake::Disk disk;
    const auto key = SigningKey::at(disk, "a.key");
    const auto other = SigningKey::at(disk, "b.key");
    ASSERT_TRUE(key && other);
    const auto signature = key->sign(kDigest);
    ASSERT_TRUE(signature);
    EXPECT_TRUE(verify(key->public_key(), kDigest, *signature));
    EXPECT_FALSE(verify(other->public_key(), kDigest, *signature));
    EXPECT_FALSE(verify(key->public_key(), sha256("something else"), *signature));
    std::string flipped = *signature;
    flipped[0] = flipped[0] == '0' ? '1' : '0';
    EXPECT_FALSE(verify(key->public_key(), kDigest, flipped));
    EXPECT_FALSE(verify(key->public_key(), kDigest, ""));
    EXPECT_FALSE(verify("", kDigest, *signature));
    EXPECT_FALSE(verify(std::string(64, 'g'), kDigest, *signature));
}

TEST(SigningKey, a_known_key_signs_as_the_standard_says) {
    // RFC 8032, 7.1: the private and public key of its first test.
    fake::Disk disk;
    ASSERT_TRUE(write_file_atomically(
        disk, "known.key",
        "parley ed25519 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n"));
    const auto key = SigningKey::at(disk, "known.key");
    ASSERT_TRUE(key) << key.error().message;
    EXPECT_EQ(key->public_key(),
              "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
}

TEST(SigningKey, a_file_that_holds_none_is_left_alone) {
    fake::Disk disk;
    for (const char* text : {"", "nonsense", "parley ed25519 12", "parley ed25519 "}) {
        ASSERT_TRUE(write_file_atomically(disk, "some.key", text));
        const auto key = SigningKey::at(disk, "some.key");
        ASSERT_FALSE(key) << text;
        EXPECT_EQ(key.error().message,
                  "the signing key: some.key holds no signing key; move it away, and a new one is "
                  "made");
        EXPECT_EQ(*read_file(disk, "some.key"), text);
    }
}

}  // namespace
}  // namespace parley::learn
