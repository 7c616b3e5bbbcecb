// Cluster seam, reading side: changes and samples since the last call.

#pragma once

#include "base/result.h"
#include "cluster/changes.h"

#include <boost/asio/awaitable.hpp>

namespace parley::cluster {

class Watcher {
public:
    virtual ~Watcher() = default;

    /// What is new since the last call. A source that fails is said in the batch, not as an error;
    /// an error means that nothing at all is known. The first call gives everything there is.
    virtual boost::asio::awaitable<Result<Batch>> poll(TimePoint now) = 0;
};

}  // namespace parley::cluster
