// Cluster seam, writing side: read one target live, apply one request.

#pragma once

#include "base/result.h"
#include "cluster/stamp.h"
#include "model/open_action.h"

#include <boost/asio/awaitable.hpp>

namespace parley::cluster {

/// Reads the live target of a request, bypassing every cache.
class Reader {
public:
    virtual ~Reader() = default;

    /// What the target of `about` looks like now, and whether the wanted value is already there.
    virtual boost::asio::awaitable<Result<model::Live>> read(model::Request about) = 0;
};

class Writer {
public:
    virtual ~Writer() = default;

    /// Requests one change, provided that the precondition holds. Success means that it was
    /// applied; the code of an error says whether it may have been (base/result.h). Never retries.
    /// `stamp` changes nothing about it: it is for the cluster's own log.
    virtual boost::asio::awaitable<Result<void>> apply(model::Request request,
                                                       model::Precondition only_if,
                                                       Stamp stamp) = 0;
};

}  // namespace parley::cluster
