// App: opens a run on the simulated cluster with its dashboard, as the flags of `demo` and
// `simulate` say.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/running/boot_stages.h"
#include "apps/session/session.h"
#include "apps/terminal/cli.h"

#include <memory>
#include <string>

namespace parley::app {

struct SimulatedFlags {
    RunFlags run;
    ListenFlags listen;
    BootFlags boot;  ///< `simulate` has none of them: it tunes nothing.
    bool resume = false;
    std::string trace_out;  ///< Observed rounds as JSON lines; empty: none.
};

/// How the two commands differ before the first round.
struct SimulatedManner {
    ListenDefault listen = ListenDefault::on;  ///< Without --listen.
    bool paced = true;   ///< By the settings' pace; otherwise as fast as possible.
    bool warns = false;  ///< Says at once which model is not served; otherwise its stages tell.
};

/// Open, but without a round yet. The session passes its rounds to the dashboard and must be
/// destroyed first.
struct SimulatedRun {
    RunSettings settings;
    SessionOptions options;
    std::unique_ptr<Dashboard> board;
    std::unique_ptr<Session> session;
};

/// Prepares what the flags ask for, and opens. Errors are reported here, and the error value is the
/// exit status; kDone: somebody stopped it during preparation.
[[nodiscard]] tl::expected<SimulatedRun, int> open_simulated(const SimulatedFlags& flags,
                                                             const SimulatedManner& manner);

}  // namespace parley::app
