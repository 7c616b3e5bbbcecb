// Web: tokens of links in, sessions out; how often somebody may try. Time and randomness are
// values.

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

/// Bytes that nobody can guess.
using Secret = std::function<std::string(std::size_t bytes)>;
/// The system's.
Secret real_secret();

/// Lower-case digits.
std::string hex_text(std::string_view bytes);

/// Takes as long whatever differs.
bool same_secret(std::string_view a, std::string_view b);

/// How long a link may be used.
inline constexpr Duration kLinkLasts = minutes(10);
inline constexpr Duration kFirstLinkLasts = hours(24);

/// A token that opens one session: when it ends, a number used once, and who vouches for both. A
/// process that knows the key can make one: that is how `parley link` does it.
std::string make_token(std::string_view key, TimePoint ends, std::string_view nonce);

enum class Tried : std::uint8_t { welcome, wrong, used, expired, too_often };

/// One thread at a time.
class Logins {
public:
    static constexpr std::size_t kSessionsMax = 64;
    /// Wrong tokens in a minute; more are told to wait. Right ones never are: whoever guesses must
    /// not be able to lock out whoever knows.
    static constexpr int kFailuresMax = 10;

    Logins(std::string key, Secret secret) : key_(std::move(key)), secret_(std::move(secret)) {}

    struct Outcome {
        Tried tried = Tried::wrong;
        std::string session;  ///< For the cookie, if welcome.
    };
    Outcome try_token(std::string_view token, TimePoint now);

    /// The name of whoever holds this session: "session 3"; nothing: nobody does.
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
    std::map<std::string, TimePoint> used_;  ///< Nonces, until they expire anyway.
    std::deque<TimePoint> failures_;
};

/// How many requests a second; a bucket that fills again.
class RateLimit {
public:
    RateLimit(double per_second, double burst)
        : per_second_(per_second), burst_(burst), left_(burst) {}

    /// Whether one more may be answered.
    bool take(TimePoint now);

private:
    double per_second_;
    double burst_;
    double left_;
    std::optional<TimePoint> last_;
};

}  // namespace parley::web
