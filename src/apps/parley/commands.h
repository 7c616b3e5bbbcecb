// App: the commands of `parley`, one file each. Each adds its options to the command line and says
// what to do when it is chosen.

#pragma once

#include "apps/terminal/cli.h"

namespace parley::app {

void add_demo(Command& program);
void add_live(Command& program);
void add_check(Command& program);
void add_exercise(Command& program);
void add_load(Command& program);
void add_simulate(Command& program);
void add_dataset(Command& program);
void add_compare(Command& program);
void add_tune(Command& program);
void add_why(Command& program);
void add_why_not(Command& program);
void add_replay(Command& program);
void add_digest(Command& program);
void add_repair(Command& program);
void add_trim(Command& program);
void add_serve(Command& program);
void add_link(Command& program);
void add_stop(Command& program);
void add_release(Command& program);
void add_openapi(Command& program);
void add_scenario(Command& program);
void add_train(Command& program);
void add_model(Command& program);
void add_config(Command& program);
void add_version(Command& program);

}  // namespace parley::app
