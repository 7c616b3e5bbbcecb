#include "apps/training/train_run.h"

#include "apps/shelf/feature_list.h"
#include "apps/terminal/cli.h"
#include "apps/terminal/output_file.h"
#include "apps/training/trained_manifest.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "layers/prediction/node_features.h"
#include "learn/demand/demand_trainer.h"
#include "learn/report/report_html.h"
#include "learn/report/report_text.h"
#include "learn/risk/risk_trainer.h"
#include "learn/rows/rows_dump.h"
#include "traces/catalogue.h"
#include "traces/csv_table.h"
#include "traces/text_file.h"

#include <set>
#include <utility>

namespace parley::app {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // Names and bytes.

// Trees that each see a part of the rows and features overfit less to single days and drives
// (docs/decisions/0020).
constexpr double kShareOfRows = 0.8;
constexpr double kShareOfColumns = 0.8;

Result<void> write_out(Disk& disk, const TrainOptions& options, const Files& files,
                       const std::string& html) {
    if (!options.out.empty()) {
        if (auto made = make_directories(disk, options.out); !made) return made;
        for (const auto& [name, bytes] : files) {
            auto written = write_output(disk, join(options.out, name), bytes);
            if (!written) return written;
        }
    }
    if (options.report.empty()) return {};
    return write_output(disk, options.report, html);
}

void apply_flags(const TrainOptions& options, learn::BoosterParameters& trees) {
    trees.threads = options.threads;
    trees.depth = options.depth;
    trees.rounds_max = options.rounds;
}

/// A time from a flag; nothing if it was not given.
Result<std::optional<Duration>> time_of(const char* flag, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const auto time = parse_duration(text);
    if (time && time->us > 0) return *time;
    return fail(ErrorCode::denied, std::string(flag) + " is a time above 0 such as 5m, and " +
                                       in_quotes(text) + " was given");
}

Result<traces::CsvOptions> csv_options(Disk& disk, const CsvFlags& flags) {
    const auto step = time_of("--step", flags.step);
    if (!step) return tl::unexpected(step.error());
    const auto horizon = time_of("--horizon", flags.horizon);
    if (!horizon) return tl::unexpected(horizon.error());
    traces::CsvOptions options{
        .columns = {.time = flags.time,
                    .entity = flags.entity,
                    .value = flags.event.empty() ? flags.value : flags.event},
        .step = *step,
        .horizon = *horizon};
    if (flags.features.empty()) return options;
    const brain::FeatureList ours = prediction::wanted_features();
    const auto listed = read_feature_list(disk, flags.features, ours);
    if (!listed) return tl::unexpected(listed.error());
    std::set<std::size_t> taken;
    for (const ListedFeature& each : *listed) {
        if (!taken.insert(each.place).second) {
            return fail(ErrorCode::denied, flags.features + ":" + std::to_string(each.line) + ": " +
                                               ours.features[each.place].name +
                                               " is served by two columns; keep one of them");
        }
        options.features.push_back({each.feature, each.place, each.to_ours});
    }
    for (const brain::Feature& each : ours.features) options.list.push_back({each.name, each.unit});
    return options;
}

Result<traces::RiskTrace> risk_table(Disk& disk, const CsvFlags& flags) {
    const auto options = csv_options(disk, flags);
    if (!options) return tl::unexpected(options.error());
    const auto text = traces::read_text(disk, flags.file);
    if (!text) return tl::unexpected(text.error());
    return traces::import_csv_risk(flags.file, *text, *options);
}

Result<traces::LoadTrace> demand_table(Disk& disk, const CsvFlags& flags) {
    const auto options = csv_options(disk, flags);
    if (!options) return tl::unexpected(options.error());
    const auto text = traces::read_text(disk, flags.file);
    if (!text) return tl::unexpected(text.error());
    return traces::import_csv_demand(flags.file, *text, *options);
}

Result<traces::RiskTrace> public_trace(Disk& disk, const TrainOptions& options) {
    const auto from = traces::trace_files(disk, options.from);
    if (!from) return tl::unexpected(from.error());
    return traces::read_risk_trace(disk, options.trace, *from);
}

Result<traces::LoadTrace> public_load(Disk& disk, const TrainOptions& options) {
    if (options.from.empty())
        return fail(ErrorCode::denied, "there is nothing to learn from; give --from FILE...");
    const auto from = traces::trace_files(disk, options.from);
    if (!from) return tl::unexpected(from.error());
    return traces::read_load_trace(disk, options.trace, *from);
}

/// A row of a public trace looks as far ahead as the next row.
Duration horizon_of(const traces::RiskTrace& trace) {
    return trace.horizon.us > 0 ? trace.horizon : trace.step;
}

/// For a table whose columns are node features.
Result<learn::ModelManifest> table_manifest(const TrainOptions& options,
                                            const traces::RiskTrace& trace,
                                            const learn::RiskModel& model) {
    auto probes = probes_of(trace.rows, model.test_rows, model.booster);
    if (!probes) return tl::unexpected(probes.error());
    learn::ModelManifest out =
        begun_manifest({.flags = options}, brain::ModelKind::risk, model.report.parameters);
    out.provenance = "table: " + for_terminal(options.csv.file) + ", " + trace.what;
    out.data_fingerprint = model.report.data.fingerprint;
    out.inputs = prediction::wanted_features();
    out.horizons_s = {in_seconds(trace.horizon)};
    out.calibration = model.calibration;
    set_quality(model.report.quality, out);
    out.probes = *std::move(probes);
    return out;
}

}  // namespace

Result<void> write_rows(Disk& disk, const TrainOptions& options, const learn::Rows& rows,
                        const learn::Split& split) {
    if (options.rows.empty()) return {};
    return write_output(disk, options.rows, learn::dump_rows(rows, split));
}

Result<TraceBrain> train_risk_trace(Disk& disk, const TrainOptions& options,
                                    const TrainWatch& watch) {
    const auto trace =
        options.csv.file.empty() ? public_trace(disk, options) : risk_table(disk, options.csv);
    if (!trace) return tl::unexpected(trace.error());
    learn::RiskOptions risk{.name = trace->name,
                            .what = trace->what,
                            .entity = trace->entity,
                            .step = trace->step,
                            .horizon = horizon_of(*trace),
                            .seed = options.seed};
    apply_flags(options, risk.trees);
    risk.trees.subsample = kShareOfRows;
    risk.trees.column_share = kShareOfColumns;
    risk.resolved_after = horizon_of(*trace);  // The outcome of a day's rows is known a day later.
    const auto total = static_cast<std::uint64_t>(learn::rounds_told(risk.trees));
    risk.watch = [&](int done) { return watch(static_cast<std::uint64_t>(done), total); };
    const auto model = learn::train_risk(trace->rows, trace->split, risk);
    if (!model) return tl::unexpected(model.error());
    const auto bytes = model->booster.save("ubj");
    if (!bytes) return tl::unexpected(bytes.error());
    TraceBrain trained{
        .said = {.text = learn::report_text(model->report), .json = to_json(model->report)},
        .html = learn::report_html(model->report),
        .left_out = trace->left_out};
    // `parley model use` accepts these, with a list of which node features they are.
    const Files files = {{"model.ubj", *bytes},
                         {"features.json", to_json(trace->rows.columns)},
                         {"calibration.json", to_json(model->calibration)},
                         {"report.json", trained.said.json}};
    auto written = write_rows(disk, options, trace->rows, trace->split);
    if (written) written = write_out(disk, options, files, trained.html);
    if (!written) return tl::unexpected(written.error());
    if (options.csv.features.empty()) return trained;
    auto manifest = table_manifest(options, *trace, *model);
    if (!manifest) return tl::unexpected(manifest.error());
    trained.servable = Servable{*std::move(manifest), *bytes};
    return trained;
}

Result<TraceBrain> train_demand_trace(Disk& disk, const TrainOptions& options,
                                      const TrainWatch& watch) {
    const auto trace =
        options.csv.file.empty() ? public_load(disk, options) : demand_table(disk, options.csv);
    if (!trace) return tl::unexpected(trace.error());
    learn::DemandOptions demand{.name = trace->name, .what = trace->what, .seed = options.seed};
    apply_flags(options, demand.trees);
    const auto each = static_cast<std::uint64_t>(options.rounds);
    const std::uint64_t total = each * trace->ahead.size();
    std::vector<learn::DemandModel> models;
    Files files;
    for (const std::size_t ahead : trace->ahead) {
        const auto rows = learn::demand_rows(trace->series, ahead);
        if (!rows) return tl::unexpected(rows.error());
        const auto split = learn::split_series(*rows);
        if (!split) return tl::unexpected(split.error());
        const std::uint64_t before = each * models.size();
        demand.watch = [&, before](int done) {
            return watch(before + static_cast<std::uint64_t>(done), total);
        };
        auto model = learn::train_demand(*rows, *split, demand);
        if (!model) {
            return within(std::to_string(ahead) + (ahead == 1 ? " step ahead" : " steps ahead"),
                          model.error());
        }
        const auto bytes = model->booster.save("ubj");
        if (!bytes) return tl::unexpected(bytes.error());
        files.emplace_back("model-" + std::to_string(ahead) + ".ubj", *bytes);
        models.push_back(std::move(*model));
        // The rows of the longest horizon are the ones written.
        if (auto dumped = write_rows(disk, options, rows->rows, *split); !dumped)
            return tl::unexpected(dumped.error());
    }
    const learn::DemandReport report = learn::demand_report(models, demand);
    TraceBrain trained{.said = {.text = learn::report_text(report), .json = to_json(report)},
                       .html = learn::report_html(report)};
    files.emplace_back("report.json", trained.said.json);
    auto written = write_out(disk, options, files, trained.html);
    if (!written) return tl::unexpected(written.error());
    if (!options.out.empty()) {
        trained.said.text += "\nIts forests are in " + for_terminal(options.out) +
                             ", one for each horizon, for programs that read XGBoost's files. "
                             "Parley forecasts minutes of its own nodes and workloads: parley "
                             "train demand --from RUN makes what it serves.\n";
    }
    return trained;
}

}  // namespace parley::app
