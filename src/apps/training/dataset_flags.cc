#include "apps/training/dataset_flags.h"

#include <utility>

namespace parley::app {

void add_dataset_flags(Command& command, DatasetFlags& into, bool risk) {
    command.texts("--from", into.from, "Folders of runs recorded with --record full").type("RUN");
    add_text(command, "--simulate", into.seeds, "A-B",
             "Simulated runs of scenario mixed with these seeds instead, below 100000");
    add_text(command, "--length", into.length, "TIME", "Of a simulated run (default 24h)");
    add_text(command, "--out", into.out, "FILE",
             risk ? "Write the rows, for other programs"
                  : "Write the rows 60 min ahead, for other programs");
    add_output(command, into.format, {"table", "json"});
}

Result<NodeTraining> dataset_runs(const DatasetFlags& flags) {
    NodeTraining training{.runs = flags.from};
    if (flags.from.empty() == flags.seeds.empty()) {
        return fail(ErrorCode::denied,
                    "say where rows come from: recorded runs with --from RUN..., or simulated ones "
                    "with --simulate 1-10");
    }
    if (flags.seeds.empty()) {
        if (flags.length_given) {
            return fail(ErrorCode::denied,
                        "--length has no meaning without --simulate: only simulated runs have a "
                        "length to choose");
        }
        return training;
    }
    auto runs = simulated_runs(flags.seeds, flags.length);
    if (!runs) return tl::unexpected(runs.error());
    training.simulated = *std::move(runs);
    return training;
}

}  // namespace parley::app
