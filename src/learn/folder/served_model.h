// Learn: a model as a run serves it: from the shelf, from the program itself, or from the folder of
// a recorded run, which keeps what it was served by.

#pragma once

#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <memory>
#include <string>
#include <string_view>

namespace parley::learn {

/// The two parts that a model is.
struct ModelFiles {
    std::string manifest;
    std::string trees;  ///< Several files as join_files() has them.
};

/// The files of a model on the shelf, after open_model has found nothing wrong with it.
[[nodiscard]] Result<ModelFiles> stored_files(Disk& disk, const std::string& folder,
                                              const Trust& trust);

/// A model whose files were read from a place that is believed: all is checked but the signature.
[[nodiscard]] Result<std::shared_ptr<const brain::Model>> model_of(
    const ModelFiles& files, const brain::FeatureList& expected);

/// Nothing if a model of demand holds a forest for each of model::kDemandHorizonsMin, and no other.
[[nodiscard]] Result<void> check_demand_horizons(const ModelManifest& manifest);

/// Likewise for a model of demand, which must pass check_demand_horizons().
[[nodiscard]] Result<std::shared_ptr<const brain::DemandModel>> demand_model_of(
    const ModelFiles& files, const brain::FeatureList& expected);

/// The models that come with the program.
ModelFiles shipped_risk();
ModelFiles shipped_demand();

/// Puts the files of a model below a run's folder, so that the run can be derived again wherever it
/// is. A model that is there already is left as it is.
[[nodiscard]] Result<void> keep_model(Disk& disk, const std::string& run, const std::string& id,
                                      const ModelFiles& files);

/// The files of a model that a run kept; its id is a digest of them, so that no other will do.
[[nodiscard]] Result<ModelFiles> kept_files(Disk& disk, const std::string& run,
                                            const std::string& id);

/// The model itself.
[[nodiscard]] Result<std::shared_ptr<const brain::Model>> kept_model(
    Disk& disk, const std::string& run, const std::string& id, const brain::FeatureList& expected);

[[nodiscard]] Result<std::shared_ptr<const brain::DemandModel>> kept_demand(
    Disk& disk, const std::string& run, const std::string& id, const brain::FeatureList& expected);

}  // namespace parley::learn
