// App: what the commands of `parley model` do; they return the text to print.

#pragma once

#include "apps/terminal/cli.h"
#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <string>
#include <vector>

namespace parley::app {

/// Where models are, and which keys are trusted.
struct ModelShelf {
    std::string folder;
    learn::Trust trust;
};

/// From the flags and the environment; does not create a key.
[[nodiscard]] Result<ModelShelf> model_shelf(Disk& disk, const std::string& folder,
                                             std::vector<std::string> trusted);

/// Refused models are listed with the reason.
[[nodiscard]] Result<std::string> list_text(Disk& disk, const ModelShelf& shelf, Format format);
[[nodiscard]] Result<std::string> show_text(Disk& disk, const ModelShelf& shelf,
                                            const std::string& id, Format format);
[[nodiscard]] Result<std::string> compare_text(Disk& disk, const ModelShelf& shelf,
                                               const std::string& a, const std::string& b,
                                               Format format);

/// Checks that a model can be served: its features are the ones made here, and a risk model is
/// calibrated; the error is the reason.
[[nodiscard]] Result<void> check_servable(const learn::ModelManifest& manifest);

/// What to do with a newly trained model: the command that puts it into use, or why none does.
/// `models` is the folder from --models; empty: not given.
std::string use_hint(const learn::ModelManifest& manifest, const std::string& id,
                     const std::string& models);

/// Puts a model into use: `kind` is `risk` or `demand`, or empty for the model's own. The id
/// `shipped` returns to the model of the program, and then the kind must be named.
[[nodiscard]] Result<std::string> use_model(Disk& disk, const ModelShelf& shelf,
                                            const std::string& id, const std::string& kind);

/// XGBoost's own file as saved; several forests get a file each, with the horizon in the name:
/// `demand-60s.ubj`. Refuses a file that exists, and an extension that XGBoost would read as the
/// other format.
[[nodiscard]] Result<std::string> export_model(Disk& disk, const ModelShelf& shelf,
                                               const std::string& id, const std::string& file);

}  // namespace parley::app
