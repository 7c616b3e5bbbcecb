// Cluster seam, reading side: changes and samples since the last call.

#pragma once

#include "base/result.h"
#include "cluster/changes.h"

#include <boost/asio/awaitable.hpp>

namespace parley::cluster {

class Watcher {
public:
    virtual ~Watcher() = default;

    /// What is new since the last call; the first call gives everything. A source that failed is
    /// reported in the batch; an error means that nothing at all is known.
    virtual boost::asio::awaitable<Result<Batch>> poll(TimePoint now) = 0;
};

}  // namespace parley::cluster
