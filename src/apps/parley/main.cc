// The program: finds the command, runs it, and turns everything that goes wrong into a sentence
// and an exit status: 0 done, 1 failed, 2 wrong use.

#include "apps/parley/commands.h"
#include "apps/terminal/standard_streams.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <exception>

namespace {

int run(int argc, char** argv) {
    using namespace parley::app;
    try {
        CLI::App app("An explainable orchestrator for Kubernetes.", "parley");
        app.require_subcommand(1);
        app.get_formatter()->column_width(30);
        keep_command_line(argc, argv);
        Chosen chosen;
        add_demo(app, chosen);
        add_live(app, chosen);
        add_check(app, chosen);
        add_exercise(app, chosen);
        add_load(app, chosen);
        add_simulate(app, chosen);
        add_dataset(app, chosen);
        add_compare(app, chosen);
        add_tune(app, chosen);
        add_why(app, chosen);
        add_why_not(app, chosen);
        add_replay(app, chosen);
        add_digest(app, chosen);
        add_repair(app, chosen);
        add_serve(app, chosen);
        add_link(app, chosen);
        add_stop(app, chosen);
        add_openapi(app, chosen);
        add_scenario(app, chosen);
        add_train(app, chosen);
        add_model(app, chosen);
        add_config(app, chosen);
        add_version(app, chosen);
        add_examples(app, {"parley demo                       Watch it work; start here",
                           "parley simulate --scenario failing-node --seed 7 --rounds 300",
                           "parley why runs/failing-node-7    Why its last contested decision",
                           "parley CMD --help                 Options and examples of a command"});
        try {
            app.parse(argc, argv);
        } catch (const CLI::CallForHelp& help) {
            return app.exit(help);
        } catch (const CLI::CallForVersion& version) {
            return app.exit(version);
        } catch (const CLI::ParseError& error) {
            return explain_usage(app, error);
        }
        return chosen();
    } catch (const std::exception& error) {
        std::fprintf(stderr,
                     "error: %s\nThis should not happen; the run so far is in its folder.\n",
                     error.what());
        return kFailed;
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // `parley why RUN | head` ends quietly.
    std::signal(SIGXFSZ, SIG_IGN);  // A file that may not grow is a full disk: said, not died of.
    parley::app::keep_standard_streams();
    return parley::app::status_when_printed(run(argc, argv));
}
