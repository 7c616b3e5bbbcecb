// Kube, why pods of the exerciser do not run: lists of Deployments, pods and events in; the
// cluster's own words out. Pure.

#pragma once

#include "cluster/stage.h"

#include <string>
#include <string_view>

namespace parley::kube {

/// What the pods of a list say. Pods that are being deleted are left out.
struct PodsTold {
    cluster::Trouble trouble;  ///< Of the first pod that has one.
    std::string silent;  ///< Uid of a pod that is on a node but not ready; its events may say why.
};
PodsTold read_pods_told(std::string_view pods_body);

/// From a list of Deployments: why pods of the first incomplete one could not be created.
cluster::Trouble read_create_trouble(std::string_view deployments_body);

/// From the events of one pod on a node: the newest warning, or else that its image is still being
/// pulled.
cluster::Trouble read_event_trouble(std::string_view events_body);

}  // namespace parley::kube
