// App: a whole run beside a real cluster, for a person: takes the flags of `live`, returns the exit
// status.

#pragma once

#include "apps/live/live_flags.h"

namespace parley::app {

/// Runs until a person leaves, the last round is over, or a round fails. Prints what it does and
/// what goes wrong.
int run_live(const LiveFlags& flags);

}  // namespace parley::app
