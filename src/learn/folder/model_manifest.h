// Learn: what is stored beside a model's trees: what it is, what it was made from, how good it is.

#pragma once

#include "brain/model.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::learn {

/// Version of the manifest's form. A folder with a higher one was written by a newer program. A
/// single forest keeps format 1, so that ids do not change; several have format 2.
inline constexpr std::uint32_t kManifestFormat = 1;
inline constexpr std::uint32_t kSeveralFormat = 2;
inline constexpr std::size_t kForestsMax = 16;
inline constexpr std::size_t kProbeRows = 64;
inline constexpr std::size_t kManifestBytesMax = std::size_t{4} << 20;

struct SeedRange {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  ///< Inclusive.
    friend bool operator==(const SeedRange&, const SeedRange&) = default;
};
BOOST_DESCRIBE_STRUCT(SeedRange, (), (from, to))

/// A figure of the test slice at the natural base rate.
struct ModelMetric {
    std::string name;  ///< Such as `auc` or `log_loss_skill`.
    double value = 0;
    double low = 0;  ///< Of its 95 % interval; NaN if there is none.
    double high = 0;
};
BOOST_DESCRIBE_STRUCT(ModelMetric, (), (name, value, low, high))

/// A bin of the reliability curve.
struct ReliabilityBin {
    double predicted = 0;
    double observed = 0;
    double rows = 0;  ///< By weight.
};
BOOST_DESCRIBE_STRUCT(ReliabilityBin, (), (predicted, observed, rows))

struct ModelParameter {
    std::string name;
    std::string value;
};
BOOST_DESCRIBE_STRUCT(ModelParameter, (), (name, value))

/// A row and the margin that the trainer's library gave for it.
struct Probe {
    std::vector<double> row;  ///< NaN is missing.
    double margin = 0;
};
BOOST_DESCRIBE_STRUCT(Probe, (), (row, margin))

/// One of several forests: what it forecasts, where it is, and how to verify it.
struct HorizonForest {
    double horizon_s = 0;
    std::string file;    ///< Set by save_model: such as `model-300s.ubj`.
    std::string serves;  ///< What did best on rows not used for training: `model`, or a baseline.
    /// |error| over scale on those rows, sorted, as evenly spaced quantiles.
    std::vector<double> errors;
    std::vector<Probe> probes;
};
BOOST_DESCRIBE_STRUCT(HorizonForest, (), (horizon_s, file, serves, errors, probes))

struct ModelManifest {
    std::uint32_t format = kManifestFormat;
    std::string id;  ///< Set by save_model: a digest of all the rest and of the trees.
    brain::ModelKind kind = brain::ModelKind::risk;
    std::string trained;           ///< When, as RFC 3339.
    std::string provenance;        ///< On what, such as "simulated".
    std::string data_fingerprint;  ///< Of the rows.
    std::vector<SeedRange>
        seeds;  ///< Of the simulated runs it learned from; `compare` wants others.
    brain::FeatureList inputs;
    double gap_s = 0;
    std::vector<double> horizons_s;
    brain::Calibration calibration;
    std::vector<ModelMetric> metrics;
    std::vector<ReliabilityBin> reliability;
    std::string xgboost;  ///< Version of the library.
    std::vector<ModelParameter> parameters;
    std::uint32_t threads = 1;
    std::uint64_t seed = 0;
    std::vector<Probe> probes;
    std::string model_file;  ///< Set by save_model: `model.json` or `model.ubj`.
    std::string key;         ///< Set by save_model: the public key that verifies the signature.
    /// Only in format 2, where `model_file` and `probes` are empty; nearest first.
    std::vector<HorizonForest> forests;
};
// Without `forests`, which print_manifest adds: the bytes of format 1 must not change.
BOOST_DESCRIBE_STRUCT(ModelManifest, (),
                      (format, id, kind, trained, provenance, data_fingerprint, seeds, inputs,
                       gap_s, horizons_s, calibration, metrics, reliability, xgboost, parameters,
                       threads, seed, probes, model_file, key))

/// The JSON text that is stored.
std::string print_manifest(const ModelManifest& manifest);

/// Refuses first a manifest of a newer format, then missing, unknown and impossible values.
[[nodiscard]] Result<ModelManifest> parse_manifest(std::string_view bytes);

/// The id that a manifest must have with these trees; its present id is ignored.
std::string model_id(ModelManifest manifest, std::string_view model_bytes);

/// The error names the first feature that is missing, superfluous, in another place or of another
/// unit.
[[nodiscard]] Result<void> check_features(const brain::FeatureList& has,
                                          const brain::FeatureList& expected);

/// Checks that trees fit the manifest: number of features, the objective of its kind, and every
/// probe row within 1e-6 of its margin; the error names the first that does not. With several
/// forests, checks the one named by `which`.
[[nodiscard]] Result<void> check_trees(const ModelManifest& manifest, const brain::Forest& forest,
                                       std::size_t which = 0);

brain::ModelFacts facts_of(const ModelManifest& manifest);

}  // namespace parley::learn
