// Kube, one change as the API takes it: a request of the seam, what was read of its object and who
// asks in; an HTTP request out. Pure.

#pragma once

#include "cluster/writer.h"
#include "http/message.h"
#include "kube/write/seen.h"
#include "kube/write/target.h"

#include <string>

namespace parley::kube {

/// The field manager of everything that we send.
inline constexpr std::string_view kFieldManager = "parley";

/// Absolute values, with uid and resourceVersion as preconditions wherever the API takes them.
/// `seen` is what the precondition was read from: a patch of taints depends on it. Without a query:
/// how it is sent is the pen's.
http::Request change_of(const model::Request& request, const ObjectPlace& place, const Seen& seen,
                        const cluster::Stamp& stamp);

/// "parley-<run and epoch and decision>-<step>", which the audit log keeps: by it the record and
/// the API server's own log are matched, request by request.
std::string audit_id(const cluster::Stamp& stamp);

/// What the target of a request shows now, and whether what is wanted is there.
model::Live live_of(const model::Request& request, const Seen& seen);

}  // namespace parley::kube
