#include "apps/shelf/model_import.h"

#include "apps/shelf/feature_list.h"
#include "base/clock.h"
#include "base/described_json.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/random.h"
#include "base/time_text.h"
#include "brain/xgboost_file.h"
#include "layers/prediction/node_features.h"
#include "learn/folder/xgboost_remap.h"

#include <algorithm>
#include <limits>
#include <set>

namespace parley::app {
namespace {

constexpr std::size_t kNamesSaid = 3;

/// What is at the path: the trees, and what `parley train` writes beside them.
struct Found {
    std::string bytes;
    std::vector<std::string> names;  ///< Of its features, if the trees do not have them.
    brain::Calibration calibration;
};

template <class T>
Result<void> read_beside(Disk& disk, const std::string& path, T& into) {
    const auto there = disk.exists(path);
    if (!there) return tl::unexpected(there.error());
    if (!*there) return {};
    const auto text = read_file(disk, path, learn::kManifestBytesMax);
    if (!text) return tl::unexpected(text.error());
    const auto document = parse_json(*text);
    if (!document) return within(path, document.error());
    if (auto read = read_json(*document, into, ""); !read) return within(path, read.error());
    return {};
}

Result<Found> found_at(Disk& disk, const std::string& path) {
    Found found;
    const auto inside = disk.list(path);  // Fails if it is a file.
    const std::string file = inside ? join(path, "model.ubj") : path;
    if (inside && std::ranges::count(*inside, "model.ubj") == 0 &&
        std::ranges::count(*inside, "model-1.ubj") > 0) {
        return fail(ErrorCode::denied,
                    path +
                        " holds forests of demand that were trained on somebody's series, in "
                        "steps of these; nodes and workloads are forecast in minutes of their "
                        "own: parley train demand --from RUN makes a model of them");
    }
    auto bytes = read_file(disk, file, kJsonBytesMax);
    if (!bytes) return tl::unexpected(bytes.error());
    found.bytes = *std::move(bytes);
    if (!inside) return found;
    std::vector<brain::Feature> features;
    if (auto read = read_beside(disk, join(path, "features.json"), features); !read)
        return tl::unexpected(read.error());
    for (const brain::Feature& each : features) found.names.push_back(each.name);
    if (auto read = read_beside(disk, join(path, "calibration.json"), found.calibration); !read)
        return tl::unexpected(read.error());
    return found;
}

/// The names of its features, or their numbers if it has none.
std::vector<std::string> names_of(const brain::Forest& forest, const Found& found) {
    std::vector<std::string> names = forest.trees().feature_names;
    if (names.size() != forest.features()) names = found.names;
    if (names.size() == forest.features()) return names;
    names.clear();
    for (std::size_t i = 0; i < forest.features(); ++i) names.push_back(std::to_string(i));
    return names;
}

/// "smart_5, smart_10, smart_12 and 19 more".
std::string some_of(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesSaid); ++i)
        out += (out.empty() ? "" : ", ") + names[i];
    if (names.size() > kNamesSaid)
        out += " and " + std::to_string(names.size() - kNamesSaid) + " more";
    return out;
}

std::set<std::uint32_t> asked_for(const brain::Trees& trees) {
    std::set<std::uint32_t> asked;
    for (std::size_t node = 0; node < trees.left.size(); ++node) {
        if (trees.left[node] != 0) asked.insert(trees.feature[node]);
    }
    return asked;
}

/// The source of each feature of the model; features that no split uses may have any.
Result<std::vector<learn::FeatureSource>> sources_of(const ModelImport& import,
                                                     const std::vector<std::string>& names,
                                                     const std::set<std::uint32_t>& asked,
                                                     std::span<const ListedFeature> listed) {
    std::vector<learn::FeatureSource> sources(names.size());
    std::vector<bool> said(names.size());
    for (const ListedFeature& each : listed) {
        const auto at = std::ranges::find(names, each.feature);
        if (at == names.end()) {
            return fail(ErrorCode::denied, import.features + ":" + std::to_string(each.line) +
                                               ": the model has no feature " +
                                               in_quotes(each.feature) + "; it has " +
                                               some_of(names));
        }
        const auto place = static_cast<std::size_t>(at - names.begin());
        sources[place] = {static_cast<std::uint32_t>(each.place),
                          static_cast<float>(1.0 / each.to_ours)};
        said[place] = true;
    }
    for (const std::uint32_t feature : asked) {
        if (said[feature]) continue;
        return fail(ErrorCode::denied, import.features + " does not say which node feature " +
                                           in_quotes(names[feature]) +
                                           " is, and the model asks for it; add a line for it");
    }
    return sources;
}

/// Rows around the thresholds of the trees, with the margins that the file itself gives.
std::vector<learn::Probe> probes_of(const brain::Forest& theirs,
                                    const std::vector<learn::FeatureSource>& sources,
                                    std::size_t features) {
    const brain::Trees& trees = theirs.trees();
    std::vector<std::vector<float>> thresholds(features);
    for (std::size_t node = 0; node < trees.left.size(); ++node) {
        if (trees.left[node] == 0) continue;
        const learn::FeatureSource& source = sources[trees.feature[node]];
        thresholds[source.place].push_back(
            learn::threshold_before(trees.threshold[node], source.times));
    }
    std::vector<learn::Probe> probes;
    for (std::uint64_t i = 0; i < learn::kProbeRows; ++i) {
        learn::Probe probe;
        for (std::size_t k = 0; k < features; ++k) {
            const auto& at = thresholds[k];
            const double share = random::uniform01(draw(i, Stream::noise, k, 0));
            const double pick = random::uniform01(draw(i, Stream::noise, k, 1));
            float value = static_cast<float>(share);
            if (!at.empty()) {
                value = at[static_cast<std::size_t>(pick * static_cast<double>(at.size()))];
                // Below a threshold, at it, or above it.
                if (share < 0.5) value = static_cast<float>(value * 2 * share);
            }
            if (share > 0.9) value = std::numeric_limits<float>::quiet_NaN();
            probe.row.push_back(value);
        }
        std::vector<float> row;
        for (const learn::FeatureSource& source : sources)
            row.push_back(static_cast<float>(probe.row[source.place]) * source.times);
        probe.margin = brain::margin(theirs, row);
        probes.push_back(std::move(probe));
    }
    return probes;
}

Result<void> check_list(const ModelImport& import, const std::vector<std::string>& names) {
    if (!import.features.empty()) return {};
    return fail(
        ErrorCode::denied,
        import.path + " forecasts from " + some_of(names) +
            ", and nothing says which features of a node these are: drives, tasks and other "
            "tables have what nodes have not; where they are the same, say so with "
            "--features LIST");
}

brain::Calibration calibration_of(const ModelImport& import, const Found& found) {
    brain::Calibration calibration = found.calibration;
    if (import.calibrated && calibration.kind == brain::CalibrationKind::none) {
        calibration.kind = brain::CalibrationKind::intercept;
        calibration.id = hex(sha256(to_json(calibration))).substr(0, 16);
    }
    return calibration;
}

}  // namespace

Result<std::string> import_model(Disk& disk, const std::string& models,
                                 const learn::SigningKey& key, const ModelImport& import) {
    const auto found = found_at(disk, import.path);
    if (!found) return tl::unexpected(found.error());
    const auto model = brain::read_xgboost(found->bytes);
    if (!model) return within(import.path, model.error());
    if (model->forest.objective() != brain::Objective::logistic) {
        return fail(ErrorCode::denied, import.path +
                                           ": it gives a value, not log-odds; only a risk can be "
                                           "taken from elsewhere, as demand is served by forests "
                                           "of four horizons, which parley train demand makes");
    }
    const std::vector<std::string> names = names_of(model->forest, *found);
    if (auto fine = check_list(import, names); !fine) return tl::unexpected(fine.error());
    const brain::FeatureList ours = prediction::wanted_features();
    const auto listed = read_feature_list(disk, import.features, ours);
    if (!listed) return tl::unexpected(listed.error());
    const auto sources = sources_of(import, names, asked_for(model->forest.trees()), *listed);
    if (!sources) return tl::unexpected(sources.error());
    std::vector<std::string> our_names;
    for (const brain::Feature& each : ours.features) our_names.push_back(each.name);
    const auto bytes = learn::remap_xgboost(found->bytes, *sources, our_names);
    if (!bytes) return within(import.path, bytes.error());
    learn::ModelManifest manifest{
        .kind = brain::ModelKind::risk,
        .trained = print_time(wall_now()),
        .provenance = "from elsewhere: " + for_terminal(import.path) + ", features by " +
                      for_terminal(import.features),
        .data_fingerprint = hex(sha256(found->bytes)),
        .inputs = ours,
        .gap_s = in_seconds(import.gap),
        .horizons_s = {in_seconds(import.horizon)},
        .calibration = calibration_of(import, *found),
        .xgboost = model->version,
        .probes = probes_of(model->forest, *sources, ours.features.size())};
    return learn::save_model(disk, models, std::move(manifest), *bytes, key);
}

}  // namespace parley::app
