#include "apps/parley/commands.h"
#include "apps/runs/trim.h"
#include "apps/terminal/progress.h"
#include "base/json.h"
#include "base/time_text.h"

#include <cstdio>
#include <memory>
#include <utility>

namespace parley::app {
namespace {

struct TrimArguments {
    std::string run;
    Keep keep;
    Format format = Format::table;
};

/// What is wrong with the text of --keep, or "".
std::string take_span(const std::string& text, Keep& into) {
    const auto span = parse_duration(text);
    if (!span || span->us <= 0) return "--keep is a time such as 12h or 7d, not " + text;
    into.span = *span;
    return {};
}

int trim_run(const TrimArguments& options) {
    std::optional<Progress> progress(std::in_place, 0, "rounds read");
    const auto done = trim(real_disk(), options.run, options.keep,
                           [&](std::uint64_t rounds) { progress->show(rounds); });
    progress.reset();
    if (!done) return report(done.error(), status_of(done.error()));
    const std::string text =
        options.format == Format::json ? to_json(*done) + "\n" : for_terminal(text_of(*done));
    std::fputs(text.c_str(), stdout);
    return kDone;
}

}  // namespace

void add_trim(Command& program) {
    Command command =
        program.command("trim", "Drop the oldest rounds of a run, so that it takes less space");
    const auto options = std::make_shared<TrimArguments>();
    command.text("RUN", options->run, "A run folder that no process writes").required();
    Flag rounds =
        add_whole_function(command, "--keep-rounds",
                           [options](std::uint64_t number) { options->keep.rounds = number; },
                           "Keep at least the last N rounds", {.least = 1});
    command
        .taken(
            "--keep", [options](const std::string& text) { return take_span(text, options->keep); },
            "Keep at least what was so long before the last round")
        .type("TIME")
        .excludes(rounds);
    add_output(command, options->format, {"table", "json"});
    add_examples(
        command,
        {"parley trim runs/prod --keep 7d            What is older cannot be asked about any more",
         "parley trim runs/tour-7 --keep-rounds 1000"});
    command.runs(
        [options] { return trim_run(*options); },
        [options] {
            const bool said = options->keep.rounds || options->keep.span;
            return std::string(said ? "" : "say how much to keep: --keep-rounds N or --keep TIME");
        });
}

}  // namespace parley::app
