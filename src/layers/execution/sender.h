// Layer 5, execution: one request in, its result out. The only class that writes to the cluster.

#pragma once

#include "cluster/writer.h"
#include "model/request.h"

#include <boost/asio/awaitable.hpp>

#include <atomic>

namespace parley::execution {

/// Decides nothing and never retries: that is up to the action machine. What it borrows must
/// outlive it. Used on the loop's thread; only the kill switch may be set by any thread.
class Sender {
public:
    Sender(cluster::Writer& writer, const std::atomic<bool>& stop) : writer_(writer), stop_(stop) {}

    /// The kill switch is read immediately before; a request that it stops is `unavailable`. It
    /// stops everything but what undoes: what we changed may always be given back.
    boost::asio::awaitable<Result<void>> send(model::Request request, model::Precondition only_if,
                                              cluster::Stamp stamp);

private:
    cluster::Writer& writer_;
    const std::atomic<bool>& stop_;
};

}  // namespace parley::execution
