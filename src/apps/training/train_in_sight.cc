#include "apps/training/train_in_sight.h"

#include "apps/shelf/model_run.h"
#include "apps/shelf/new_model.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/training/recalibrate_node.h"
#include "apps/training/train_check.h"
#include "apps/training/train_demand.h"
#include "apps/training/train_risk.h"
#include "base/number.h"

#include <cstdio>

namespace parley::app {
namespace {

constexpr const char* kNothing = "Nothing was done.";
constexpr const char* kNoModel = "No model was written.";

void print_said(const TrainFlags& flags, const Trained& said) {
    if (flags.format == Format::json) {
        std::printf("%s\n", said.json.c_str());
    } else {
        std::fputs(said.text.c_str(), stdout);
    }
}

/// Puts a model on the shelf and says how it is put into use.
int keep_model(const TrainFlags& flags, const std::string& shelf,
               const learn::ModelManifest& manifest, const std::string& bytes) {
    const auto id = put_on_shelf(real_disk(), real_environment(), shelf, manifest, bytes);
    if (!id) return report(id.error(), kFailed, kNoModel);
    std::fprintf(stderr, "\nModel %s is in %s. %s", id->c_str(), shelf.c_str(),
                 use_hint(manifest, *id, flags.models).c_str());
    return kDone;
}

/// Trains on recorded or simulated runs.
int train_on_runs(const TrainFlags& flags, bool risk) {
    const auto training = node_training(flags);
    if (!training) return report(training.error(), kWrongUse, kNothing);
    const auto shelf = shelf_for_new(real_disk(), real_environment(), flags.models);
    if (!shelf) return report(shelf.error(), kWrongUse, kNothing);
    catch_stop_signals();
    ProgressOfParts progress;
    const std::uint64_t reading = steps_of(*training);
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        progress.show(done, total, total == reading ? steps_name(*training) : "rounds at most");
        return !stop_requested();
    };
    const auto make = !risk               ? train_node_demand
                      : flags.recalibrate ? recalibrate_node_risk
                                          : train_node_risk;
    const auto made = make(real_disk(), *training, watch);
    progress.end();
    if (!made) return report(made.error(), kFailed, kNoModel);
    print_said(flags, made->said);
    if (made->unchanged) return kDone;
    const int kept = keep_model(flags, *shelf, made->manifest, made->model_bytes);
    if (kept != kDone || flags.train.report.empty()) return kept;
    const auto written = write_output(real_disk(), flags.train.report, made->html);
    return written ? kDone : report(written.error(), kFailed);
}

/// What is said besides the report of a trace or table.
void say_beside(const TrainFlags& flags, const TraceBrain& trained, bool risk) {
    std::string text;
    for (const std::string& name : trained.left_out)
        text += (text.empty() ? "" : ", ") + in_quotes(name);
    if (!text.empty())
        std::fprintf(stderr, "\nNo features, as they hold text or nothing: %s.\n", text.c_str());
    if (trained.servable || flags.train.out.empty()) return;
    std::fputs(risk
                   ? "\nIt serves nodes only with a list of which node features it reads: parley "
                     "model use FOLDER --features LIST\n"
                   : "\nIt forecasts steps of this table and does not serve nodes, whose demand is "
                     "forecast by minutes of their own past.\n",
               stderr);
}

/// Trains on a public trace or the user's table. Only a model of node features goes on the shelf.
int train_on_trace(const TrainFlags& flags, bool risk) {
    const auto shelf = flags.train.csv.features.empty()
                           ? Result<std::string>("")
                           : shelf_for_new(real_disk(), real_environment(), flags.models);
    if (!shelf) return report(shelf.error(), kWrongUse, kNothing);
    catch_stop_signals();
    ProgressOfParts progress;
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        progress.show(done, total, "rounds at most");
        return !stop_requested();
    };
    const auto trained = risk ? train_risk_trace(real_disk(), flags.train, watch)
                              : train_demand_trace(real_disk(), flags.train, watch);
    progress.end();
    if (!trained) return report(trained.error(), kFailed, kNoModel);
    print_said(flags, trained->said);
    say_beside(flags, *trained, risk);
    if (!trained->servable) return kDone;
    return keep_model(flags, *shelf, trained->servable->manifest, trained->servable->model_bytes);
}

}  // namespace

int train_in_sight(const TrainFlags& flags, bool risk) {
    if (auto fine = check_training(real_disk(), flags, risk); !fine)
        return report(fine.error(), kWrongUse, kNothing);
    const bool on_trace = !flags.train.trace.empty() || !flags.train.csv.file.empty();
    return on_trace ? train_on_trace(flags, risk) : train_on_runs(flags, risk);
}

}  // namespace parley::app
