// App: what tuning found, as people read it.

#pragma once

#include "apps/tuning/tune_run.h"

#include <string>

namespace parley::app {

/// Study, finalists, what the winner saves, and each parameter; without the settings.
std::string tune_text(const TuneReport& report);

}  // namespace parley::app
