#include "apps/parley/commands.h"
#include "apps/parley/server_file.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace parley::app {
namespace {

int print_link(const std::string& run) {
    const auto words = server_words(real_disk(), real_environment());
    if (!words) return report(words.error(), kFailed);
    std::vector<ServerWord> fitting;
    for (const ServerWord& word : *words) {
        const bool shows = std::ranges::count(word.runs, whole_path(run)) > 0;
        if (run.empty() || shows) fitting.push_back(word);
    }
    if (fitting.empty()) {
        const std::string which = run.empty() ? "" : " that shows " + run;
        return report({ErrorCode::denied, "no dashboard of yours is running" + which, {}}, kFailed,
                      "Start one: parley serve " + (run.empty() ? std::string("RUN") : run));
    }
    for (const ServerWord& word : fitting) std::printf("%s\n", new_link(word).c_str());
    return kDone;
}

}  // namespace

void add_link(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "link", "A new login link of a running dashboard; it opens one session, within 10 minutes");
    const auto run = std::make_shared<std::string>();
    command->add_option("RUN", *run, "Only of the one that shows this run folder");
    add_examples(*command, {"parley link", "parley link runs/tour-7"});
    command->callback([&chosen, run] { chosen = [run] { return print_link(*run); }; });
}

}  // namespace parley::app
