#include "learn/folder/served_model.h"

#include "base/json_value.h"
#include "base/number.h"
#include "learn/folder/model_bytes.h"
#include "model/demand.h"

#include <algorithm>
#include <cstddef>
#include <utility>

// The files of the shipped models, embedded in the program.
#define PARLEY_SHIPPED(name, file)                   \
    asm(".section .rodata\n"                         \
        ".global parley_shipped_" #name              \
        "\n"                                         \
        ".global parley_shipped_" #name              \
        "_end\n"                                     \
        "parley_shipped_" #name                      \
        ":\n"                                        \
        ".incbin \"" PARLEY_BRAINS "/" file          \
        "\"\n"                                       \
        "parley_shipped_" #name                      \
        "_end:\n"                                    \
        ".text\n");                                  \
    extern "C" {                                     \
    extern const char parley_shipped_##name[];       \
    extern const char parley_shipped_##name##_end[]; \
    }

PARLEY_SHIPPED(risk_manifest, "risk/manifest.json")
PARLEY_SHIPPED(risk_trees, "risk/model.ubj")
PARLEY_SHIPPED(demand_manifest, "demand/manifest.json")
PARLEY_SHIPPED(demand_60s, "demand/model-60s.ubj")
PARLEY_SHIPPED(demand_300s, "demand/model-300s.ubj")
PARLEY_SHIPPED(demand_900s, "demand/model-900s.ubj")
PARLEY_SHIPPED(demand_3600s, "demand/model-3600s.ubj")

namespace parley::learn {
namespace {

std::string between(const char* begin, const char* end) {
    return std::string(begin, static_cast<std::size_t>(end - begin));
}

std::string folder_of(const std::string& run, const std::string& id) {
    return join(join(run, "models"), id);
}

struct Checked {
    ModelManifest manifest;
    std::vector<brain::Forest> forests;
};

/// Everything except the signature: digest, kind, features, trees.
Result<Checked> checked_model(const ModelFiles& files, const brain::FeatureList& expected,
                              brain::ModelKind kind) {
    auto manifest = parse_manifest(files.manifest);
    if (!manifest) return tl::unexpected(manifest.error());
    const std::string which = "model " + manifest->id;
    if (manifest->id != model_id(*manifest, files.trees)) {
        return fail(ErrorCode::malformed, which + " does not have the digest that its id is");
    }
    if (manifest->kind != kind) {
        return fail(ErrorCode::denied, which + " is one of " +
                                           std::string(enum_name(manifest->kind)) + ", not of " +
                                           std::string(enum_name(kind)));
    }
    if (auto fine = check_features(manifest->inputs, expected); !fine) {
        return within(which, fine.error());
    }
    auto forests = forests_of(*manifest, files.trees);
    if (!forests) return within(which, forests.error());
    return Checked{*std::move(manifest), *std::move(forests)};
}

}  // namespace

ModelFiles shipped_risk() {
    return {between(parley_shipped_risk_manifest, parley_shipped_risk_manifest_end),
            between(parley_shipped_risk_trees, parley_shipped_risk_trees_end)};
}

ModelFiles shipped_demand() {
    const std::vector<std::string> files = {
        between(parley_shipped_demand_60s, parley_shipped_demand_60s_end),
        between(parley_shipped_demand_300s, parley_shipped_demand_300s_end),
        between(parley_shipped_demand_900s, parley_shipped_demand_900s_end),
        between(parley_shipped_demand_3600s, parley_shipped_demand_3600s_end)};
    return {between(parley_shipped_demand_manifest, parley_shipped_demand_manifest_end),
            join_files(files)};
}

Result<ModelFiles> stored_files(Disk& disk, const std::string& folder, const Trust& trust) {
    auto stored = open_model(disk, folder, trust);
    if (!stored) return tl::unexpected(stored.error());
    auto manifest = read_file(disk, join(folder, "manifest.json"), kManifestBytesMax);
    if (!manifest) return tl::unexpected(manifest.error());
    return ModelFiles{*std::move(manifest), std::move(stored->bytes)};
}

Result<std::shared_ptr<const brain::Model>> model_of(const ModelFiles& files,
                                                     const brain::FeatureList& expected) {
    auto checked = checked_model(files, expected, brain::ModelKind::risk);
    if (!checked) return tl::unexpected(checked.error());
    brain::Forest& forest = checked->forests.front();
    brain::Paths paths = brain::paths_of(forest);
    return std::make_shared<const brain::Model>(
        brain::Model{facts_of(checked->manifest), std::move(forest), std::move(paths),
                     std::move(checked->manifest.calibration)});
}

Result<void> check_demand_horizons(const ModelManifest& manifest) {
    const auto served = [](double seconds, std::int64_t minutes) {
        return seconds == static_cast<double>(minutes) * 60.0;
    };
    if (manifest.forests.size() == model::kDemandHorizons &&
        std::ranges::equal(manifest.horizons_s, model::kDemandHorizonsMin, served)) {
        return {};
    }
    std::string minutes;
    for (const double horizon_s : manifest.horizons_s) {
        minutes += (minutes.empty() ? "" : ", ") + print_double(horizon_s / 60.0);
    }
    return fail(ErrorCode::denied,
                "it forecasts " + (minutes.empty() ? "no horizon" : minutes + " min") +
                    ", and demand is served at 1, 5, 15 and 60 min, each by a forest of its own; "
                    "train one with parley train demand --from or --simulate");
}

Result<std::shared_ptr<const brain::DemandModel>> demand_model_of(
    const ModelFiles& files, const brain::FeatureList& expected) {
    auto checked = checked_model(files, expected, brain::ModelKind::demand);
    if (!checked) return tl::unexpected(checked.error());
    const ModelManifest& manifest = checked->manifest;
    if (auto fine = check_demand_horizons(manifest); !fine) {
        return within("model " + manifest.id, fine.error());
    }
    brain::DemandModel model{facts_of(manifest), {}};
    for (std::size_t i = 0; i < manifest.forests.size(); ++i) {
        brain::Paths paths = brain::paths_of(checked->forests[i]);
        model.horizons.push_back({manifest.horizons_s[i], std::move(checked->forests[i]),
                                  std::move(paths), manifest.forests[i].errors});
    }
    return std::make_shared<const brain::DemandModel>(std::move(model));
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

Result<ModelFiles> kept_files(Disk& disk, const std::string& run, const std::string& id) {
    const std::string folder = folder_of(run, id);
    ModelFiles files;
    for (const auto& [name, into, most] :
         {std::tuple("manifest.json", &files.manifest, kManifestBytesMax),
          std::tuple("model", &files.trees, std::size_t{kJsonBytesMax})}) {
        auto bytes = read_file(disk, join(folder, name), most);
        if (!bytes) {
            return within("the model that this run was served by is needed", bytes.error());
        }
        *into = *std::move(bytes);
    }
    const auto manifest = parse_manifest(files.manifest);
    if (!manifest) return within(folder, manifest.error());
    if (manifest->id != id) {
        return fail(ErrorCode::malformed, folder + " holds the model " + manifest->id);
    }
    return files;
}

Result<std::shared_ptr<const brain::Model>> kept_model(Disk& disk, const std::string& run,
                                                       const std::string& id,
                                                       const brain::FeatureList& expected) {
    const auto files = kept_files(disk, run, id);
    if (!files) return tl::unexpected(files.error());
    return model_of(*files, expected);
}

Result<std::shared_ptr<const brain::DemandModel>> kept_demand(Disk& disk, const std::string& run,
                                                              const std::string& id,
                                                              const brain::FeatureList& expected) {
    const auto files = kept_files(disk, run, id);
    if (!files) return tl::unexpected(files.error());
    return demand_model_of(*files, expected);
}

}  // namespace parley::learn
