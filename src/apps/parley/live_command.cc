#include "apps/live/live_run.h"
#include "apps/parley/commands.h"

#include <memory>

namespace parley::app {

void add_live(Command& program) {
    Command command = program.command(
        "live",
        "Follow a real cluster; it is only read, unless --mode act and the settings allow more");
    command.alias("live-kubernetes-run");
    const auto flags = std::make_shared<LiveFlags>();
    add_live_flags(command, *flags);
    add_examples(command, {"parley live", "parley live --context prod --rounds 100 --lines",
                           "parley live --kubeconfig ./admin.conf --event-dir A --interval 5s",
                           "parley live --exercise-cluster --exercise-interval-iterations 6"});
    command.runs([flags] { return run_live(*flags); });
}

}  // namespace parley::app
