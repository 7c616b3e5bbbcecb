#include "apps/parley/commands.h"
#include "apps/terminal/output_file.h"
#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "apps/tuning/tune_flags.h"
#include "apps/tuning/tune_limit.h"
#include "apps/tuning/tune_text.h"
#include "base/json.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

int tune_it(const TuneFlags& flags) {
    const auto plan = tune_plan(real_disk(), flags);
    if (!plan) return report(plan.error(), kWrongUse, "Nothing was run.");
    const auto timeout = tune_timeout(flags);
    if (!timeout) return report(timeout.error(), kWrongUse, "Nothing was run.");
    const std::string study = tuner::storage_file(flags.plan.storage);
    if (auto fine = check_output(flags.write, {study}); !fine) {
        return report(fine.error(), kWrongUse, "Nothing was run.");
    }
    catch_stop_signals();
    ProgressOfParts progress;
    TuneLimit limit(*timeout);
    const auto made = tune(*plan, [&](const TuneProgress& at) {
        progress.show(static_cast<std::uint64_t>(at.done), static_cast<std::uint64_t>(at.of),
                      at.what);
        return limit.go(at);
    });
    progress.end();
    if (!made && made.error().code == ErrorCode::gone && stop_requested()) {
        std::fputs("Stopped. The study is whole, and the same command goes on with it.\n", stderr);
        return kDone;
    }
    if (!made) {
        // A storage that cannot be understood is a damaged file, not a wrong flag.
        const bool wrong = made.error().code == ErrorCode::denied;
        return report(made.error(), wrong ? kWrongUse : kFailed);
    }
    if (flags.format == Format::json) {
        std::printf("%s\n", to_json(*made).c_str());
    } else {
        std::printf("%s\n%s", tune_text(*made).c_str(), made->settings.c_str());
    }
    if (flags.write.empty()) return kDone;
    const auto kept = write_output(real_disk(), flags.write, made->settings);
    if (!kept) return report(kept.error(), kFailed);
    std::fprintf(stderr, "\nThe winner is in %s: parley simulate --config %s\n",
                 flags.write.c_str(), flags.write.c_str());
    return kDone;
}

}  // namespace

void add_tune(Command& program) {
    Command command = program.command(
        "tune", "Find decision parameters over the simulator, in a study that Optuna reads");
    const auto flags = std::make_shared<TuneFlags>();
    add_tune_flags(command, *flags);
    add_examples(command,
                 {"parley tune --scenario mixed --trials 200 --workers 2 --write tuned.yaml",
                  "parley tune --storage journal:study.log --study night --timeout 30m",
                  "parley tune --scenario ./mine.yaml --seeds 300000 --trials 100",
                  "parley tune --trials 0      Judge the best of a study again, run no trials",
                  "parley simulate --config tuned.yaml"});
    command.runs([flags] { return tune_it(*flags); });
}

}  // namespace parley::app
