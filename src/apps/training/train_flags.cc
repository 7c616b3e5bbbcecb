#include "apps/training/train_flags.h"

#include "base/number.h"
#include "base/time_text.h"
#include "traces/catalogue.h"

#include <utility>

namespace parley::app {
namespace {

/// Rows of a node minutes apart hardly differ, so deeper trees would memorise single failures.
constexpr int kNodeDepth = 4;

/// A table of one's own.
void add_table(Command& command, CsvFlags& csv, bool risk) {
    add_text(command, "--csv", csv.file, "FILE",
             "A table of your own, plain or gzip: a line per entity and time");
    add_text(command, "--time", csv.time, "COL",
             "Its column of times: RFC 3339, or seconds or milliseconds since 1970");
    add_text(command, "--entity", csv.entity, "COL",
             risk ? "Its column of what may fail" : "Its column that tells series apart");
    if (risk) {
        add_text(command, "--event", csv.event, "COL", "Its column of 0 and 1: has it failed?");
        add_text(
            command, "--features", csv.features, "LIST",
            "A CSV file with feature, serves and unit: which node feature each column is; then "
            "the model can serve");
    } else {
        add_text(command, "--value", csv.value, "COL", "Its column of what is used");
    }
    add_text(command, "--step", csv.step, "TIME",
             "Between lines of an entity (default: as most lines have it)");
}

}  // namespace

void add_train_flags(Command& command, TrainFlags& into, bool risk) {
    TrainOptions& train = into.train;
    std::string known;
    for (const traces::Entry& entry : risk ? traces::risk_traces() : traces::load_traces())
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    command.text("--trace", train.trace, "The public trace: " + known).type("NAME");
    command
        .texts("--from", train.from,
               "Its files, plain or gzip, or a folder of .csv and .csv.gz; without --trace, "
               "folders of recorded runs")
        .type("FILE|RUN");
    add_text(command, "--simulate", into.seeds, "A-B",
             "Learn from simulated runs of scenario mixed with these seeds");
    add_text(command, "--length", into.length, "TIME", "Of a simulated run (default 24h)");
    if (risk) {
        add_text(command, "--horizon", into.horizon, "TIME",
                 "How far ahead a lost node counts (default 30m; of a table 24 steps)");
        command.on("--families", into.families,
                   "Train again without each family of faults, and say what is still seen");
        command.on("--recalibrate", into.recalibrate,
                   "Keep the trees that ship and fit their calibration to these runs: where "
                   "failures are too few to train on");
    }
    add_table(command, train.csv, risk);
    add_text(command, "--models", into.models, "FOLDER",
             "Where to put a model of runs; see parley model --help");
    command.text("--out", train.out, "The folder to write the model to").type("DIR");
    add_text(command, "--report", train.report, "FILE", "Write the report as HTML too");
    add_text(command, "--rows", train.rows, "FILE", "Write the rows too, for other programs");
    add_whole(command, "--seed", train.seed, "Of trees and resampling");
    add_whole(command, "--threads", train.threads,
              "With more than one, set OMP_WAIT_POLICY=passive on a busy machine", {1, 1'024});
    add_whole(command, "--depth", train.depth, "Of a tree", {1, 16});
    add_whole(command, "--rounds", train.rounds, "Trees at most", {1, 10'000});
    add_output(command, into.format, {"table", "json"});
}

void note_given(const Command& command, TrainFlags& into) {
    for (const std::string& flag : command.given()) into.given.insert(flag);
    if (into.given.contains("--horizon")) into.train.csv.horizon = into.horizon;
}

Result<Duration> parse_horizon(const std::string& text, Duration gap) {
    const auto horizon = parse_duration(text);
    if (horizon && *horizon > gap && *horizon <= hours(24)) return *horizon;
    return fail(ErrorCode::denied, "--horizon is a time above " + print_duration(gap) +
                                       ", which acting takes, and at most 24h, such as 30m, and " +
                                       in_quotes(text) + " was given");
}

Result<NodeTraining> node_training(const TrainFlags& flags) {
    NodeTraining training{.runs = flags.train.from, .flags = flags.train};
    const auto horizon = parse_horizon(flags.horizon, training.rules.gap);
    if (!horizon) return tl::unexpected(horizon.error());
    training.rules.horizon = *horizon;
    training.families = flags.families;
    if (!flags.given.contains("--depth")) training.flags.depth = kNodeDepth;
    if (!flags.seeds.empty()) {
        auto runs = simulated_runs(flags.seeds, flags.length);
        if (!runs) return tl::unexpected(runs.error());
        training.simulated = *std::move(runs);
    }
    if (training.runs.empty() == flags.seeds.empty()) {
        return fail(
            ErrorCode::denied,
            "say what to learn from: a public trace with --trace NAME --from FILE, a table of your "
            "own with --csv FILE, recorded runs with --from RUN..., or simulated ones with "
            "--simulate 1-100");
    }
    return training;
}

}  // namespace parley::app
