#include "apps/parley/commands.h"
#include "apps/parley/progress.h"
#include "apps/parley/terminal.h"
#include "base/json.h"
#include "base/number.h"
#include "learn/risk_sources.h"
#include "learn/rows_dump.h"
#include "learn/split.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct Options {
    std::vector<std::string> from;
    std::string out;
    Format format = Format::table;
};

struct DatasetFacts {
    std::uint64_t rows = 0;
    std::uint64_t positives = 0;
    std::uint64_t censored = 0;
    std::uint64_t too_late = 0;  ///< Left out: the failure came before an action could have ended.
    std::int64_t failures = 0;
    std::int64_t failures_without_rows = 0;
    std::uint64_t nodes = 0;
    std::uint32_t feature_version = 0;
    std::vector<learn::Column> columns;
    std::string split;
};
BOOST_DESCRIBE_STRUCT(DatasetFacts, (),
                      (rows, positives, censored, too_late, failures, failures_without_rows, nodes,
                       feature_version, columns, split))

DatasetFacts facts_of(const learn::RiskData& data, const std::string& rule) {
    using learn::Ending;
    const auto ended = [&](Ending ending) {
        return static_cast<std::uint64_t>(
            std::ranges::count(data.watched, ending, &learn::Watched::ending));
    };
    return {.rows = data.rows.size(),
            .positives = ended(Ending::failed),
            .censored = ended(Ending::censored),
            .too_late = static_cast<std::uint64_t>(data.too_late),
            .failures = data.events + data.failures_unseen,
            .failures_without_rows = data.failures_unseen,
            .nodes = data.entities.size(),
            .feature_version = data.feature_version,
            .columns = data.rows.columns,
            .split = rule};
}

std::string text_of(const DatasetFacts& facts) {
    const auto count = [](auto n) { return thousands(static_cast<std::int64_t>(n)); };
    return count(facts.rows) + " rows of " + count(facts.nodes) + " nodes, " +
           std::to_string(facts.columns.size()) + " features of version " +
           std::to_string(facts.feature_version) + "\n" + count(facts.positives) +
           " rows before one of " + count(facts.failures) + " failures (" +
           count(facts.failures_without_rows) + " without a row), " + count(facts.censored) +
           " censored, " + count(facts.too_late) + " left out as too late to act\n" + facts.split +
           "\n";
}

int dataset(const Options& options) {
    catch_stop_signals();
    std::unique_ptr<Progress> progress;
    const auto data = learn::rows_of_runs(real_disk(), options.from, {}, [&](double done) {
        if (!progress) progress = std::make_unique<Progress>(options.from.size(), "runs");
        progress->show(static_cast<std::uint64_t>(done));
    });
    progress.reset();
    if (!data) return report(data.error(), status_of(data.error()));
    const auto split = learn::split_rows(data->rows, data->rules.horizon);
    if (!split) return report(split.error(), kFailed, "The rows cannot be split for training.");
    const DatasetFacts facts = facts_of(*data, split->rule);
    if (!options.out.empty()) {
        const auto kept =
            write_file_atomically(real_disk(), options.out, learn::dump_rows(data->rows, *split));
        if (!kept) return report(kept.error(), kFailed);
    }
    std::fputs((options.format == Format::json ? to_json(facts) + "\n" : text_of(facts)).c_str(),
               stdout);
    return kDone;
}

}  // namespace

void add_dataset(CLI::App& app, Chosen& chosen) {
    CLI::App* group = app.add_subcommand("dataset", "Build rows for training from recorded runs");
    group->require_subcommand(1);
    add_examples(*group, {"parley dataset risk --from runs/mixed-1     Rows of node risk"});
    CLI::App* command = group->add_subcommand("risk", "A row per node and minute, and its end");
    const auto options = std::make_shared<Options>();
    command->add_option("--from", options->from, "Folders of runs recorded with --record full")
        ->type_name("RUN")
        ->required();
    add_text(*command, "--out", options->out, "FILE", "Write the rows, for other programs");
    add_output(*command, options->format, {"table", "json"});
    add_examples(*command, {"parley dataset risk --from runs/mixed-1 runs/mixed-2",
                            "parley dataset risk --from runs/mixed-* --out rows.bin"});
    command->callback([&chosen, options] { chosen = [options] { return dataset(*options); }; });
}

}  // namespace parley::app
