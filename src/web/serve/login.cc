#include "web/serve/login.h"

#include "base/check.h"
#include "base/entropy.h"
#include "base/hash.h"
#include "base/number.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace parley::web {
namespace {

constexpr Duration kMinute = minutes(1);
constexpr std::size_t kNoncesMax = 10'000;
constexpr std::size_t kTokenBytesMax = 256;
constexpr std::size_t kSessionBytes = 32;

std::string vouched(std::string_view key, std::string_view text) {
    unsigned char out[EVP_MAX_MD_SIZE];
    unsigned int length = 0;
    PARLEY_CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                      reinterpret_cast<const unsigned char*>(text.data()), text.size(), out,
                      &length) != nullptr);
    return hex_text({reinterpret_cast<const char*>(out), length});
}

struct Token {
    TimePoint ends;
    std::string nonce;
    std::string_view body;
    std::string_view voucher;
};

/// ENDS.NONCE.SIGNATURE, in seconds and hexadecimal digits.
std::optional<Token> parse_token(std::string_view text) {
    if (text.size() > kTokenBytesMax) return std::nullopt;
    const auto first = text.find('.');
    const auto last = text.rfind('.');
    if (first == std::string_view::npos || first == last) return std::nullopt;
    const auto seconds_text = text.substr(0, first);
    const auto ends = parse_int64(seconds_text, 0, std::int64_t{1} << 40U);
    if (!ends) return std::nullopt;
    return Token{TimePoint{} + seconds(*ends),
                 std::string(text.substr(first + 1, last - first - 1)), text.substr(0, last),
                 text.substr(last + 1)};
}

}  // namespace

std::string hex_text(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 15U];
    }
    return out;
}

Secret real_secret() {
    return [](std::size_t bytes) { return random_bytes(bytes); };
}

bool same_secret(std::string_view a, std::string_view b) {
    // Digests have equal length, so that not even the length of the secret can be measured.
    const Digest left = sha256(a);
    const Digest right = sha256(b);
    return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string make_token(std::string_view key, TimePoint ends, std::string_view nonce) {
    const std::string body = std::to_string(ends.us / 1'000'000) + "." + hex_text(nonce);
    return body + "." + vouched(key, body);
}

Logins::Outcome Logins::try_token(std::string_view text, TimePoint now) {
    const auto token = parse_token(text);
    if (!token || !same_secret(vouched(key_, token->body), token->voucher)) {
        return {failed(now), {}};
    }
    std::erase_if(used_, [&](const auto& each) { return each.second < now; });
    if (token->ends < now) return {Tried::expired, {}};
    if (used_.contains(token->nonce)) return {Tried::used, {}};
    if (used_.size() >= kNoncesMax) return {Tried::too_often, {}};
    used_.emplace(token->nonce, token->ends);
    sessions_.push_back({hex_text(secret_(kSessionBytes)), ++made_});
    if (sessions_.size() > kSessionsMax) sessions_.pop_front();
    return {Tried::welcome, sessions_.back().value};
}

Tried Logins::failed(TimePoint now) {
    while (!failures_.empty() && now - failures_.front() > kMinute) failures_.pop_front();
    if (std::ssize(failures_) >= kFailuresMax) return Tried::too_often;
    failures_.push_back(now);
    return Tried::wrong;
}

std::optional<std::string> Logins::who(std::string_view session) const {
    std::optional<std::string> found;
    // Compares with all of them, so that the time does not tell which one matched.
    for (const Session& each : sessions_) {
        if (same_secret(each.value, session)) found = "session " + std::to_string(each.number);
    }
    return found;
}

bool RateLimit::take(TimePoint now) {
    if (last_) {
        left_ = std::min(burst_, left_ + per_second_ * std::max(0.0, in_seconds(now - *last_)));
    }
    last_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
}

}  // namespace parley::web
