// Web: the nodes of a round, in lines and as a map. Pure.

#pragma once

#include "layers/explanation/telling/narrator.h"
#include "web/views/seen_round.h"
#include "web/views/views_round.h"
#include "web/views/views_run.h"
#include "web/views/views_things.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::web {

/// What every line needs: the round, the one before if available, the policy.
struct NodeContext {
    const SeenRound& round;
    const SeenRound* before = nullptr;
    const model::Policy& policy;
};

NodeLine node_line(const NodeContext& context, Slot slot);

/// Slots sorted by zone, then name: the order of the map.
std::vector<Slot> map_order(const model::Snapshot& snapshot);

/// The first `count` in this order: over its limit, shown and believed differ, changed, then by
/// risk.
std::vector<NodeLine> worth_a_look(const NodeContext& context, std::size_t count);
/// "7 more, nothing missing".
std::string more_nodes(const NodeContext& context, std::size_t shown);

/// In the order of the map; `find` is a part of a name.
NodesView nodes_view(const NodeContext& context, std::size_t offset, std::size_t limit,
                     std::string_view find);

MapView map_view(const SeenRound& round);
/// The cells of the map that changed; nothing if indexes changed.
std::optional<std::vector<MapCell>> changed_cells(const MapView& before, const MapView& now);

/// Nothing: no risk is known.
std::optional<MaxRisk> max_risk(const SeenRound& round);

/// The limit for the page: nothing if it is never reached.
std::optional<double> limit_view(double limit);

}  // namespace parley::web
