// Layer 5, execution: one request in, what came of it out. The only one that writes.

#pragma once

#include "cluster/writer.h"
#include "model/action.h"

#include <boost/asio/awaitable.hpp>

#include <atomic>

namespace parley::execution {

/// Decides nothing and never retries: that is the action machine's. What it borrows must outlive
/// it; it belongs to the loop's thread, but for the kill switch, which any thread may set.
class Sender {
public:
    Sender(cluster::Writer& writer, const std::atomic<bool>& stop) : writer_(writer), stop_(stop) {}

    /// The kill switch is read immediately before; a request that it stops is `unavailable`. It
    /// stops everything but `undo`: what we changed may always be given back.
    boost::asio::awaitable<Result<void>> send(model::Request request, model::Precondition only_if,
                                              bool undo = false);

private:
    cluster::Writer& writer_;
    const std::atomic<bool>& stop_;
};

}  // namespace parley::execution
