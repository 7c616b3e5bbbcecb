// Bench: pods as the API server lists them, for pod_decode and its peers.

#pragma once

#include <cstddef>
#include <string>

namespace parley::bench {

/// One pod of a Deployment: a container with requests, a probe and a token volume, bound, ready,
/// with the managedFields of three writers. About 6 KB, as a 1.33 server writes it.
std::string pod_json(std::size_t number);

/// A PodList of `count` pods, numbered from `first`.
std::string pod_page(std::size_t first, std::size_t count);

}  // namespace parley::bench
