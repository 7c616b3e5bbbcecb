// Kube, one leader: what a Lease says, when it is free, and the Lease that we write. Pure: times
// are since our own start, so that nobody's clock matters.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::kube {

struct LeasePlace {
    std::string space = "parley-system";
    std::string name = "parley-leader";
};

struct LeaseTimes {
    Duration lasts = seconds(15);  ///< Nobody else begins before a leader was silent for this long.
    Duration renew = seconds(10);  ///< A leader that could not renew for this long is none.
    Duration retry = seconds(2);   ///< Between attempts to renew, or to become the leader.
};

/// A Lease as it was read.
struct LeaseSeen {
    std::string holder;         ///< Empty: it was given back.
    std::string renewed;        ///< As the holder wrote it; only compared.
    std::string acquired;       ///< Likewise.
    std::uint64_t changes = 0;  ///< How often the holder changed: the epoch of the present one.
    std::string version;        ///< Its resourceVersion.
    friend bool operator==(const LeaseSeen&, const LeaseSeen&) = default;
};

/// `malformed` with the reason: it is no Lease, or one that nobody of ours wrote.
[[nodiscard]] Result<LeaseSeen> read_lease(std::string_view body);

/// What to write: `before` is what was read; nothing: there is no Lease yet.
struct LeaseWish {
    std::string holder;  ///< Empty: gives it back.
    std::uint64_t epoch = 0;
    std::string acquired;  ///< Microseconds, as the API wants it.
    std::string renewed;
    std::string version;  ///< Of what it replaces; empty: it is new.
};
std::string lease_body(const LeasePlace& place, const LeaseTimes& times, const LeaseWish& wish);

/// Remembers since when a Lease has not changed, by our own clock: what the holder wrote into it is
/// by another one's.
class LeaseWatch {
public:
    void saw(const LeaseSeen& lease, Duration at);
    /// Whether `who` may take it: it is held by nobody, by `who`, or its holder has been silent.
    bool free(const std::string& who, Duration lasts, Duration at) const;
    const std::optional<LeaseSeen>& last() const { return last_; }
    /// How long the present holder may still be silent; zero: nobody holds it, or it was long
    /// enough.
    Duration left(Duration lasts, Duration at) const;

private:
    std::optional<LeaseSeen> last_;
    Duration since_;
};

}  // namespace parley::kube
