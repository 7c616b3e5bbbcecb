// Layer 2, prediction: one node as a trained model sees it: a row of numbers with names and units.

#pragma once

#include "brain/model.h"
#include "layers/prediction/predictor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace parley::prediction {

/// Raised with any change of what a feature means. A model names the version it was trained with.
inline constexpr std::uint32_t kNodeFeatureVersion = 1;

struct Feature {
    std::string_view name;
    std::string_view unit;
    model::Signal signal{};  ///< The signal that is named as missing when this feature is.
};

/// The features in the order of a row. Our own marks (cordon, taint, drain) are not among them: a
/// model would learn from them what we did, not what the node does.
std::span<const Feature> node_feature_list();
/// The same in the form that a model states.
brain::FeatureList wanted_features();

/// Figures about the other nodes that go into a node's row. Made once a round.
class Neighbours {
public:
    Neighbours(const model::RoundInput& input, const model::Policy& policy,
               const model::FleetTrail& fleet);

    /// The share of the other nodes that have a late lease or are not Ready; then the same within
    /// its rack.
    double bad_share(const model::NodeRow& node) const;
    double rack_bad_share(const model::NodeRow& node) const;
    /// How much more disk time a node uses than the average node; nothing: unknown.
    std::optional<double> disk_excess(const model::NodeRow& node) const;
    double downs_per_node_hour() const { return downs_; }

private:
    struct Group {
        Name zone;
        Name rack;
        std::int32_t nodes = 0;
        std::int32_t bad = 0;
    };
    bool is_bad(const model::NodeRow& node) const;
    const Group* group_of(const model::NodeRow& node) const;

    TimePoint now_;
    Duration age_max_;
    double downs_ = 0;
    double disk_sum_ = 0;
    std::int32_t disk_count_ = 0;
    Group all_;
    std::vector<Group> racks_;
};

/// One row; NaN where something is not known. `trail` may be null: never folded.
void node_features(const NodeView& view, const model::NodeTrail* trail,
                   const Neighbours& neighbours, std::span<float> out);

}  // namespace parley::prediction
