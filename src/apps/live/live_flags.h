// App: the flags of `live`, including the names that the prototype's command used.

#pragma once

#include "apps/dashboard/listen_flags.h"
#include "apps/live/exercise_flags.h"
#include "apps/live/live_session.h"
#include "apps/live/webhook_flags.h"
#include "apps/running/boot_stages.h"
#include "apps/terminal/cli.h"

#include <string>
#include <vector>

namespace parley::app {

struct LiveFlags {
    RunFlags run;
    AccessFlags cluster;
    ExerciseFlags exercise;
    BootFlags boot;
    ListenFlags listen;
    WebhookFlags webhook;
    prometheus::Access prometheus;
    std::vector<std::string> prometheus_headers;
    std::string power_calibration;
    std::string trace_out;
    bool anonymise = false;
    std::vector<std::string> spaces;
    std::string home = "parley-system";
    std::string verify_every;
    bool resume = false;
    bool lines = false;
};

void add_live_flags(Command& command, LiveFlags& into);

/// Everything the flags say, checked. No cluster has been contacted yet.
[[nodiscard]] Result<LiveOptions> live_options(const LiveFlags& flags);

}  // namespace parley::app
