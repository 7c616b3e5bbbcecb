// Kube, a request for a change in, the same request as a dry run out. Pure.

#pragma once

#include "http/client.h"

namespace parley::kube {

/// The API server checks it as any other, asks admission, and stores nothing. Of a deletion with a
/// body it reads the options from that body alone, and would take no notice of the query.
http::Request as_dry_run(http::Request request);

}  // namespace parley::kube
