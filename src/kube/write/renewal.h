// Kube, our mark renewed: a request of which nobody knows what came of it, and its object as it was
// read, in; the HTTP request after which it cannot be carried out any more out. Pure.

#pragma once

#include "base/result.h"
#include "kube/write/change.h"

namespace parley::kube {

/// How long a mark stands that an object bears for this alone.
inline constexpr Duration kRenewalLasts = hours(1);

/// Everything that we send names the version that was read, so that it is a conflict once the
/// object has another one. A mark that is there expires a microsecond later; where there is none,
/// one is put: the one that the request is about, else one that names no changes. `request` and
/// `stamp` are of what was sent, `now` is the time. `denied`: the object has a mark that somebody
/// edited into none that we would write.
[[nodiscard]] Result<http::Request> renewal_of(const model::Request& request,
                                               const ObjectPlace& place, const Seen& seen,
                                               const cluster::Stamp& stamp, TimePoint now);

}  // namespace parley::kube
