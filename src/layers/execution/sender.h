// Layer 5, execution: one step of an open action in, what came of it out. The only one that writes.

#pragma once

#include "cluster/writer.h"
#include "guard/guard.h"
#include "model/action.h"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <memory>

namespace parley::execution {

/// Carries out single steps. Decides nothing and never retries: that is the action machine's. What
/// it borrows must outlive it; it belongs to the loop's thread, but for the kill switch, which any
/// thread may set.
class Sender {
public:
    Sender(cluster::Reader& reader, cluster::Writer& writer, const std::atomic<bool>& stop);

    /// A live read with the guard's word on it, or one request. The kill switch is read immediately
    /// before sending; a request that it stops is answered `unavailable`. The event bears the time
    /// of the round that the facts are of.
    boost::asio::awaitable<model::ActionEvent> carry_out(model::Step step,
                                                         std::shared_ptr<const guard::Facts> facts);

private:
    boost::asio::awaitable<model::ActionEvent> send(model::Step step, TimePoint at);
    boost::asio::awaitable<model::ActionEvent> look(model::Step step,
                                                    std::shared_ptr<const guard::Facts> facts);

    cluster::Reader& reader_;
    cluster::Writer& writer_;
    const std::atomic<bool>& stop_;
};

}  // namespace parley::execution
