#include "learn/folder/model_key.h"

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <optional>

namespace parley::learn {
namespace {

constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSignatureBytes = 64;
constexpr std::string_view kHead = "parley ed25519 ";

struct FreeKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
struct FreeContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MD_CTX, FreeContext>;

const unsigned char* bytes_at(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string to_hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
    return out;
}

std::optional<std::string> from_hex(std::string_view text, std::size_t size) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (text.size() != 2 * size) return std::nullopt;
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const std::size_t high = kDigits.find(text[i]);
        const std::size_t low = kDigits.find(text[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
    }
    return out;
}

tl::unexpected<Error> broken(const char* what) {
    return fail(ErrorCode::unavailable, std::string("OpenSSL did not ") + what);
}

Key private_key(std::string_view bytes) {
    return Key(
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_at(bytes), bytes.size()));
}

Result<std::string> public_of(std::string_view private_bytes) {
    const Key key = private_key(private_bytes);
    std::array<unsigned char, kKeyBytes> out{};
    std::size_t size = out.size();
    if (!key || EVP_PKEY_get_raw_public_key(key.get(), out.data(), &size) != 1) {
        return broken("take the private key");
    }
    return to_hex({reinterpret_cast<const char*>(out.data()), size});
}

Result<std::string> new_private_key() {
    const Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
    std::array<unsigned char, kKeyBytes> out{};
    std::size_t size = out.size();
    if (!key || EVP_PKEY_get_raw_private_key(key.get(), out.data(), &size) != 1) {
        return broken("make a key");
    }
    return std::string(reinterpret_cast<const char*>(out.data()), size);
}

Result<std::string> read_private_key(Disk& disk, const std::string& path) {
    const auto text = read_file(disk, path, 4096);
    if (!text) return text;
    std::string_view rest = *text;
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    std::optional<std::string> bytes;
    if (rest.starts_with(kHead)) bytes = from_hex(rest.substr(kHead.size()), kKeyBytes);
    if (!bytes) {
        return fail(ErrorCode::malformed,
                    path + " holds no signing key; move it away, and a new one is made");
    }
    return *bytes;
}

Result<std::string> make_private_key(Disk& disk, const std::string& path) {
    auto key = new_private_key();
    if (!key) return key;
    if (auto made = make_directories(disk, parent_of(path)); !made) {
        return tl::unexpected(made.error());
    }
    const std::string text = std::string(kHead) + to_hex(*key) + "\n";
    if (auto written = write_file_atomically(disk, path, text); !written) {
        return tl::unexpected(written.error());
    }
    return key;
}

}  // namespace

std::string key_id_of(std::string_view public_key_hex) {
    return hex(sha256(public_key_hex)).substr(0, 16);
}

Result<SigningKey> SigningKey::at(Disk& disk, const std::string& path) {
    const auto there = disk.exists(path);
    if (!there) return tl::unexpected(there.error());
    auto bytes = *there ? read_private_key(disk, path) : make_private_key(disk, path);
    if (!bytes) return within("the signing key", bytes.error());
    auto shown = public_of(*bytes);
    if (!shown) return tl::unexpected(shown.error());
    SigningKey key;
    key.private_ = std::move(*bytes);
    key.public_ = std::move(*shown);
    return key;
}

Result<std::string> SigningKey::sign(const Digest& digest) const {
    const Key key = private_key(private_);
    const Context context(EVP_MD_CTX_new());
    std::array<unsigned char, kSignatureBytes> out{};
    std::size_t size = out.size();
    const bool done =
        key && context &&
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
        EVP_DigestSign(context.get(), out.data(), &size, digest.data(), digest.size()) == 1;
    if (!done) return broken("sign");
    return to_hex({reinterpret_cast<const char*>(out.data()), size});
}

bool verify(std::string_view public_key_hex, const Digest& digest, std::string_view signature_hex) {
    const auto bytes = from_hex(public_key_hex, kKeyBytes);
    const auto signature = from_hex(signature_hex, kSignatureBytes);
    if (!bytes || !signature) return false;
    const Key key(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_at(*bytes), bytes->size()));
    const Context context(EVP_MD_CTX_new());
    return key && context &&
           EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytes_at(*signature), signature->size(), digest.data(),
                            digest.size()) == 1;
}

}  // namespace parley::learn
