// Learn: the model that a run serves: from the shelf, from the program itself, or from the folder
// of a recorded run, which keeps the models it was served by.

#pragma once

#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <memory>
#include <string>
#include <string_view>

namespace parley::learn {

/// The two parts of a model.
struct ModelFiles {
    std::string manifest;
    std::string trees;  ///< Several files are joined by join_files().
};

/// The files of a model on the shelf, after open_model accepted it.
[[nodiscard]] Result<ModelFiles> stored_files(Disk& disk, const std::string& folder,
                                              const Trust& trust);

/// A model from files of a trusted place: everything is checked except the signature.
[[nodiscard]] Result<std::shared_ptr<const brain::Model>> model_of(
    const ModelFiles& files, const brain::FeatureList& expected);

/// Checks that a model of demand holds exactly one forest for each of model::kDemandHorizonsMin.
[[nodiscard]] Result<void> check_demand_horizons(const ModelManifest& manifest);

/// The same for a model of demand, which must pass check_demand_horizons().
[[nodiscard]] Result<std::shared_ptr<const brain::DemandModel>> demand_model_of(
    const ModelFiles& files, const brain::FeatureList& expected);

/// The models that come with the program.
ModelFiles shipped_risk();
ModelFiles shipped_demand();

/// Copies the files of a model into a run's folder, so that the run can be replayed anywhere. A
/// model that is already there is left alone.
[[nodiscard]] Result<void> keep_model(Disk& disk, const std::string& run, const std::string& id,
                                      const ModelFiles& files);

/// The files of a model that a run kept; its id is their digest, so no other model can be taken for
/// it.
[[nodiscard]] Result<ModelFiles> kept_files(Disk& disk, const std::string& run,
                                            const std::string& id);

/// The model that a run kept.
[[nodiscard]] Result<std::shared_ptr<const brain::Model>> kept_model(
    Disk& disk, const std::string& run, const std::string& id, const brain::FeatureList& expected);

[[nodiscard]] Result<std::shared_ptr<const brain::DemandModel>> kept_demand(
    Disk& disk, const std::string& run, const std::string& id, const brain::FeatureList& expected);

}  // namespace parley::learn
