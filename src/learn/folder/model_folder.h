// Learn: models as folders on disk: `<models>/<id>/` holds XGBoost's own file, a manifest and a
// signature. Trees and manifest in, a folder out, and back.

#pragma once

#include "base/file.h"
#include "learn/folder/model_key.h"
#include "learn/folder/model_manifest.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::learn {

/// Which signatures count. Verifying needs only the public key in the manifest; this says which
/// keys are trusted.
struct Trust {
    std::string own_key;            ///< This machine's public key; empty: it has none yet.
    std::vector<std::string> keys;  ///< Ids of other keys, as --trust names them.
};

/// A folder that was opened and found intact; features are not compared yet.
struct StoredModel {
    ModelManifest manifest;
    std::string bytes;                   ///< XGBoost's own file, or several joined by join_files().
    std::vector<brain::Forest> forests;  ///< One, or as many as the manifest names.
};

/// Writes a new folder below `models` and returns its id, which is its name; durable when it
/// returns. An existing folder of that id is left alone. Sets format, id, file names and key of the
/// manifest, and refuses what open_model would refuse. Several forests are joined by join_files(),
/// and each gets a file.
[[nodiscard]] Result<std::string> save_model(Disk& disk, const std::string& models,
                                             ModelManifest manifest, std::string_view model_bytes,
                                             const SigningKey& key);

/// Verifies digest, signature, trust, id, trees and probe rows; nothing of a folder that fails is
/// used. The error names the folder and one reason.
[[nodiscard]] Result<StoredModel> open_model(Disk& disk, const std::string& folder,
                                             const Trust& trust);

/// The same; the error is the reason alone, for those who name the folder themselves.
[[nodiscard]] Result<StoredModel> read_model(Disk& disk, const std::string& folder,
                                             const Trust& trust);

/// The forests of a manifest, from trusted bytes; all of them are checked.
[[nodiscard]] Result<std::vector<brain::Forest>> forests_of(const ModelManifest& manifest,
                                                            std::string_view model_bytes);

/// Names of the folders below `models` that could be models, sorted; none if it does not exist.
[[nodiscard]] Result<std::vector<std::string>> list_models(Disk& disk, const std::string& models);

/// Which model is in use, by kind; kept in `<models>/current.json`. Empty: the shipped one.
struct CurrentModels {
    std::string risk;
    std::string demand;
    friend bool operator==(const CurrentModels&, const CurrentModels&) = default;
};
BOOST_DESCRIBE_STRUCT(CurrentModels, (), (risk, demand))

[[nodiscard]] Result<CurrentModels> current_models(Disk& disk, const std::string& models);
[[nodiscard]] Result<void> set_current_models(Disk& disk, const std::string& models,
                                              const CurrentModels& current);

}  // namespace parley::learn
