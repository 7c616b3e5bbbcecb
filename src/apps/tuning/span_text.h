// App: how long the runs of a study or of a comparison are, as people read it.

#pragma once

#include "base/time_text.h"

#include <cmath>
#include <string>

namespace parley::app {

/// "2h, a round every 15s".
inline std::string span_text(double hours, double interval_s) {
    const auto shown = [](double seconds) {
        return print_duration({static_cast<std::int64_t>(std::round(seconds * 1e6))});
    };
    return shown(hours * 3'600) + ", a round every " + shown(interval_s);
}

}  // namespace parley::app
