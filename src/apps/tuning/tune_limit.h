// App: decides whether tuning continues: stopped by a signal, wound up when its time is over.

#pragma once

#include "apps/terminal/ticker.h"
#include "apps/tuning/tune_run.h"
#include "base/time.h"

namespace parley::app {

class TuneLimit {
public:
    /// The time counts from now; zero: no limit.
    explicit TuneLimit(Duration most) : limited_(most.us > 0), timer_(most) {}

    /// Use it as TuneWatch. When the time is over, no trial begins, but the results are still
    /// judged completely.
    Go go(const TuneProgress& at);

private:
    bool limited_;
    bool over_ = false;
    Ticker timer_;
};

}  // namespace parley::app
