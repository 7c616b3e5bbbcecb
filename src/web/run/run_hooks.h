// Web: what a served run knows from the program around it: where it is, how it was started, and
// functions that only the program has.

#pragma once

#include "base/result.h"
#include "layers/explanation/telling/people.h"
#include "web/views/views_run.h"
#include "web/views/views_things.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// Where a run is, and what is known before it is read.
struct RunPlace {
    std::string name;
    std::string folder;  ///< Empty: nothing is recorded.
};

/// What is known about a run besides its record.
struct RunAbout {
    std::vector<std::string> command;
    std::vector<SettingView> settings;
    std::string cluster_kind;
    std::vector<std::string> cannot;
    std::vector<StageView> stages;  ///< Empty: as the record says.
};
BOOST_DESCRIBE_STRUCT(RunAbout, (), (command, settings, cluster_kind, cannot, stages))

/// Functions of the program around. Called from the server's threads; empty: not available.
struct RunHooks {
    std::function<AskView(const std::string& question, std::optional<std::uint64_t> round)> ask;
    std::function<LearningView()> learning;
    std::function<RunAbout()> about;
    /// Stops it from acting, for good; records who did it and after which round.
    std::function<Result<void>(const std::string& who, std::uint64_t after_round)> stop;
    /// Nothing: it was not stopped.
    std::function<std::optional<StopWord>()> stopped;
    explanation::LiftedWords lifted;  ///< Who lifted a stop, and why.
};

}  // namespace parley::web
