#include "apps/parley/commands.h"
#include "apps/shelf/model_places.h"
#include "apps/shelf/model_run.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/training/recalibrate_node.h"
#include "apps/training/train_demand.h"
#include "apps/training/train_flags.h"
#include "apps/training/train_node.h"
#include "apps/training/train_run.h"
#include "base/number.h"
#include "base/time_text.h"
#include "traces/catalogue.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <set>

namespace parley::app {
namespace {

struct Options {
    TrainOptions train;
    std::string seeds;  ///< Of simulated runs: FIRST-LAST; empty: none.
    std::string length = "24h";
    std::string horizon = "30m";
    std::string models;
    bool families = false;
    bool recalibrate = false;
    std::set<std::string> given;  ///< Names of the flags.
    Format format = Format::table;
};

/// Rows of a node minutes apart hardly differ: deeper trees learn single failures by heart.
constexpr int kNodeDepth = 4;

Result<NodeTraining> node_training(const Options& options) {
    NodeTraining training{.runs = options.train.from, .flags = options.train};
    const auto horizon = parse_horizon(options.horizon, training.rules.gap);
    if (!horizon) return tl::unexpected(horizon.error());
    training.rules.horizon = *horizon;
    training.families = options.families;
    if (!options.given.contains("--depth")) training.flags.depth = kNodeDepth;
    if (!options.seeds.empty()) {
        auto runs = simulated_runs(options.seeds, options.length);
        if (!runs) return tl::unexpected(runs.error());
        training.simulated = *std::move(runs);
    }
    if (training.runs.empty() == options.seeds.empty()) {
        return fail(
            ErrorCode::denied,
            "say what to learn from: a public trace with --trace NAME --from FILE, a table of your "
            "own with --csv FILE, recorded runs with --from RUN..., or simulated ones with "
            "--simulate 1-100");
    }
    return training;
}

/// Puts a model on the shelf and says how it is put into use.
int put_on_shelf(const Options& options, const std::string& models,
                 const learn::ModelManifest& manifest, const std::string& bytes) {
    const auto id = signing_key_path(real_environment())
                        .and_then([](const std::string& path) {
                            return learn::SigningKey::at(real_disk(), path);
                        })
                        .and_then([&](const learn::SigningKey& key) {
                            return learn::save_model(real_disk(), models, manifest, bytes, key);
                        });
    if (!id) return report(id.error(), kFailed, "No model was written.");
    std::fprintf(stderr, "\nModel %s is in %s. %s", id->c_str(), models.c_str(),
                 use_hint(manifest, *id, options.models).c_str());
    return kDone;
}

/// Where models go; must be there or can be made.
Result<std::string> shelf_of(const Options& options) {
    auto models = models_folder(real_disk(), options.models, real_environment());
    if (!models) return models;
    if (auto fine = check_output_folder(*models); !fine) return tl::unexpected(fine.error());
    return models;
}

void print_said(const Options& options, const Trained& said) {
    if (options.format == Format::json) {
        std::printf("%s\n", said.json.c_str());
    } else {
        std::fputs(said.text.c_str(), stdout);
    }
}

/// Trains, says how good it is, and puts the model on the shelf.
int train_node(const Options& options, bool risk) {
    const auto training = node_training(options);
    if (!training) return report(training.error(), kWrongUse, "Nothing was done.");
    const auto models = shelf_of(options);
    if (!models) return report(models.error(), kWrongUse, "Nothing was done.");
    catch_stop_signals();
    std::unique_ptr<Progress> progress;
    const char* const steps = training->simulated ? "simulated hours" : "runs";
    const std::uint64_t rows = steps_of(*training);
    std::uint64_t whole = 0;
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        if (whole != total) progress.reset();
        if (!progress) {
            progress = std::make_unique<Progress>(total, total == rows ? steps : "rounds at most");
        }
        whole = total;
        progress->show(done);
        return !stop_requested();
    };
    const auto make = !risk                 ? train_node_demand
                      : options.recalibrate ? recalibrate_node_risk
                                            : train_node_risk;
    const auto made = make(real_disk(), *training, watch);
    progress.reset();
    if (!made) return report(made.error(), kFailed, "No model was written.");
    print_said(options, made->said);
    if (made->unchanged) return kDone;
    const int kept = put_on_shelf(options, *models, made->manifest, made->model_bytes);
    if (kept != kDone) return kept;
    if (!options.train.report.empty()) {
        auto written = write_output(real_disk(), options.train.report, made->html);
        if (!written) return report(written.error(), kFailed);
    }
    return kDone;
}

Result<void> check_there(const char* flag, const std::vector<std::string>& from) {
    for (const std::string& path : from) {
        const auto there = real_disk().exists(path);
        if (!there) return tl::unexpected(there.error());
        if (!*there) {
            return fail(ErrorCode::denied,
                        std::string(flag) + ": there is no " + path + "; check the path");
        }
    }
    return {};
}

/// What can be said before anything is read.
Result<void> check(const Options& options, bool risk) {
    if (auto fine = check_train_flags(options.given); !fine) return fine;
    for (const std::string& path : {options.train.report, options.train.rows}) {
        if (auto fine = check_output(path, options.train.from); !fine) return fine;
    }
    const CsvFlags& csv = options.train.csv;
    if (auto fine = check_output_folder(options.train.out); !fine) return fine;
    if (!csv.file.empty()) {
        if (csv.file == options.train.rows || csv.file == options.train.report)
            return fail(ErrorCode::denied, csv.file + " is read; name another file to write");
        return check_there("--csv", {csv.file});
    }
    if (!options.given.contains("--trace")) return check_there("--from", options.train.from);
    const auto all = risk ? traces::risk_traces() : traces::load_traces();
    if (auto known = traces::check_name(options.train.trace, all); !known) return known;
    const auto& from = options.train.from;
    if (auto fine = traces::check_count(options.train.trace, all, from.size()); !fine) return fine;
    return check_there("--from", from);
}

/// What is said beside the report of a trace or a table.
void say_beside(const Options& options, const TraceBrain& trained, bool risk) {
    std::string text;
    for (const std::string& name : trained.left_out)
        text += (text.empty() ? "" : ", ") + in_quotes(name);
    if (!text.empty())
        std::fprintf(stderr, "\nNo features, as they hold text or nothing: %s.\n", text.c_str());
    if (trained.servable || options.train.out.empty()) return;
    std::fputs(risk
                   ? "\nIt serves nodes only with a list of which node features it reads: parley "
                     "model use FOLDER --features LIST\n"
                   : "\nIt forecasts steps of this table and does not serve nodes, whose demand is "
                     "forecast by minutes of their own past.\n",
               stderr);
}

int train(const Options& options, bool risk) {
    if (auto fine = check(options, risk); !fine) {
        return report(fine.error(), kWrongUse, "Nothing was done.");
    }
    const bool table = !options.train.csv.file.empty();
    if (options.train.trace.empty() && !table) return train_node(options, risk);
    const auto models =
        options.train.csv.features.empty() ? Result<std::string>("") : shelf_of(options);
    if (!models) return report(models.error(), kWrongUse, "Nothing was done.");
    catch_stop_signals();
    std::unique_ptr<Progress> progress;
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        if (!progress) progress = std::make_unique<Progress>(total, "rounds at most");
        progress->show(done);
        return !stop_requested();
    };
    const auto trained = risk ? train_risk_trace(real_disk(), options.train, watch)
                              : train_demand_trace(real_disk(), options.train, watch);
    progress.reset();
    if (!trained) return report(trained.error(), kFailed, "No model was written.");
    print_said(options, trained->said);
    say_beside(options, *trained, risk);
    if (!trained->servable) return kDone;
    return put_on_shelf(options, *models, trained->servable->manifest,
                        trained->servable->model_bytes);
}

/// A table of one's own.
void add_table(CLI::App& command, CsvFlags& csv, bool risk) {
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

void add_kind(CLI::App& group, Chosen& chosen, bool risk) {
    CLI::App* command =
        group.add_subcommand(risk ? "risk" : "demand", risk ? "Train a model of what will fail"
                                                            : "Train a model of what will be used");
    const auto options = std::make_shared<Options>();
    TrainOptions& train_options = options->train;
    std::string known;
    for (const traces::Entry& entry : risk ? traces::risk_traces() : traces::load_traces())
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    command->add_option("--trace", train_options.trace, "The public trace: " + known)
        ->type_name("NAME");
    command
        ->add_option("--from", train_options.from,
                     "Its files, plain or gzip, or a folder of .csv and .csv.gz; without --trace, "
                     "folders of recorded runs")
        ->type_name("FILE|RUN");
    add_text(*command, "--simulate", options->seeds, "A-B",
             "Learn from simulated runs of scenario mixed with these seeds");
    add_text(*command, "--length", options->length, "TIME", "Of a simulated run (default 24h)");
    if (risk) {
        add_text(*command, "--horizon", options->horizon, "TIME",
                 "How far ahead a lost node counts (default 30m; of a table 24 steps)");
        command->add_flag("--families", options->families,
                          "Train again without each family of faults, and say what is still seen");
        command->add_flag("--recalibrate", options->recalibrate,
                          "Keep the trees that ship and fit their calibration to these runs: where "
                          "failures are too few to train on");
    }
    add_table(*command, train_options.csv, risk);
    add_text(*command, "--models", options->models, "FOLDER",
             "Where to put a model of runs; see parley model --help");
    command->add_option("--out", train_options.out, "The folder to write the model to")
        ->type_name("DIR");
    add_text(*command, "--report", train_options.report, "FILE", "Write the report as HTML too");
    add_text(*command, "--rows", train_options.rows, "FILE",
             "Write the rows too, for other programs");
    add_whole(*command, "--seed", train_options.seed, "Of trees and resampling");
    add_whole(*command, "--threads", train_options.threads,
              "With more than one, set OMP_WAIT_POLICY=passive on a busy machine", {1, 1'024});
    add_whole(*command, "--depth", train_options.depth, "Of a tree", {1, 16});
    add_whole(*command, "--rounds", train_options.rounds, "Trees at most", {1, 10'000});
    add_output(*command, options->format, {"table", "json"});
    add_examples(
        *command,
        {risk ? "parley train risk --simulate 1-100 --threads 2"
              : "parley train demand --simulate 1-60 --threads 2",
         risk ? "parley train risk --trace grid5000 --from event_trace.csv.gz --out brain"
              : "parley train demand --trace datacenter --from google2019.csv.gz --out brain",
         risk ? "parley train risk --csv nodes.csv --time when --entity node --event down"
              : "parley train demand --csv load.csv --time when --entity service --value rps",
         risk ? "parley train risk --recalibrate --from runs/monday runs/tuesday"
              : "parley train demand --from runs/monday --report demand.html"});
    command->callback([&chosen, options, risk, command] {
        for (const CLI::Option* each : command->get_options()) {
            if (each->count() > 0) options->given.insert(each->get_name());
        }
        if (options->given.contains("--horizon")) options->train.csv.horizon = options->horizon;
        chosen = [options, risk] { return train(*options, risk); };
    });
}

}  // namespace

void add_train(CLI::App& app, Chosen& chosen) {
    CLI::App* group = app.add_subcommand("train", "Train a brain and say how good it is");
    group->require_subcommand(1);
    add_examples(*group, {"parley train risk --help      What may fail, from public traces"});
    add_kind(*group, chosen, true);
    add_kind(*group, chosen, false);
}

}  // namespace parley::app
