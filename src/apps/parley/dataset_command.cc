#include "apps/parley/commands.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/training/dataset_flags.h"
#include "apps/training/dataset_run.h"
#include "apps/training/run_rows.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

int keep(const DatasetFlags& flags, const Result<Dataset>& made) {
    if (!made) return report(made.error(), kFailed, "No rows were written.");
    if (!flags.out.empty()) {
        const auto kept = write_output(real_disk(), flags.out, made->rows);
        if (!kept) return report(kept.error(), kFailed);
    }
    std::fputs((flags.format == Format::json ? made->json : made->text).c_str(), stdout);
    return kDone;
}

int dataset(const DatasetFlags& flags, bool risk) {
    const auto runs = dataset_runs(flags);
    if (!runs) return report(runs.error(), kWrongUse);
    if (auto fine = check_output(flags.out); !fine) return report(fine.error(), kWrongUse);
    catch_stop_signals();
    ProgressOfParts progress;
    const TrainWatch watch = [&](std::uint64_t done, std::uint64_t total) {
        progress.show(done, total, steps_name(*runs));
        return !stop_requested();
    };
    const auto made = [&](const auto& data) {
        progress.end();
        return data ? keep(flags, dataset_of(*data, !flags.out.empty()))
                    : report(data.error(), status_of(data.error()));
    };
    return risk ? made(risk_rows(real_disk(), *runs, shown_by(*runs, watch)))
                : made(demand_rows(real_disk(), *runs, shown_by(*runs, watch)));
}

void add_kind(Command& group, bool risk) {
    Command command =
        risk ? group.command("risk", "A row per node and minute, and its end")
             : group.command("demand", "A row per series and five minutes, and what came");
    const auto flags = std::make_shared<DatasetFlags>();
    add_dataset_flags(command, *flags, risk);
    const std::string name = std::string("parley dataset ") + (risk ? "risk" : "demand");
    add_examples(command, {name + " --from runs/mixed-1 runs/mixed-2",
                           name + " --from runs/mixed-* --out rows.bin",
                           name + " --simulate 1-20 --length 6h"});
    command.runs([flags, risk, command] {
        flags->length_given = command.given("--length");
        return dataset(*flags, risk);
    });
}

}  // namespace

void add_dataset(Command& program) {
    Command group = program.command("dataset", "Build rows for training from recorded runs");
    group.needs_command();
    add_examples(group, {"parley dataset risk --from runs/mixed-1     Rows of node risk",
                         "parley dataset demand --from runs/mixed-1   Rows of demand"});
    add_kind(group, true);
    add_kind(group, false);
}

}  // namespace parley::app
