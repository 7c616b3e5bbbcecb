#include "apps/tuning/tune_limit.h"

#include "apps/terminal/terminal.h"

#include <cstring>

namespace parley::app {

Go TuneLimit::go(const TuneProgress& at) {
    if (stop_requested()) return Go::stop;
    over_ = over_ || (limited_ && timer_.due() > 0);
    const bool trials = std::strcmp(at.what, "trials") == 0;
    return over_ && trials ? Go::wind_up : Go::on;
}

}  // namespace parley::app
