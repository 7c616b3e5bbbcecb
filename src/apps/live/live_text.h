// App: what `live` tells a person before its first round and after its last.

#pragma once

#include "apps/live/live_session.h"

#include <string>
#include <vector>

namespace parley::app {

/// Which cluster is followed, and what the exerciser will touch there.
std::string live_greeting(const LiveOptions& live);

/// How much load following the cluster put on the API server.
std::string load_text(const LiveState& state, Duration passed);

/// How the exerciser began and ended, and what remained wrong; the phases are in the record.
std::string exercise_text(const std::vector<exercise::Happened>& all);

}  // namespace parley::app
