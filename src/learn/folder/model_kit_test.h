// Learn, for tests: a small model with a manifest that fits it.

#pragma once

#include "brain/xgboost_file.h"
#include "learn/folder/model_manifest.h"

#include <limits>
#include <string>

namespace parley::learn {

/// Two features; below 0.5 of the first gives -1, else 2, from even odds on.
inline const std::string kSmallModel = R"({"learner":{"feature_names":[],"feature_types":[],
 "gradient_booster":{"model":{"trees":[{
   "left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[0,0,0],
   "split_conditions":[5E-1,-1E0,2E0],"default_left":[1,0,0],"sum_hessian":[4E0,1E0,3E0],
   "split_type":[0,0,0],"tree_param":{"size_leaf_vector":"0"}}]},"name":"gbtree"},
 "learner_model_param":{"base_score":"5E-1","num_class":"0","num_feature":"2","num_target":"1"},
 "objective":{"name":"binary:logistic"}},"version":[1,7,4]})";

inline const brain::FeatureList kSmallInputs{
    .version = 3, .features = {{"lease_age", "s"}, {"cpu_use", "share"}}};

inline ModelManifest small_manifest() {
    ModelManifest manifest{.trained = "2025-03-01T12:00:00Z",
                           .provenance = "simulated",
                           .data_fingerprint = "0123abcd",
                           .seeds = {{0, 99'999}},
                           .inputs = kSmallInputs,
                           .gap_s = 120,
                           .horizons_s = {1800},
                           .metrics = {{"auc", 0.75, 0.7, 0.8}, {"brier", 0.01}},
                           .reliability = {{0.1, 0.12, 1000}},
                           .xgboost = "1.7.4",
                           .parameters = {{"depth", "6"}},
                           .seed = 5};
    for (std::size_t i = 0; i < kProbeRows; ++i) {
        const double value = static_cast<double>(i) / 64;
        Probe probe{.row = {value, 7}, .margin = value < 0.5 ? -1.0 : 2.0};
        if (i == 3) probe.row[0] = std::numeric_limits<double>::quiet_NaN();
        manifest.probes.push_back(probe);
    }
    return manifest;
}

}  // namespace parley::learn
