// Kube, gives back what our marks say: lists what carries one, and takes step after step.

#pragma once

#include "cluster/writer.h"
#include "kube/watch/api.h"
#include "kube/write/release.h"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace parley::kube {

/// One line of what a release did.
struct Released {
    std::string object;    ///< "node worker-1".
    std::string decision;  ///< Empty: not known.
    std::string what;      ///< "lift quarantine of worker-1", or what was left and why.
    enum class How { done, would, left, failed } how = How::done;
};

struct ReleaseCounts {
    int objects = 0;  ///< That carry a mark and were meant.
    int done = 0;
    int left = 0;
    int failed = 0;
};

/// Who gives back; reader and writer are borrowed.
struct ReleaseHands {
    cluster::Reader& reader;
    cluster::Writer& writer;
    /// Asks the provider of a node for its power and clock; null: none is named.
    std::function<boost::asio::awaitable<Provided>(MarkedObject)> ask = {};
};

/// Every node, Deployment, StatefulSet, Job and pod is looked at. Each step is a live read and one
/// change with uid and resourceVersion, as everything that is sent; what was changed in between is
/// planned anew once. With `dry_run` nothing is asked for. `told` is called with every line. Fails
/// only if something could not be listed.
boost::asio::awaitable<Result<ReleaseCounts>> release_marks(
    std::shared_ptr<Api> api, ReleaseHands hands, ReleaseWish wish, bool dry_run, TimePoint now,
    std::function<void(const Released&)> told);

}  // namespace parley::kube
