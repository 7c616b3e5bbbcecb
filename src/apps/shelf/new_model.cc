#include "apps/shelf/new_model.h"

#include "apps/terminal/output_file.h"

namespace parley::app {

Result<std::string> shelf_for_new(Disk& disk, const Environment& environment,
                                  const std::string& flag) {
    auto models = models_folder(disk, flag, environment);
    if (!models) return models;
    if (auto fine = check_output_folder(*models); !fine) return tl::unexpected(fine.error());
    return models;
}

Result<std::string> put_on_shelf(Disk& disk, const Environment& environment,
                                 const std::string& folder, const learn::ModelManifest& manifest,
                                 const std::string& bytes) {
    const auto key = signing_key(disk, environment);
    if (!key) return tl::unexpected(key.error());
    return learn::save_model(disk, folder, manifest, bytes, *key);
}

}  // namespace parley::app
