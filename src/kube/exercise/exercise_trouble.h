// Kube, why pods of the exerciser do not run: lists of Deployments, pods and events in, the
// cluster's own words out. Pure.

#pragma once

#include "cluster/stage.h"

#include <string>
#include <string_view>

namespace parley::kube {

/// What the pods of a list say. Those that are being deleted say nothing.
struct PodsTold {
    cluster::Trouble trouble;  ///< Of the first pod that has one.
    std::string silent;        ///< Uid of one that is on a node and not ready; events may say why.
};
PodsTold read_pods_told(std::string_view pods_body);

/// Why the pods of the first of a list of Deployments that lacks some could not be created.
cluster::Trouble read_create_trouble(std::string_view deployments_body);

/// What the events of one pod that is on a node say: the newest warning, or else that its image is
/// still being pulled.
cluster::Trouble read_event_trouble(std::string_view events_body);

}  // namespace parley::kube
