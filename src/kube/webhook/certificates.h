// Kube, webhook: its certificates, made here for a day and replaced while the ones before are still
// good. In memory only: a new process makes new ones.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// A certificate with an authority of its own, whose key is forgotten as soon as it has signed.
struct Issued {
    std::string authority_pem;  ///< Whom to trust.
    std::string certificate_pem;
    std::string key_pem;
    TimePoint begins;  ///< A little before it was made: clocks differ.
    TimePoint renews;  ///< From here on another one is due.
    TimePoint ends;
};

/// For these DNS names and addresses; ECDSA on P-256. `denied`: one of them can be no name.
[[nodiscard]] Result<Issued> issue(const std::vector<std::string>& names, Duration lasts,
                                   TimePoint now);

/// The one that serves, the next one, and the authorities of those before. No request need fail in
/// between: clients are given the next authority before the next certificate is shown to them, and
/// keep the ones before until those end.
class Rotation {
public:
    [[nodiscard]] static Result<Rotation> begin(std::vector<std::string> names, Duration lasts,
                                                TimePoint now);

    /// Makes the next one when half of the time is over. What has ended is dropped; if that is the
    /// one that serves, the next one serves at once.
    void tend(TimePoint now);

    const Issued& serving() const { return serving_; }
    bool has_next() const { return next_.has_value(); }
    /// The next one serves from now on: whoever asks knows its authority.
    void promote();

    /// All authorities that are to be trusted, as PEM.
    std::string bundle() const;

private:
    struct Before {
        std::string authority_pem;
        TimePoint ends;
    };
    Rotation(std::vector<std::string> names, Duration lasts, Issued first);

    std::vector<std::string> names_;
    Duration lasts_;
    Issued serving_;
    std::optional<Issued> next_;
    std::vector<Before> before_;
};

}  // namespace parley::kube
