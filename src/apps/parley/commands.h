// App: the commands of `parley`, one file each. Each adds its options to the command line and says
// what to do when it is chosen.

#pragma once

#include "apps/terminal/cli.h"

namespace parley::app {

void add_demo(CLI::App& app, Chosen& chosen);
void add_live(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_exercise(CLI::App& app, Chosen& chosen);
void add_load(CLI::App& app, Chosen& chosen);
void add_simulate(CLI::App& app, Chosen& chosen);
void add_dataset(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_tune(CLI::App& app, Chosen& chosen);
void add_why(CLI::App& app, Chosen& chosen);
void add_why_not(CLI::App& app, Chosen& chosen);
void add_replay(CLI::App& app, Chosen& chosen);
void add_digest(CLI::App& app, Chosen& chosen);
void add_repair(CLI::App& app, Chosen& chosen);
void add_serve(CLI::App& app, Chosen& chosen);
void add_link(CLI::App& app, Chosen& chosen);
void add_stop(CLI::App& app, Chosen& chosen);
void add_openapi(CLI::App& app, Chosen& chosen);
void add_scenario(CLI::App& app, Chosen& chosen);
void add_train(CLI::App& app, Chosen& chosen);
void add_model(CLI::App& app, Chosen& chosen);
void add_config(CLI::App& app, Chosen& chosen);
void add_version(CLI::App& app, Chosen& chosen);

}  // namespace parley::app
