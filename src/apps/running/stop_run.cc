#include "apps/running/stop_run.h"

#include "apps/running/run_folder.h"
#include "base/words.h"
#include "layers/explanation/wording/wording.h"
#include "store/run_writer.h"

namespace parley::app {
namespace {

/// "it is over, complete with 60 rounds"; empty: it goes on, or may.
std::string over_text(Disk& disk, const std::string& run) {
    const auto rounds = complete_rounds(disk, run);
    if (!rounds) return {};
    return "it is over, complete with " +
           explanation::counted(static_cast<std::int64_t>(*rounds), "round");
}

}  // namespace

Result<std::string> stop_run(Disk& disk, const std::string& run, const std::string& who) {
    if (const std::string over = over_text(disk, run); !over.empty()) {
        return "Nothing of " + run + " was to be stopped: " + over + ".";
    }
    if (auto done = press_kill_switch(disk, run, {.who = who}); !done) {
        return tl::unexpected(done.error());
    }
    // The path as it was given: whoever reads this is where it is valid.
    const std::string lift = " Lift it: parley stop " + shell_word(run) + " --clear";
    if (store::is_written(disk, run)) {
        return run + " sends nothing any more, from its next request on." + lift;
    }
    return "No process runs " + run + "; whoever goes on with it sends nothing." + lift;
}

Result<std::string> clear_run(Disk& disk, const std::string& run, const Lift& lift) {
    const auto lifted = lift_kill_switch(disk, run, lift);
    if (!lifted) return tl::unexpected(lifted.error());
    if (!*lifted) return run + " was not stopped.";
    const std::string over = over_text(disk, run);
    if (!over.empty()) return run + " is not stopped any more, but " + over + ".";
    if (store::is_written(disk, run)) return run + " may act again.";
    return "No process runs " + run + "; whoever goes on with it may act again.";
}

}  // namespace parley::app
