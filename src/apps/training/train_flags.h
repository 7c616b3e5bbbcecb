// App: the flags of `parley train risk` and `parley train demand`.

#pragma once

#include "apps/terminal/cli.h"
#include "apps/training/node_training.h"

#include <set>
#include <string>

namespace parley::app {

struct TrainFlags {
    TrainOptions train;
    std::string seeds;  ///< For simulated runs: FIRST-LAST; empty: none.
    std::string length = "24h";
    std::string horizon = "30m";
    std::string models;
    bool families = false;
    bool recalibrate = false;
    std::set<std::string> given;  ///< Names of the flags; see note_given().
    Format format = Format::table;
};

/// `risk`: a model of what will fail, else of what will be used.
void add_train_flags(Command& command, TrainFlags& into, bool risk);

/// After the command line was parsed: which flags were in it.
void note_given(const Command& command, TrainFlags& into);

/// A training on recorded or simulated runs. Refuses flags that name neither, and invalid times and
/// seeds.
[[nodiscard]] Result<NodeTraining> node_training(const TrainFlags& flags);

/// How far ahead a lost node counts: longer than acting takes, and at most a day.
[[nodiscard]] Result<Duration> parse_horizon(const std::string& text, Duration gap);

}  // namespace parley::app
