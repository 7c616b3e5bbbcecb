// App: what the commands of `parley model` do. Names and a folder in, text to be printed out.

#pragma once

#include "apps/terminal/cli.h"
#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <string>
#include <vector>

namespace parley::app {

/// Where models are, and whom to believe.
struct ModelShelf {
    std::string folder;
    learn::Trust trust;
};

/// From the flags and the environment; makes no key.
[[nodiscard]] Result<ModelShelf> model_shelf(Disk& disk, const std::string& folder,
                                             std::vector<std::string> trusted);

/// Models that are refused are listed with the reason.
[[nodiscard]] Result<std::string> list_text(Disk& disk, const ModelShelf& shelf, Format format);
[[nodiscard]] Result<std::string> show_text(Disk& disk, const ModelShelf& shelf,
                                            const std::string& id, Format format);
[[nodiscard]] Result<std::string> compare_text(Disk& disk, const ModelShelf& shelf,
                                               const std::string& a, const std::string& b,
                                               Format format);

/// Nothing where a model can be served: its features are those made here, and one of risk is
/// calibrated; else the reason.
[[nodiscard]] Result<void> check_servable(const learn::ModelManifest& manifest);

/// What to do with a model that was just trained: the command that puts it into use, or why none
/// does. `models` is the folder as --models named it; empty: it was not named.
std::string use_hint(const learn::ModelManifest& manifest, const std::string& id,
                     const std::string& models);

/// Puts a model into use: `kind` is `risk` or `demand`, or empty for what the model is. The id
/// `shipped` goes back to the model that comes with the program, and then the kind must be named.
[[nodiscard]] Result<std::string> use_model(Disk& disk, const ModelShelf& shelf,
                                            const std::string& id, const std::string& kind);

/// XGBoost's own file, as it was saved; several forests get a file each, their horizon behind the
/// name: `demand-60s.ubj`. Refuses a file that exists, and an ending that XGBoost
/// would read as the other format.
[[nodiscard]] Result<std::string> export_model(Disk& disk, const ModelShelf& shelf,
                                               const std::string& id, const std::string& file);

}  // namespace parley::app
