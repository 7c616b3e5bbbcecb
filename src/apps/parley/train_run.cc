#include "apps/parley/train_run.h"

#include "apps/parley/output_file.h"
#include "base/json.h"
#include "learn/demand_trainer.h"
#include "learn/report_html.h"
#include "learn/report_text.h"
#include "learn/risk_trainer.h"
#include "learn/rows_dump.h"
#include "traces/catalogue.h"

#include <utility>

namespace parley::app {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  // Names and bytes.

// Trees that each see a part of the rows and features learn less of single days and drives by heart
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

}  // namespace

Result<void> write_rows(Disk& disk, const TrainOptions& options, const learn::Rows& rows,
                        const learn::Split& split) {
    if (options.rows.empty()) return {};
    return write_output(disk, options.rows, learn::dump_rows(rows, split));
}

Result<Trained> train_risk_trace(Disk& disk, const TrainOptions& options, const TrainWatch& watch) {
    const auto from = traces::trace_files(disk, options.from);
    if (!from) return tl::unexpected(from.error());
    const auto trace = traces::read_risk_trace(disk, options.trace, *from);
    if (!trace) return tl::unexpected(trace.error());
    learn::RiskOptions risk{.name = trace->name,
                            .what = trace->what,
                            .entity = trace->entity,
                            .step = trace->step,
                            .horizon = trace->step,  // A row looks as far as the next one.
                            .seed = options.seed};
    apply_flags(options, risk.trees);
    risk.trees.subsample = kShareOfRows;
    risk.trees.column_share = kShareOfColumns;
    risk.resolved_after = trace->step;  // A day's rows are known a day later.
    const auto total = static_cast<std::uint64_t>(learn::rounds_told(risk.trees));
    risk.watch = [&](int done) { return watch(static_cast<std::uint64_t>(done), total); };
    const auto model = learn::train_risk(trace->rows, trace->split, risk);
    if (!model) return tl::unexpected(model.error());
    const auto bytes = model->booster.save("ubj");
    if (!bytes) return tl::unexpected(bytes.error());
    Trained trained{.text = learn::report_text(model->report), .json = to_json(model->report)};
    // A folder with a manifest takes the place of these three files.
    const Files files = {{"model.ubj", *bytes},
                         {"calibration.json", to_json(model->calibration)},
                         {"report.json", trained.json}};
    auto written = write_rows(disk, options, trace->rows, trace->split);
    if (written) written = write_out(disk, options, files, learn::report_html(model->report));
    if (!written) return tl::unexpected(written.error());
    return trained;
}

Result<Trained> train_demand_trace(Disk& disk, const TrainOptions& options,
                                   const TrainWatch& watch) {
    if (options.from.empty())
        return fail(ErrorCode::denied, "there is nothing to learn from; give --from FILE...");
    const auto from = traces::trace_files(disk, options.from);
    if (!from) return tl::unexpected(from.error());
    const auto trace = traces::read_load_trace(disk, options.trace, *from);
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
        // The rows of the farthest distance are the ones that stay.
        if (auto dumped = write_rows(disk, options, rows->rows, *split); !dumped)
            return tl::unexpected(dumped.error());
    }
    const learn::DemandReport report = learn::demand_report(models, demand);
    Trained trained{.text = learn::report_text(report), .json = to_json(report)};
    files.emplace_back("report.json", trained.json);
    auto written = write_out(disk, options, files, learn::report_html(report));
    if (!written) return tl::unexpected(written.error());
    return trained;
}

}  // namespace parley::app
