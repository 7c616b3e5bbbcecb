// App: a model that was just made in, its place on the shelf out.

#pragma once

#include "apps/shelf/model_places.h"
#include "base/file.h"
#include "learn/folder/model_folder.h"

#include <string>

namespace parley::app {

/// Where it will go, as models_folder() says; the folder may be written to, or can be made.
[[nodiscard]] Result<std::string> shelf_for_new(Disk& disk, const Environment& environment,
                                                const std::string& flag);

/// Signs it with the key of this machine, puts it into the folder, and gives its id.
[[nodiscard]] Result<std::string> put_on_shelf(Disk& disk, const Environment& environment,
                                               const std::string& folder,
                                               const learn::ModelManifest& manifest,
                                               const std::string& bytes);

}  // namespace parley::app
