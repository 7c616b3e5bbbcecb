// App: puts a new model on the shelf.

#pragma once

#include "apps/shelf/model_places.h"
#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <string>

namespace parley::app {

/// Where it will go, as models_folder() says; checks that it can be written there.
[[nodiscard]] Result<std::string> shelf_for_new(Disk& disk, const Environment& environment,
                                                const std::string& flag);

/// Signs it with the key of this machine, writes it to the folder, and returns its id.
[[nodiscard]] Result<std::string> put_on_shelf(Disk& disk, const Environment& environment,
                                               const std::string& folder,
                                               const learn::ModelManifest& manifest,
                                               const std::string& bytes);

}  // namespace parley::app
