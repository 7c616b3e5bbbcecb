// App: how far tuning is in, whether it goes on out: ended by a signal, wound up when its time is
// over.

#pragma once

#include "apps/terminal/ticker.h"
#include "apps/tuning/tune_run.h"
#include "base/time.h"

namespace parley::app {

class TuneLimit {
public:
    /// The time runs from now on; zero: there is no limit.
    explicit TuneLimit(Duration most) : limited_(most.us > 0), timer_(most) {}

    /// To be asked as TuneWatch is. When time is over no trial begins, and what the trials found is
    /// still judged whole.
    Go go(const TuneProgress& at);

private:
    bool limited_;
    bool over_ = false;
    Ticker timer_;
};

}  // namespace parley::app
