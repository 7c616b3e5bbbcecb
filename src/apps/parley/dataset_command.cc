#include "apps/parley/commands.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/training/dataset_run.h"
#include "apps/training/train_node.h"
#include "base/json.h"
#include "base/number.h"
#include "learn/rounds/demand_sources.h"
#include "learn/rounds/risk_sources.h"
#include "learn/rows/rows_dump.h"
#include "learn/rows/split.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct Options {
    std::vector<std::string> from;
    std::string seeds;  ///< Of simulated runs: FIRST-LAST; empty: none.
    std::string length = "24h";
    bool length_given = false;
    std::string out;
    Format format = Format::table;
};

/// Where the rows come from.
Result<NodeTraining> sources(const Options& options) {
    NodeTraining training{.runs = options.from};
    if (options.from.empty() == options.seeds.empty()) {
        return fail(ErrorCode::denied,
                    "say where rows come from: recorded runs with --from RUN..., or simulated ones "
                    "with --simulate 1-10");
    }
    if (options.seeds.empty()) {
        if (options.length_given) {
            return fail(ErrorCode::denied,
                        "--length has no meaning without --simulate: only simulated runs have a "
                        "length to choose");
        }
        return training;
    }
    auto runs = simulated_runs(options.seeds, options.length);
    if (!runs) return tl::unexpected(runs.error());
    training.simulated = *std::move(runs);
    return training;
}

int wrote(const Options& options, const learn::Rows& rows, const learn::Split& split,
          const std::string& text) {
    if (!options.out.empty()) {
        const auto kept = write_output(real_disk(), options.out, learn::dump_rows(rows, split));
        if (!kept) return report(kept.error(), kFailed);
    }
    std::fputs(text.c_str(), stdout);
    return kDone;
}

int risk(const Options& options, const NodeTraining& training, const learn::Done& done) {
    const auto data = training.simulated
                          ? learn::rows_of_simulation(*training.simulated, {}, done)
                          : learn::rows_of_runs(real_disk(), training.runs, {}, done);
    done(-1);
    if (!data) return report(data.error(), status_of(data.error()));
    const auto split =
        split_or_none(data->rows, learn::split_rows(data->rows, data->rules.horizon));
    const RiskDataset facts = facts_of(*data, split.rule);
    return wrote(options, data->rows, split,
                 options.format == Format::json ? to_json(facts) + "\n" : text_of(facts));
}

int demand(const Options& options, const NodeTraining& training, const learn::Done& done) {
    const auto data = training.simulated
                          ? learn::demand_of_simulation(*training.simulated, {}, done)
                          : learn::demand_of_runs(real_disk(), training.runs, {}, done);
    done(-1);
    if (!data) return report(data.error(), status_of(data.error()));
    const auto facts = facts_of(*data);
    if (!facts) return report(facts.error(), kFailed, "No rows were written.");
    const std::size_t last = data->horizons.size() - 1;
    const learn::Rows& rows = data->horizons[last].rows;
    return wrote(options, rows, split_or_none(rows, learn::split_demand(*data, last)),
                 options.format == Format::json ? to_json(*facts) + "\n" : text_of(*facts));
}

int dataset(const Options& options, bool of_risk) {
    const auto training = sources(options);
    if (!training) return report(training.error(), kWrongUse);
    if (auto fine = check_output(options.out); !fine) return report(fine.error(), kWrongUse);
    catch_stop_signals();
    std::unique_ptr<Progress> progress;
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        if (!progress) {
            progress =
                std::make_unique<Progress>(total, training->simulated ? "simulated hours" : "runs");
        }
        progress->show(done);
        return !stop_requested();
    };
    const learn::Done shown = shown_by(*training, watch);
    const learn::Done done = [&](double part) {
        if (part >= 0) return shown(part);
        progress.reset();  // All are read.
        return true;
    };
    return of_risk ? risk(options, *training, done) : demand(options, *training, done);
}

void add_kind(CLI::App& group, Chosen& chosen, bool of_risk) {
    CLI::App* command =
        of_risk
            ? group.add_subcommand("risk", "A row per node and minute, and its end")
            : group.add_subcommand("demand", "A row per series and five minutes, and what came");
    const auto options = std::make_shared<Options>();
    command->add_option("--from", options->from, "Folders of runs recorded with --record full")
        ->type_name("RUN");
    add_text(*command, "--simulate", options->seeds, "A-B",
             "Simulated runs of scenario mixed with these seeds instead, below 100000");
    add_text(*command, "--length", options->length, "TIME", "Of a simulated run (default 24h)");
    add_text(*command, "--out", options->out, "FILE",
             of_risk ? "Write the rows, for other programs"
                     : "Write the rows 60 min ahead, for other programs");
    add_output(*command, options->format, {"table", "json"});
    const std::string name = std::string("parley dataset ") + (of_risk ? "risk" : "demand");
    add_examples(*command, {name + " --from runs/mixed-1 runs/mixed-2",
                            name + " --from runs/mixed-* --out rows.bin",
                            name + " --simulate 1-20 --length 6h"});
    command->callback([&chosen, options, of_risk, command] {
        options->length_given = command->count("--length") > 0;
        chosen = [options, of_risk] { return dataset(*options, of_risk); };
    });
}

}  // namespace

void add_dataset(CLI::App& app, Chosen& chosen) {
    CLI::App* group = app.add_subcommand("dataset", "Build rows for training from recorded runs");
    group->require_subcommand(1);
    add_examples(*group, {"parley dataset risk --from runs/mixed-1     Rows of node risk",
                          "parley dataset demand --from runs/mixed-1   Rows of demand"});
    add_kind(*group, chosen, true);
    add_kind(*group, chosen, false);
}

}  // namespace parley::app
