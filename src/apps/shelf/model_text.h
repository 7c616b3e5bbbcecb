// App: what `parley model` prints.

#pragma once

#include "base/describe.h"
#include "learn/folder/model_manifest.h"

#include <string>
#include <vector>

namespace parley::app {

/// A line of `parley model list`.
struct ListedModel {
    std::string id;
    std::string kind;
    std::string trained;
    std::string provenance;
    std::string calibration;
    std::uint64_t features = 0;
    bool in_use = false;
    bool shipped = false;  ///< Part of the program.
    std::string problem;   ///< Why it is not served; else empty.
};
BOOST_DESCRIBE_STRUCT(ListedModel, (),
                      (id, kind, trained, provenance, calibration, features, in_use, shipped,
                       problem))

/// The same figure of two models; NaN if one has none.
struct ComparedMetric {
    std::string name;
    double a = 0;
    double b = 0;
};
BOOST_DESCRIBE_STRUCT(ComparedMetric, (), (name, a, b))

struct ModelComparison {
    std::string a;
    std::string b;
    std::vector<std::string> only_a;  ///< Features that the other does not have.
    std::vector<std::string> only_b;
    std::vector<std::string> other_unit;
    bool same_order = false;  ///< Names, units and order are equal.
    bool same_data = false;   ///< By fingerprint; else the figures are of different rows.
    std::vector<ComparedMetric> metrics;
};
BOOST_DESCRIBE_STRUCT(ModelComparison, (),
                      (a, b, only_a, only_b, other_unit, same_order, same_data, metrics))

/// Whether a model is in use, whether it is part of the program, and why it is not served.
struct ModelPlace {
    bool in_use = false;
    bool shipped = false;
    std::string refused;  ///< Empty: nothing is wrong.
};

ListedModel listed(const learn::ModelManifest& manifest, const ModelPlace& place);
ModelComparison compare(const learn::ModelManifest& a, const learn::ModelManifest& b);

std::string text_of(const std::vector<ListedModel>& models);
std::string text_of(const learn::ModelManifest& manifest, const ModelPlace& place);
std::string text_of(const ModelComparison& comparison);

}  // namespace parley::app
