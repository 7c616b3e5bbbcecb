#include "base/hash.h"

#include "base/check.h"

#include <openssl/evp.h>

#include <bit>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace parley {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint32_t kPolynomial = 0x82F63B78;  // Castagnoli's, bits reversed.

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? kPolynomial : 0);
        table[i] = value;
    }
    return table;
}

constexpr auto kTable = make_table();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::string_view bytes,
                                                                      std::uint32_t before) {
    std::uint64_t crc = ~before;
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        crc = _mm_crc32_u64(crc, word);
    }
    auto narrow = static_cast<std::uint32_t>(crc);
    for (; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, static_cast<std::uint8_t>(*at));
    return ~narrow;
}
#endif

/// Looked up once: OpenSSL 3 takes a lock to find an algorithm by name.
const EVP_MD* algorithm() {
    static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    PARLEY_CHECK(found != nullptr);
    return found;
}

EVP_MD_CTX* as_context(void* context) { return static_cast<EVP_MD_CTX*>(context); }

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before) {
    std::uint32_t crc = ~before;
    for (const char c : bytes) {
        crc = kTable[(crc ^ static_cast<std::uint8_t>(c)) & 0xFF] ^ (crc >> 8);
    }
    return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
#if defined(__x86_64__)
    static const bool has_instruction = __builtin_cpu_supports("sse4.2");
    if (has_instruction) return crc32c_by_instruction(bytes, before);
#endif
    return crc32c_by_table(bytes, before);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    PARLEY_CHECK(context_ != nullptr);
    PARLEY_CHECK(EVP_DigestInit_ex2(as_context(context_.get()), algorithm(), nullptr) == 1);
}

Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::Free::operator()(void* context) const { EVP_MD_CTX_free(as_context(context)); }

Sha256& Sha256::update(std::string_view bytes) {
    PARLEY_CHECK(EVP_DigestUpdate(as_context(context_.get()), bytes.data(), bytes.size()) == 1);
    return *this;
}

Digest Sha256::finish() {
    Digest digest{};
    unsigned int length = 0;
    PARLEY_CHECK(EVP_DigestFinal_ex(as_context(context_.get()), digest.data(), &length) == 1);
    PARLEY_CHECK(length == digest.size());
    PARLEY_CHECK(EVP_DigestInit_ex2(as_context(context_.get()), algorithm(), nullptr) == 1);
    return digest;
}

Digest sha256(std::string_view bytes) {
    thread_local Sha256 hasher;  // A context costs more than hashing a small frame.
    return hasher.update(bytes).finish();
}

std::string hex(const Digest& digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const std::uint8_t byte : digest) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

std::optional<Digest> digest_from_hex(std::string_view text) {
    Digest digest{};
    if (text.size() != 2 * digest.size()) return std::nullopt;
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const int high = hex_value(text[2 * i]);
        const int low = hex_value(text[2 * i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        digest[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
    return digest;
}

}  // namespace parley
