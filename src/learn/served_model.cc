#include "learn/served_model.h"

#include "brain/document.h"
#include "brain/xgboost_file.h"

#include <cstddef>
#include <utility>

// The files of the shipped model, put into the program as they are.
asm(R"(
    .section .rodata
    .global parley_shipped_risk_manifest
    .global parley_shipped_risk_manifest_end
    .global parley_shipped_risk_trees
    .global parley_shipped_risk_trees_end
parley_shipped_risk_manifest:
    .incbin ")" PARLEY_BRAINS R"(/risk/manifest.json"
parley_shipped_risk_manifest_end:
parley_shipped_risk_trees:
    .incbin ")" PARLEY_BRAINS R"(/risk/model.ubj"
parley_shipped_risk_trees_end:
    .text
)");

extern "C" {
extern const char parley_shipped_risk_manifest[];
extern const char parley_shipped_risk_manifest_end[];
extern const char parley_shipped_risk_trees[];
extern const char parley_shipped_risk_trees_end[];
}

namespace parley::learn {
namespace {

std::string between(const char* begin, const char* end) {
    return std::string(begin, static_cast<std::size_t>(end - begin));
}

std::string folder_of(const std::string& run, const std::string& id) {
    return join(join(run, "models"), id);
}

}  // namespace

ModelFiles shipped_risk() {
    return {between(parley_shipped_risk_manifest, parley_shipped_risk_manifest_end),
            between(parley_shipped_risk_trees, parley_shipped_risk_trees_end)};
}

Result<std::shared_ptr<const brain::Model>> model_of(const ModelFiles& files,
                                                     const brain::FeatureList& expected) {
    auto manifest = parse_manifest(files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    if (manifest->id != model_id(*manifest, files.trees)) {
        return fail(ErrorCode::malformed,
                    "model " + manifest->id + " does not have the digest that its id is");
    }
    if (auto fine = check_features(manifest->inputs, expected); !fine) {
        return within("model " + manifest->id, fine.error());
    }
    auto trees = brain::read_xgboost(files.trees);
    if (!trees) return within("model " + manifest->id, trees.error());
    if (auto fine = check_trees(*manifest, trees->forest); !fine) {
        return within("model " + manifest->id, fine.error());
    }
    brain::Paths paths = brain::paths_of(trees->forest);
    return std::make_shared<const brain::Model>(
        brain::Model{facts_of(*manifest), std::move(trees->forest), std::move(paths),
                     std::move(manifest->calibration)});
}

Result<void> keep_model(Disk& disk, const std::string& run, const std::string& id,
                        const ModelFiles& files) {
    const std::string folder = folder_of(run, id);
    const auto there = disk.exists(join(folder, "manifest.json"));
    if (!there) return tl::unexpected(there.error());
    if (*there) return {};
    if (auto made = make_directories(disk, folder); !made) return made;
    auto kept = write_file_atomically(disk, join(folder, "model"), files.trees);
    if (!kept) return kept;
    return write_file_atomically(disk, join(folder, "manifest.json"), files.manifest);
}

Result<std::shared_ptr<const brain::Model>> kept_model(Disk& disk, const std::string& run,
                                                       const std::string& id,
                                                       const brain::FeatureList& expected) {
    const std::string folder = folder_of(run, id);
    ModelFiles files;
    for (const auto& [name, into, most] :
         {std::tuple("manifest.json", &files.manifest, kManifestBytesMax),
          std::tuple("model", &files.trees, std::size_t{brain::kDocumentBytesMax})}) {
        auto bytes = read_file(disk, join(folder, name), most);
        if (!bytes) {
            return within("the model that this run was served by is needed", bytes.error());
        }
        *into = *std::move(bytes);
    }
    auto model = model_of(files, expected);
    if (model && (*model)->facts.id != id) {
        return fail(ErrorCode::malformed, folder + " holds the model " + (*model)->facts.id);
    }
    return model;
}

}  // namespace parley::learn
