// The program: finds the command, runs it, and turns everything that goes wrong into a sentence
// and an exit status: 0 done, 1 failed, 2 wrong use.

#include "apps/parley/commands.h"
#include "apps/terminal/standard_streams.h"

#include <csignal>
#include <cstdio>
#include <exception>

namespace {

int run(int argc, char** argv) {
    using namespace parley::app;
    try {
        Program program("parley", "An explainable orchestrator for Kubernetes.");
        program.needs_command();
        keep_command_line(argc, argv);
        add_demo(program);
        add_live(program);
        add_check(program);
        add_exercise(program);
        add_load(program);
        add_simulate(program);
        add_dataset(program);
        add_compare(program);
        add_tune(program);
        add_why(program);
        add_why_not(program);
        add_replay(program);
        add_digest(program);
        add_repair(program);
        add_trim(program);
        add_serve(program);
        add_link(program);
        add_stop(program);
        add_release(program);
        add_openapi(program);
        add_scenario(program);
        add_train(program);
        add_model(program);
        add_config(program);
        add_version(program);
        add_examples(program,
                     {"parley demo                       Watch it work; start here",
                      "parley simulate --scenario failing-node --seed 7 --rounds 300",
                      "parley why runs/failing-node-7    Why its last contested decision",
                      "parley CMD --help                 Options and examples of a command"});
        return program.run(argc, argv);
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
    // A file that may not grow is reported like a full disk, instead of killing the program.
    std::signal(SIGXFSZ, SIG_IGN);
    parley::app::keep_standard_streams();
    return parley::app::status_when_printed(run(argc, argv));
}
