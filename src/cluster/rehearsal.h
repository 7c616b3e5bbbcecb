// Cluster seam, the side that only asks: what the cluster would answer to a request. Nothing is
// changed by it.

#pragma once

#include "base/result.h"
#include "cluster/stamp.h"
#include "model/request.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace parley::cluster {

enum class Rehearsed : std::uint8_t {
    accepted,    ///< It would be carried out.
    found_done,  ///< What it wants is there already: it would not be sent.
};

class Rehearsal {
public:
    virtual ~Rehearsal() = default;

    /// Asks for one change as it would be asked for in earnest, as a dry run. An error is what it
    /// would be answered, or why it could not be tried.
    virtual boost::asio::awaitable<Result<Rehearsed>> rehearse(model::Request request,
                                                               Stamp stamp) = 0;
};

}  // namespace parley::cluster
