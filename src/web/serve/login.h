// Web: turns tokens of links into sessions, and limits attempts. Time and randomness are passed in.

#pragma once

#include "base/time.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace parley::web {

/// Makes random bytes that nobody can guess.
using Secret = std::function<std::string(std::size_t bytes)>;
/// The system's random bytes.
Secret real_secret();

/// Lower-case digits.
std::string hex_text(std::string_view bytes);

/// Compares in constant time.
bool same_secret(std::string_view a, std::string_view b);

/// How long a link is valid.
inline constexpr Duration kLinkLasts = minutes(10);
inline constexpr Duration kFirstLinkLasts = hours(24);

/// A token that opens one session: when it expires, a number used once, and a signature over both.
/// Any process that knows the key can make one, as `parley link` does.
std::string make_token(std::string_view key, TimePoint ends, std::string_view nonce);

enum class Tried : std::uint8_t { welcome, wrong, used, expired, too_often };

/// One thread at a time.
class Logins {
public:
    static constexpr std::size_t kSessionsMax = 64;
    /// Wrong tokens per minute; after that, wrong ones have to wait. Right ones never do: guessing
    /// must not lock out those who know.
    static constexpr int kFailuresMax = 10;

    Logins(std::string key, Secret secret) : key_(std::move(key)), secret_(std::move(secret)) {}

    struct Outcome {
        Tried tried = Tried::wrong;
        std::string session;  ///< For the cookie, if welcome.
    };
    Outcome try_token(std::string_view token, TimePoint now);

    /// The name of the holder of this session: "session 3"; nothing: there is no such session.
    std::optional<std::string> who(std::string_view session) const;

    const std::string& key() const { return key_; }

private:
    struct Session {
        std::string value;
        std::uint64_t number = 0;
    };

    Tried failed(TimePoint now);

    std::string key_;
    Secret secret_;
    std::list<Session> sessions_;
    std::uint64_t made_ = 0;
    std::map<std::string, TimePoint> used_;  ///< Nonces of used tokens, until they expire.
    std::deque<TimePoint> failures_;
};

/// Limits requests per second; a token bucket.
class RateLimit {
public:
    RateLimit(double per_second, double burst)
        : per_second_(per_second), burst_(burst), left_(burst) {}

    /// Whether one more request may be answered.
    bool take(TimePoint now);

private:
    double per_second_;
    double burst_;
    double left_;
    std::optional<TimePoint> last_;
};

}  // namespace parley::web
