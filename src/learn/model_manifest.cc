#include "learn/model_manifest.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/number.h"
#include "base/time_text.h"
#include "learn/described_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::learn {
namespace {

tl::unexpected<Error> refuse(std::string what) {
    return fail(ErrorCode::malformed, std::move(what));
}

std::string unit_of(const brain::Feature& feature) {
    return in_quotes(feature.name) + " in " + in_quotes(feature.unit);
}

Result<void> check_inputs(const brain::FeatureList& inputs) {
    if (inputs.features.empty() || inputs.features.size() > brain::kFeaturesMax) {
        return refuse("inputs.features must hold 1 to 4096 features");
    }
    std::vector<std::string> names;
    for (const brain::Feature& feature : inputs.features) {
        if (feature.name.empty() || feature.unit.empty()) {
            return refuse("a feature has no name or no unit");
        }
        names.push_back(feature.name);
    }
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) return refuse("the feature " + in_quotes(*twice) + " stands twice");
    return {};
}

Result<void> check_manifest(const ModelManifest& manifest) {
    if (auto fine = check_inputs(manifest.inputs); !fine) return fine;
    if (auto fine = brain::check(manifest.calibration); !fine) return fine;
    if (const auto time = parse_time(manifest.trained); !time) {
        return within("trained", time.error());
    }
    const auto later = [](double seconds) { return std::isfinite(seconds) && seconds > 0; };
    if (manifest.horizons_s.empty() || !std::ranges::all_of(manifest.horizons_s, later)) {
        return refuse("horizons_s must be seconds above 0");
    }
    if (!(std::isfinite(manifest.gap_s) && manifest.gap_s >= 0)) {
        return refuse("gap_s must be seconds from 0 on");
    }
    if (manifest.probes.size() != kProbeRows) {
        return refuse("it has " + std::to_string(manifest.probes.size()) + " probe rows, not " +
                      std::to_string(kProbeRows));
    }
    return {};
}

}  // namespace

Result<ModelManifest> parse_manifest(std::string_view bytes) {
    if (bytes.size() > kManifestBytesMax) return refuse("it is larger than 4 MiB");
    const auto document = brain::parse_json(bytes);
    if (!document) return tl::unexpected(document.error());
    const brain::Value* format = document->find("format");
    if (format == nullptr || format->number() == nullptr) {
        return refuse("it has no format; is it the manifest of a model?");
    }
    if (*format->number() != kManifestFormat) {
        return refuse("it has format " + print_double(*format->number()) +
                      ", and this program reads format " + std::to_string(kManifestFormat) +
                      "; use a newer program or train it again");
    }
    ModelManifest manifest;
    if (auto read = read_json(*document, manifest, ""); !read) return tl::unexpected(read.error());
    if (auto fine = check_manifest(manifest); !fine) return tl::unexpected(fine.error());
    return manifest;
}

std::string model_id(ModelManifest manifest, std::string_view model_bytes) {
    manifest.id.clear();
    Sha256 digest;
    digest.update(to_json(manifest)).update("\n").update(model_bytes);
    return std::string(enum_name(manifest.kind)) + "-" + hex(digest.finish()).substr(0, 12);
}

Result<void> check_features(const brain::FeatureList& has, const brain::FeatureList& expected) {
    if (has.version != expected.version) {
        return refuse("it was trained with features of version " + std::to_string(has.version) +
                      ", and version " + std::to_string(expected.version) +
                      " is made here; train it again");
    }
    const auto place = [](const brain::FeatureList& list, const std::string& name) {
        return std::ranges::find(list.features, name, &brain::Feature::name);
    };
    for (const brain::Feature& feature : expected.features) {
        if (place(has, feature.name) == has.features.end()) {
            return refuse("it does not know the feature " + in_quotes(feature.name) +
                          ", which is made here; train it again");
        }
    }
    for (const brain::Feature& feature : has.features) {
        if (place(expected, feature.name) == expected.features.end()) {
            return refuse("it wants the feature " + in_quotes(feature.name) +
                          ", which is not made here");
        }
    }
    for (std::size_t i = 0; i < has.features.size(); ++i) {
        const brain::Feature& mine = has.features[i];
        const brain::Feature& theirs = expected.features[i];
        if (mine == theirs) continue;
        return refuse("its feature " + std::to_string(i) + " is " + unit_of(mine) +
                      ", and here it is " + unit_of(theirs) + "; train it again");
    }
    return {};
}

Result<void> check_trees(const ModelManifest& manifest, const brain::Forest& forest) {
    if (forest.features() != manifest.inputs.features.size()) {
        return refuse("its trees have " + std::to_string(forest.features()) +
                      " features and its manifest " +
                      std::to_string(manifest.inputs.features.size()));
    }
    const bool risk = manifest.kind == brain::ModelKind::risk;
    if (risk != (forest.objective() == brain::Objective::logistic)) {
        return refuse(risk ? "its trees give no log-odds, as a risk needs"
                           : "its trees give log-odds, and a demand needs a value");
    }
    std::vector<float> row(forest.features());
    for (std::size_t i = 0; i < manifest.probes.size(); ++i) {
        const Probe& probe = manifest.probes[i];
        if (probe.row.size() != row.size()) {
            return refuse("probe row " + std::to_string(i) + " has " +
                          std::to_string(probe.row.size()) + " values for " +
                          std::to_string(row.size()) + " features");
        }
        const auto too_large = [](double value) {
            return std::isfinite(value) &&
                   std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max());
        };
        if (std::ranges::any_of(probe.row, too_large)) {
            return refuse("probe row " + std::to_string(i) + " holds more than a float can");
        }
        std::ranges::transform(probe.row, row.begin(),
                               [](double value) { return static_cast<float>(value); });
        const double margin = brain::margin(forest, row);
        const double difference = std::fabs(margin - probe.margin);
        const bool same = difference <= 1e-6 * std::max(1.0, std::fabs(probe.margin));
        if (!same) {
            return refuse("probe row " + std::to_string(i) + " gives " + print_double(margin) +
                          " where " + print_double(probe.margin) +
                          " is expected, a difference of " + print_double(difference));
        }
    }
    return {};
}

brain::ModelFacts facts_of(const ModelManifest& manifest) {
    return {.id = manifest.id,
            .kind = manifest.kind,
            .provenance = manifest.provenance,
            .trained = manifest.trained,
            .inputs = manifest.inputs,
            .gap_s = manifest.gap_s,
            .horizons_s = manifest.horizons_s};
}

}  // namespace parley::learn
