// App: what the dashboard shows of learning: the brains that a run keeps and those on the shelf,
// and the study that tunes its scenario.

#pragma once

#include "apps/parley/model_places.h"
#include "base/file.h"
#include "learn/model_manifest.h"
#include "store/run_format.h"
#include "tuner/trial.h"
#include "web/views_things.h"

#include <string>

namespace parley::app {

/// Where to look.
struct LearningPlaces {
    std::string run;         ///< The run folder; its models/ holds what it was served by.
    std::string models;      ///< The shelf; empty: where it is by default.
    std::string study_file;  ///< SQLite; empty: there is none.
};

web::LearningView learning_of(Disk& disk, const LearningPlaces& places,
                              const store::RunHeader& header);

web::BrainView brain_view(const learn::ModelManifest& manifest);
/// Trials in order; `best` and importances where there are any.
web::OptunaView study_view(const tuner::Study& study);

/// parley-tune.db in the run folder, beside it, or where the program was started; or empty.
std::string find_study(Disk& disk, const std::string& run);

}  // namespace parley::app
