#include "apps/parley/commands.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/tuning/compare_keep.h"
#include "apps/tuning/compare_plan.h"
#include "apps/tuning/compare_text.h"
#include "base/json.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

namespace parley::app {
namespace {

int compare(const CompareFlags& flags) {
    auto plan = compare_plan(real_disk(), flags);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was run.");
    std::optional<KeptRuns> kept;
    if (!flags.keep.empty()) {
        auto opened = KeptRuns::open(real_disk(), flags.keep, *plan);
        if (!opened) return report(opened.error(), kWrongUse, "Nothing was run.");
        kept = *std::move(opened);
        plan->done = kept->done();
        plan->keep = [&](const experiment::DoneRun& run) { kept->keep(run); };
    }
    catch_stop_signals();
    ProgressOfParts progress;  // A pilot may ask for more runs.
    const auto made = experiment::compare(*plan, [&](std::int64_t done, std::int64_t of) {
        progress.show(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(of), "runs");
        return !stop_requested();
    });
    progress.end();
    if (kept && !kept->outcome()) return report(kept->outcome().error(), kFailed);
    if (!made) {
        const bool wrong = made.error().code == ErrorCode::denied;
        return report(made.error(), wrong ? kWrongUse : kFailed, wrong ? "Nothing was run." : "");
    }
    if (flags.format == Format::json) {
        std::printf("%s\n", to_json(*made).c_str());
    } else {
        std::fputs(compare_text(*made).c_str(), stdout);
    }
    if (!flags.markdown.empty()) {
        const auto written = write_output(real_disk(), flags.markdown, compare_markdown(*made));
        if (!written) return report(written.error(), kFailed);
    }
    if (made->stopped) {
        std::fputs(kept ? "\nStopped. What is done is kept, and the same command goes on with it.\n"
                        : "\nStopped. With --keep FILE the same command could go on with it.\n",
                   stderr);
    }
    return kDone;
}

}  // namespace

void add_compare(Command& program) {
    Command command = program.command(
        "compare", "Compare predictors and policies on the same seeds, with confidence intervals");
    const auto flags = std::make_shared<CompareFlags>();
    add_compare_flags(command, *flags);
    add_examples(
        command,
        {"parley compare --scenario mixed,calm --arms brain,evidence,never --pairs 40",
         "parley compare --threads 2 --markdown comparison.md",
         "parley compare --policy ./careful.yaml --arms evidence,never --scenario mixed",
         "parley compare --scenario ./mine.yaml --seeds 2000000-2000039 --keep mine.runs"});
    command.runs([flags] { return compare(*flags); });
}

}  // namespace parley::app
