#include "apps/dashboard/learning.h"

#include "apps/shelf/brains.h"
#include "base/number.h"
#include "learn/folder/model_folder.h"
#include "learn/folder/served_model.h"
#include "tuner/importance.h"
#include "tuner/storage.h"
#include "tuner/study.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::app {
namespace {

constexpr std::size_t kTrialsMax = 2'000;
constexpr const char* kStudyFile = "parley-tune.db";
constexpr const char* kTunedScenario = "mixed";  // What a run is tuned on at its start.

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void add_brain(Disk& disk, const std::string& folder, const std::string& id,
               std::vector<web::BrainView>& into) {
    if (std::ranges::count(into, id, &web::BrainView::id) > 0) return;
    const auto bytes = read_file(disk, join(folder, "manifest.json"), learn::kManifestBytesMax);
    const auto manifest =
        bytes ? learn::parse_manifest(*bytes) : tl::unexpected<Error>(bytes.error());
    if (manifest) {
        into.push_back(brain_view(*manifest));
    } else {
        into.push_back({.id = id, .refused = manifest.error().message});
    }
}

void add_brains_below(Disk& disk, const std::string& models, std::vector<web::BrainView>& into) {
    const auto names = learn::list_models(disk, models);
    if (!names) return;  // It is no error if there is no shelf.
    for (const std::string& name : *names) add_brain(disk, join(models, name), name, into);
}

/// As the stage of brains says it: a model that a policy names without using it is not used.
void mark_used(const model::Policy& policy, web::BrainView& brain) {
    const bool drives = policy.predictor == model::PredictorKind::xgboost;
    const bool risk = !brain.id.empty() && brain.id == policy.brains.risk;
    const bool demand = !brain.id.empty() && brain.id == policy.brains.demand;
    brain.served = (risk && drives) || (demand && wants_demand(policy));
    brain.shadow = risk && !drives && wants_brains(policy);
}

const web::StageView* stage_called(const std::vector<web::StageView>& stages,
                                   std::string_view name) {
    const auto found = std::ranges::find(stages, name, &web::StageView::name);
    return found == stages.end() ? nullptr : &*found;
}

/// The stage is what the run says about itself; the trials come from the file of the study.
web::OptunaView optuna_of(const StudyPlace& study, const web::StageView* stage) {
    web::OptunaView view;
    if (!study.file.empty()) {
        const auto storage =
            tuner::open_storage("sqlite:" + study.file, {.study = study.name, .create = false});
        view = storage ? study_view((*storage)->study())
                       : web::OptunaView{.detail = "it holds no study " + study.name +
                                                   " that can be read: " + storage.error().message};
        view.detail = study.file + ": " + view.detail;
        if (!study.own) view.detail += ", not of this run";
    }
    view.state = stage != nullptr ? stage->state : web::StageState::skipped;
    const std::string said = stage != nullptr ? stage->detail : "the record does not say";
    view.detail = view.detail.empty() ? said : said + "; " + view.detail;
    return view;
}

}  // namespace

web::BrainView brain_view(const learn::ModelManifest& manifest) {
    web::BrainView view{.id = manifest.id,
                        .kind = std::string(enum_name(manifest.kind)),
                        .provenance = manifest.provenance,
                        .trained_at = manifest.trained};
    for (const learn::ModelMetric& metric : manifest.metrics) {
        if (metric.name == "auc") view.auc = finite(metric.value);
        if (metric.name == "ece" || metric.name == "calibration_error") {
            view.ece = finite(metric.value);
        }
    }
    for (const learn::ReliabilityBin& bin : manifest.reliability) {
        const bool known = std::isfinite(bin.predicted) && std::isfinite(bin.observed);
        if (known) view.reliability.push_back({bin.predicted, bin.observed, bin.rows});
    }
    return view;
}

web::OptunaView study_view(const tuner::Study& study) {
    web::OptunaView view{
        .state = web::StageState::idle, .study = study.name, .maximizes = study.maximizes()};
    const tuner::Trial* best = tuner::best_trial(study);
    std::size_t running = 0;
    std::size_t finished = 0;
    const auto shown = [](const tuner::Trial& trial) {
        web::TrialView out{.number = trial.number, .state = std::string(enum_name(trial.state))};
        if (!trial.values.empty()) out.value = finite(trial.values.front());
        for (const tuner::Param& param : trial.params) {
            out.params[param.name] = tuner::external_json(*param.distribution, param.value);
        }
        return out;
    };
    const std::size_t first =
        study.trials.size() > kTrialsMax ? study.trials.size() - kTrialsMax : 0;
    for (std::size_t i = 0; i < study.trials.size(); ++i) {
        const tuner::Trial& trial = study.trials[i];
        running += trial.state == tuner::TrialState::running ? 1 : 0;
        finished += tuner::is_finished(trial.state) ? 1 : 0;
        if (i >= first) view.trials.push_back(shown(trial));
    }
    if (best != nullptr) view.best = shown(*best);
    if (tuner::nothing_to_rank_by(study).empty()) {
        for (const tuner::Importance& each : tuner::importances(study)) {
            view.importance.push_back({each.name, each.share});
        }
    }
    if (running > 0) view.state = web::StageState::running;
    if (running == 0 && finished > 0) view.state = web::StageState::done;
    view.detail = std::to_string(finished) + " of " + std::to_string(study.trials.size()) +
                  " trials finished";
    if (view.best && view.best->value) view.detail += ", best " + fixed(*view.best->value, 3);
    return view;
}

StudyPlace find_study(Disk& disk, const std::string& run, const store::RunHeader& header) {
    const auto there = [&](const std::string& path) {
        const auto found = disk.exists(path);
        return found && *found;
    };
    if (run.empty()) return {};
    const std::string profile(enum_name(header.policy.profile));
    const std::string own = join(join(run, store::kTuningFolder), "study.db");
    if (there(own)) return {own, profile + "-" + kTunedScenario, true};
    for (const std::string& folder : {run, parent_of(run), std::string(".")}) {
        const std::string path = join(folder, kStudyFile);
        if (there(path)) return {path, profile + "-" + header.scenario, false};
    }
    return {};
}

web::LearningView learning_of(Disk& disk, const LearningPlaces& places,
                              const store::RunHeader& header,
                              const std::vector<web::StageView>& stages) {
    web::LearningView view;
    add_brains_below(disk, join(places.run, "models"), view.brains);
    if (const auto shipped = learn::parse_manifest(learn::shipped_risk().manifest)) {
        if (std::ranges::count(view.brains, shipped->id, &web::BrainView::id) == 0) {
            view.brains.push_back(brain_view(*shipped));
        }
    }
    const auto shelf = models_folder(disk, places.models, real_environment());
    if (shelf) add_brains_below(disk, *shelf, view.brains);
    for (web::BrainView& brain : view.brains) mark_used(header.policy, brain);
    view.stages = stages;
    const StudyPlace study = find_study(disk, places.run, header);
    view.optuna = optuna_of(study, stage_called(stages, "optuna"));
    if (const web::StageView* ray = stage_called(stages, "ray")) {
        view.ray = {.state = ray->state, .detail = ray->detail};
    }
    for (const web::BrainView& brain : view.brains) {
        const std::string kept = join(join(places.run, "models"), brain.id);
        const auto there = disk.exists(kept);
        if ((brain.served || brain.shadow) && there && *there) view.artifacts.push_back(kept);
    }
    if (!study.file.empty()) view.artifacts.push_back(study.file);
    return view;
}

}  // namespace parley::app
