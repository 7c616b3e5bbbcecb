// Brain: a trained model as the loop serves it: what it is, its trees, its calibration.

#pragma once

#include "base/describe.h"
#include "brain/calibration.h"
#include "brain/contributions.h"
#include "brain/forest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::brain {

enum class ModelKind : std::uint8_t { risk, demand };
BOOST_DESCRIBE_ENUM(ModelKind, risk, demand)

/// One input of a model. Its index in the list is its index in a row.
struct Feature {
    std::string name;
    std::string unit;  ///< Such as `s`, `share`, `count`.
    friend bool operator==(const Feature&, const Feature&) = default;
};
BOOST_DESCRIBE_STRUCT(Feature, (), (name, unit))

/// The features that a fold makes and that a model must want.
struct FeatureList {
    std::uint32_t version = 0;  ///< Raised with any change of what a feature means.
    std::vector<Feature> features;
    friend bool operator==(const FeatureList&, const FeatureList&) = default;
};
BOOST_DESCRIBE_STRUCT(FeatureList, (), (version, features))

/// Facts about a model that are stated wherever it is served.
struct ModelFacts {
    std::string id;  ///< A digest of what is in its folder.
    ModelKind kind = ModelKind::risk;
    std::string provenance;  ///< On what it was trained, such as "simulated".
    std::string trained;     ///< When, as RFC 3339.
    FeatureList inputs;
    double gap_s = 0;                ///< Earlier events are not forecast.
    std::vector<double> horizons_s;  ///< How far ahead it forecasts.
    friend bool operator==(const ModelFacts&, const ModelFacts&) = default;
};
BOOST_DESCRIBE_STRUCT(ModelFacts, (), (id, kind, provenance, trained, inputs, gap_s, horizons_s))

/// Immutable; shared between the loop and explanation.
struct Model {
    ModelFacts facts;
    Forest forest;
    Paths paths;
    Calibration calibration;
};

/// A model of demand for one horizon.
struct DemandForest {
    double horizon_s = 0;
    Forest forest;
    Paths paths;
    /// |error| over scale on rows not used for training, sorted, as evenly spaced quantiles.
    std::vector<double> errors;
};

/// One forest per horizon, nearest first; all have the same inputs.
struct DemandModel {
    ModelFacts facts;
    std::vector<DemandForest> horizons;
};

/// The half width, in scales, of an interval that misses this share of values; at least 0.
double half_width(const DemandForest& forest, double miss);

}  // namespace parley::brain
