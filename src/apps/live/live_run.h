// App: a whole run beside a real cluster, in front of a person: the flags of `live` in, the status
// to exit with out.

#pragma once

#include "apps/live/live_flags.h"

namespace parley::app {

/// Until a person leaves, the last round is over, or a round fails. Prints what it does and what
/// goes wrong.
int run_live(const LiveFlags& flags);

}  // namespace parley::app
