#include "learn/folder/model_manifest.h"

#include "base/described_json.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/time_text.h"

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

Result<void> check_probe_count(const std::vector<Probe>& probes) {
    if (probes.size() == kProbeRows) return {};
    return refuse("it has " + std::to_string(probes.size()) + " probe rows, not " +
                  std::to_string(kProbeRows));
}

/// A list of |errors|: from 0 on, not falling.
bool is_rising(const std::vector<double>& errors) {
    const auto fine = [](double error) { return std::isfinite(error) && error >= 0; };
    return errors.size() >= 2 && std::ranges::all_of(errors, fine) &&
           std::ranges::is_sorted(errors);
}

Result<void> check_forests(const ModelManifest& manifest) {
    const auto& forests = manifest.forests;
    if (forests.empty() || forests.size() > kForestsMax) {
        return refuse("forests must hold 1 to " + std::to_string(kForestsMax));
    }
    if (manifest.kind != brain::ModelKind::demand) {
        return refuse("several forests are a model of demand, and it says that it is one of risk");
    }
    for (std::size_t i = 0; i < forests.size(); ++i) {
        const std::string where = "forests[" + std::to_string(i) + "]";
        const bool fits = i < manifest.horizons_s.size() &&
                          forests[i].horizon_s == manifest.horizons_s[i] &&
                          (i == 0 || forests[i].horizon_s > forests[i - 1].horizon_s);
        if (!fits || forests.size() != manifest.horizons_s.size()) {
            return refuse(where + ".horizon_s is not that of horizons_s, the nearest first");
        }
        if (auto fine = check_probe_count(forests[i].probes); !fine) {
            return within(where, fine.error());
        }
        if (!is_rising(forests[i].errors)) {
            return refuse(where + ".errors must be at least two, from 0 on and rising");
        }
    }
    if (manifest.model_file.empty() && manifest.probes.empty()) return {};
    return refuse("model_file and probes must be empty where there are several forests");
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
    if (manifest.format == kSeveralFormat) return check_forests(manifest);
    return check_probe_count(manifest.probes);
}

/// Members of format 1, and the list that format 2 has beside them.
Result<void> read_members(Json document, ModelManifest& manifest) {
    auto* members = std::get_if<JsonMembers>(&document.content);
    if (members == nullptr) return refuse("it is no object");
    const auto name = std::ranges::find(members->names, "forests");
    const bool several = name != members->names.end();
    if (several) {
        const auto place = name - members->names.begin();
        auto read = read_json(members->values[static_cast<std::size_t>(place)], manifest.forests,
                              "forests");
        if (!read) return read;
        members->names.erase(name);
        members->values.erase(members->values.begin() + place);
    }
    if (auto read = read_json(document, manifest, ""); !read) return read;
    if ((manifest.format == kSeveralFormat) == several) return {};
    return refuse(several ? "there is no member \"forests\"" : "forests is missing");
}

}  // namespace

Result<ModelManifest> parse_manifest(std::string_view bytes) {
    if (bytes.size() > kManifestBytesMax) return refuse("it is larger than 4 MiB");
    auto document = parse_json(bytes);
    if (!document) return tl::unexpected(document.error());
    const Json* format = document->find("format");
    if (format == nullptr || format->number() == nullptr) {
        return refuse("it has no format; is it the manifest of a model?");
    }
    if (*format->number() != kManifestFormat && *format->number() != kSeveralFormat) {
        return refuse("it has format " + print_double(*format->number()) +
                      ", and this program reads formats " + std::to_string(kManifestFormat) +
                      " and " + std::to_string(kSeveralFormat) +
                      "; use a newer program or train it again");
    }
    ModelManifest manifest;
    if (auto read = read_members(*std::move(document), manifest); !read) {
        return tl::unexpected(read.error());
    }
    if (auto fine = check_manifest(manifest); !fine) return tl::unexpected(fine.error());
    return manifest;
}

std::string print_manifest(const ModelManifest& manifest) {
    std::string text = to_json(manifest);
    if (manifest.format == kManifestFormat) return text;
    text.pop_back();
    return text + ",\"forests\":" + to_json(manifest.forests) + "}";
}

std::string model_id(ModelManifest manifest, std::string_view model_bytes) {
    manifest.id.clear();
    Sha256 digest;
    digest.update(print_manifest(manifest)).update("\n").update(model_bytes);
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

Result<void> check_trees(const ModelManifest& manifest, const brain::Forest& forest,
                         std::size_t which) {
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
    const auto& probes =
        manifest.forests.empty() ? manifest.probes : manifest.forests.at(which).probes;
    std::vector<float> row(forest.features());
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const Probe& probe = probes[i];
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
