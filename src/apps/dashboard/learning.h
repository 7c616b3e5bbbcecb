// App: what the dashboard shows about learning: the models of a run and on the shelf, and the study
// that tunes its scenario.

#pragma once

#include "apps/shelf/model_places.h"
#include "base/file.h"
#include "learn/folder/model_manifest.h"
#include "store/run_format.h"
#include "tuner/trial.h"
#include "web/views/views_things.h"

#include <string>
#include <vector>

namespace parley::app {

/// Where to look.
struct LearningPlaces {
    std::string run;     ///< The run folder; its models/ holds what it was served by.
    std::string models;  ///< The shelf; empty: the default one.
};

/// A study that a run shows.
struct StudyPlace {
    std::string file;  ///< SQLite; empty: there is none.
    std::string name;
    /// The run itself was tuned by it; otherwise it is another study of its scenario.
    bool own = false;
};

/// tuning/study.db of the run itself; else parley-tune.db in the run folder, beside it, or in the
/// folder where the program was started.
StudyPlace find_study(Disk& disk, const std::string& run, const store::RunHeader& header);

/// `stages` are the run's own, as in all its views.
web::LearningView learning_of(Disk& disk, const LearningPlaces& places,
                              const store::RunHeader& header,
                              const std::vector<web::StageView>& stages);

web::BrainView brain_view(const learn::ModelManifest& manifest);
/// Trials in order; `best` and importances if there are any.
web::OptunaView study_view(const tuner::Study& study);

}  // namespace parley::app
