// App: a run on the simulated cluster with its dashboard, opened as the flags of `demo` and
// `simulate` say.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/session/boot_stages.h"
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

/// What the two do differently before the first round.
struct SimulatedManner {
    ListenDefault listen = ListenDefault::on;  ///< Where --listen is not given.
    bool paced = true;                         ///< By the settings' pace; else as fast as it goes.
    bool warns = false;  ///< Says at once which model is not served; else its stages tell.
};

/// Open, and no round made yet. The session tells the dashboard of its rounds and goes before it.
struct SimulatedRun {
    RunSettings settings;
    SessionOptions options;
    std::unique_ptr<Dashboard> board;
    std::unique_ptr<Session> session;
};

/// Prepares what the flags ask for, and opens. What goes wrong is reported here, and the error is
/// the status to exit with; kDone: somebody stopped it while it was prepared.
[[nodiscard]] tl::expected<SimulatedRun, int> open_simulated(const SimulatedFlags& flags,
                                                             const SimulatedManner& manner);

}  // namespace parley::app
