#include "apps/shelf/model_text.h"

#include "base/number.h"
#include "learn/folder/model_key.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::app {
namespace {

using learn::ModelManifest;

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string line(const char* name, const std::string& value) {
    return padded(name, 14) + value + "\n";
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::string figure(double value) { return fixed(value, 4); }

std::string seeds_of(const ModelManifest& manifest) {
    std::vector<std::string> ranges;
    for (const learn::SeedRange& range : manifest.seeds) {
        ranges.push_back(std::to_string(range.from) + " to " + std::to_string(range.to));
    }
    return ranges.empty() ? "none" : joined(ranges);
}

std::string horizons_of(const ModelManifest& manifest) {
    std::vector<std::string> minutes;
    for (const double seconds : manifest.horizons_s) {
        minutes.push_back(print_double(seconds / 60) + " min");
    }
    return joined(minutes) + ", from " + print_double(manifest.gap_s / 60) + " min on";
}

std::string metrics_of(const ModelManifest& manifest) {
    std::string out;
    for (const learn::ModelMetric& metric : manifest.metrics) {
        out += "  " + padded(metric.name, 24) + figure(metric.value);
        if (std::isfinite(metric.low) && std::isfinite(metric.high)) {
            out += "  (" + figure(metric.low) + " to " + figure(metric.high) + ")";
        }
        out += "\n";
    }
    return out.empty() ? "" : "Figures at the natural base rate (95 % interval)\n" + out;
}

std::string reliability_of(const ModelManifest& manifest) {
    if (manifest.reliability.empty()) return "";
    std::string out = "Reliability\n  predicted  observed  rows\n";
    for (const learn::ReliabilityBin& bin : manifest.reliability) {
        out += "  " + padded(figure(bin.predicted), 11) + padded(figure(bin.observed), 10) +
               thousands(std::llround(bin.rows)) + "\n";
    }
    return out;
}

/// The quality of each forest; empty if there is only one.
std::string forests_of(const ModelManifest& manifest) {
    if (manifest.forests.empty()) return "";
    std::string out = "Forests\n  horizon    best on rows that trained nothing    9 of 10 within\n";
    for (const learn::HorizonForest& forest : manifest.forests) {
        const std::size_t place = forest.errors.size() * 9 / 10;
        out += "  " + padded(print_double(forest.horizon_s / 60) + " min", 11) +
               padded(forest.serves, 36) +
               fixed(forest.errors[std::min(place, forest.errors.size() - 1)], 2) + " scales\n";
    }
    return out;
}

std::string features_of(const ModelManifest& manifest) {
    std::string out = "Features, version " + std::to_string(manifest.inputs.version) + "\n";
    for (const brain::Feature& feature : manifest.inputs.features) {
        out += "  " + padded(feature.name, 32) + feature.unit + "\n";
    }
    return out;
}

double metric_of(const ModelManifest& manifest, const std::string& name) {
    const auto found = std::ranges::find(manifest.metrics, name, &learn::ModelMetric::name);
    return found == manifest.metrics.end() ? std::numeric_limits<double>::quiet_NaN()
                                           : found->value;
}

/// Features of `a` that `b` does not have.
std::vector<std::string> only_in(const ModelManifest& a, const ModelManifest& b) {
    std::vector<std::string> out;
    for (const brain::Feature& feature : a.inputs.features) {
        const auto found =
            std::ranges::find(b.inputs.features, feature.name, &brain::Feature::name);
        if (found == b.inputs.features.end()) out.push_back(feature.name);
    }
    return out;
}

}  // namespace

ListedModel listed(const ModelManifest& manifest, const ModelPlace& place) {
    return {.id = manifest.id,
            .kind = std::string(enum_name(manifest.kind)),
            .trained = manifest.trained,
            .provenance = manifest.provenance,
            .calibration = manifest.forests.empty()
                               ? std::string(enum_name(manifest.calibration.kind))
                               : "intervals",
            .features = manifest.inputs.features.size(),
            .in_use = place.in_use,
            .shipped = place.shipped,
            .problem = place.refused};
}

ModelComparison compare(const ModelManifest& a, const ModelManifest& b) {
    ModelComparison out{.a = a.id,
                        .b = b.id,
                        .only_a = only_in(a, b),
                        .only_b = only_in(b, a),
                        .same_order = a.inputs.features == b.inputs.features,
                        .same_data = a.data_fingerprint == b.data_fingerprint};
    for (const brain::Feature& feature : a.inputs.features) {
        const auto other =
            std::ranges::find(b.inputs.features, feature.name, &brain::Feature::name);
        if (other != b.inputs.features.end() && other->unit != feature.unit) {
            out.other_unit.push_back(feature.name);
        }
    }
    for (const learn::ModelMetric& metric : a.metrics) {
        out.metrics.push_back({metric.name, metric.value, metric_of(b, metric.name)});
    }
    for (const learn::ModelMetric& metric : b.metrics) {
        if (!std::isnan(metric_of(a, metric.name))) continue;
        const auto known =
            std::ranges::find(out.metrics, metric.name, &ComparedMetric::name) != out.metrics.end();
        if (!known) out.metrics.push_back({metric.name, metric_of(a, metric.name), metric.value});
    }
    return out;
}

std::string text_of(const std::vector<ListedModel>& models) {
    std::vector<std::vector<std::string>> rows = {
        {"ID", "TRAINED", "CALIBRATION", "FEATURES", "ON"}};
    for (const ListedModel& each : models) {
        if (!each.problem.empty()) {
            rows.push_back({each.id, "refused: " + each.problem});
            continue;
        }
        // To the second, which is enough to distinguish two trainings.
        const std::string trained = each.trained.substr(0, each.trained.find_first_of(".Z")) + "Z";
        rows.push_back({each.id, trained, each.calibration, std::to_string(each.features),
                        (each.shipped ? "ships with parley; " : "") + each.provenance});
    }
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows) {
        // A reason takes the place of the other columns.
        const std::size_t aligned = row.size() == widths.size() ? row.size() : 1;
        for (std::size_t c = 0; c < aligned; ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string out;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string text = r > 0 && models[r - 1].in_use ? "* " : "  ";
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            const bool last = c + 1 == rows[r].size();
            text += last ? rows[r][c] : padded(rows[r][c], widths[c] + 2);
        }
        out += text + "\n";
    }
    const auto refused = [](const ListedModel& each) {
        return each.in_use && !each.problem.empty();
    };
    if (std::ranges::any_of(models, refused)) {
        return out + "* is in use; while it is refused, the one that ships serves.\n";
    }
    return out + "* is in use.\n";
}

std::string text_of(const ModelManifest& manifest, const ModelPlace& place) {
    std::string out = line("id", manifest.id + (place.shipped ? ", ships with parley" : "") +
                                     (place.in_use ? ", in use" : ""));
    if (!place.refused.empty()) {
        out += line("refused", place.refused + (place.in_use ? "; the one that ships serves" : ""));
    }
    out += line("kind", std::string(enum_name(manifest.kind)));
    out += line("forecasts", horizons_of(manifest));
    out += line("trained", manifest.trained);
    out += line("on", manifest.provenance);
    out += line("data", manifest.data_fingerprint);
    out += line("seeds", seeds_of(manifest));
    if (manifest.kind == brain::ModelKind::risk) {
        out += line("calibration",
                    std::string(enum_name(manifest.calibration.kind)) +
                        (manifest.calibration.id.empty() ? "" : ", " + manifest.calibration.id));
    }
    out += line("signed by", learn::key_id_of(manifest.key));
    std::vector<std::string> parameters;
    for (const learn::ModelParameter& each : manifest.parameters) {
        parameters.push_back(each.name + " " + each.value);
    }
    parameters.push_back("threads " + std::to_string(manifest.threads));
    parameters.push_back("seed " + std::to_string(manifest.seed));
    out += line("XGBoost", manifest.xgboost + ": " + joined(parameters));
    return out + metrics_of(manifest) + forests_of(manifest) + reliability_of(manifest) +
           features_of(manifest);
}

std::string text_of(const ModelComparison& comparison) {
    std::string out = padded("", 26) + padded(comparison.a, 20) + comparison.b + "\n";
    for (const ComparedMetric& metric : comparison.metrics) {
        out += padded(metric.name, 26) + padded(figure(metric.a), 20) + figure(metric.b) + "\n";
    }
    if (comparison.same_order) {
        out += "Their features are the same.\n";
    } else {
        const auto say = [&](const std::vector<std::string>& names, const std::string& what) {
            if (!names.empty()) out += what + ": " + joined(names) + "\n";
        };
        say(comparison.only_a, "Only " + comparison.a + " wants");
        say(comparison.only_b, "Only " + comparison.b + " wants");
        say(comparison.other_unit, "In another unit");
        if (comparison.only_a.empty() && comparison.only_b.empty() &&
            comparison.other_unit.empty()) {
            out += "Their features are the same in another order.\n";
        }
    }
    if (!comparison.same_data) {
        out += "They were judged on different data: the figures are not of the same rows.\n";
    }
    return out;
}

}  // namespace parley::app
