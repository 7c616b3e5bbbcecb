#include "apps/live/exercise_flags.h"
#include "apps/live/exercise_run.h"
#include "apps/parley/commands.h"
#include "apps/terminal/terminal.h"
#include "base/clock_wait.h"
#include "base/time_text.h"

#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct ExerciseArguments {
    AccessFlags cluster;
    ExerciseFlags exercise;
    std::string phase = "20s";
    std::int64_t phases = 0;
    bool clean = false;
};

int exercise_cluster(const ExerciseArguments& options) {
    auto chosen = cluster_of(options.cluster);
    if (!chosen) return report(chosen.error(), kWrongUse, "Nothing was changed.");
    auto exercise = exercise_of(options.exercise, {});
    if (!exercise) return report(exercise.error(), kWrongUse, "Nothing was changed.");
    const auto phase = parse_duration(options.phase);
    if (!phase || *phase < seconds(1)) {
        return report({ErrorCode::malformed, "--phase must be a time of at least 1s, such as 20s"},
                      kWrongUse, "Nothing was changed.");
    }
    std::fprintf(stderr, "%s Ctrl-C ends it and cleans up.\n",
                 touched_text(chosen->name, *exercise).c_str());
    catch_stop_signals();
    const Stopwatch begun;
    const auto tell = [&](const exercise::Happened& what) {
        const std::string text = what.place + (what.fine ? ": " : ": FAILED ") + what.text;
        std::printf("%s  %s\n", print_simulated({begun.passed().us}).c_str(),
                    for_terminal(text).c_str());
        std::fflush(stdout);
    };
    const auto done =
        run_exercise({.cluster = *std::move(chosen),
                      .exercise = *std::move(exercise),
                      .phase = *phase,
                      .phases = options.phases > 0 ? std::optional(options.phases) : std::nullopt,
                      .clean = options.clean},
                     tell, stop_requested);
    if (!done) {
        return report(done.error(), status_of(done.error()),
                      "What may be left goes with: parley exercise --clean");
    }
    return kDone;
}

}  // namespace

void add_exercise(Command& program) {
    Command command = program.command(
        "exercise", "Put pods into one namespace of a real cluster, phase after phase");
    const auto options = std::make_shared<ExerciseArguments>();
    add_access_flags(command, options->cluster);
    add_exercise_flags(command, options->exercise, false);
    command.text("--phase", options->phase, "How long a phase lasts (default 20s)").type("TIME");
    add_whole(command, "--phases", options->phases, "Stop after so many (default: when stopped)",
              {1, 1'000'000});
    command.on("--clean", options->clean,
               "Only delete what an exerciser that was killed left there");
    add_examples(command, {"parley exercise --phases 9          Each phase once, then clean up",
                           "parley exercise --exercise-randomize --exercise-seed 31 --phase 30s",
                           "parley exercise --exercise-load cpu --exercise-image parley:dev"});
    command.runs([options] { return exercise_cluster(*options); });
}

}  // namespace parley::app
