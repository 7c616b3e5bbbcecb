#include "apps/dashboard/which_run.h"
#include "apps/parley/commands.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

struct LinkArguments {
    std::string run;
    bool all = false;
};

/// Dashboards that show the run that was named, all, or the one that is meant. One alone is no
/// guess: a link is to a dashboard, and every one that runs is known.
Result<std::vector<ServerWord>> words_of(const LinkArguments& options) {
    auto words = server_words(real_disk(), real_environment());
    if (!words) return tl::unexpected(words.error());
    std::string run = options.run.empty() ? "" : whole_path(options.run);
    if (run.empty() && !options.all && words->size() > 1) {
        auto chosen = which_of(runs_shown(*words), "parley link", person_at_terminal());
        if (!chosen) return tl::unexpected(chosen.error());
        run = *std::move(chosen);
    }
    if (!run.empty()) {
        std::erase_if(*words, [&](const ServerWord& word) {
            return std::ranges::count(word.runs, run) == 0;
        });
    }
    return words;
}

int print_link(const LinkArguments& options) {
    const auto words = words_of(options);
    if (!words) return report(words.error(), status_of(words.error()));
    if (words->empty()) {
        const bool any = options.run.empty();
        return report({ErrorCode::denied,
                       "no dashboard of yours is running" +
                           (any ? "" : " that shows " + for_terminal(options.run)),
                       {}},
                      kFailed,
                      "Start one: parley serve " + (any ? std::string("RUN") : options.run));
    }
    for (const ServerWord& word : *words) std::printf("%s\n", new_link(word).c_str());
    return kDone;
}

}  // namespace

void add_link(Command& program) {
    Command command = program.command(
        "link", "A new login link of a running dashboard; it opens one session, within 10 minutes");
    const auto options = std::make_shared<LinkArguments>();
    Flag run = command.text(
        "RUN", options->run,
        "Of the one that shows this run folder (default: the only one, or asks which)");
    command.on("--all", options->all, "Of every dashboard of yours").excludes(run);
    add_examples(command, {"parley link", "parley link runs/tour-7", "parley link --all"});
    command.runs([options] { return print_link(*options); });
}

}  // namespace parley::app
