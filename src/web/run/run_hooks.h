// Web: what a served run is told and may ask of the program around it: where it is, how it was
// started, and what only the program can do.

#pragma once

#include "base/result.h"
#include "web/views/views_run.h"
#include "web/views/views_things.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

/// Where a run is, and what is known of it before it was read.
struct RunPlace {
    std::string name;
    std::string folder;  ///< Empty: nothing is recorded.
};

/// What is known of a run beside its record.
struct RunAbout {
    std::vector<std::string> command;
    std::vector<SettingView> settings;
    std::string cluster_kind;
    std::vector<std::string> cannot;
    std::vector<StageView> stages;  ///< Empty: what the record tells.
};
BOOST_DESCRIBE_STRUCT(RunAbout, (), (command, settings, cluster_kind, cannot, stages))

/// What only the program around can do. Called from the server's threads; empty: it cannot.
struct RunHooks {
    std::function<AskView(const std::string& question, std::optional<std::uint64_t> round)> ask;
    std::function<LearningView()> learning;
    std::function<RunAbout()> about;
    /// Stops it from acting, for good; who it was, and after which round, is recorded.
    std::function<Result<void>(const std::string& who, std::uint64_t after_round)> stop;
    /// Nothing: it was not stopped.
    std::function<std::optional<StopWord>()> stopped;
};

}  // namespace parley::web
