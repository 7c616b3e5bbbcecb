// App: what mode `act` needs of a real cluster: the lease, the ledger, and a hand that sends only
// while we lead.

#pragma once

#include "kube/write/hand.h"
#include "kube/write/leader.h"
#include "kube/write/ledger_object.h"
#include "layers/pipeline.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace parley::app {

/// Used on the loop's thread, and destroyed only when the loop has ended.
class LiveHands {
public:
    /// `home` is the namespace of lease and ledger; `seed`, which is drawn, makes this process one
    /// of its own.
    LiveHands(const std::shared_ptr<kube::Api>& api, const std::string& home, std::uint64_t seed);

    Hands hands() { return {&hand_, &hand_, &ledger_}; }

    /// Tries to lead, once before the first round and then for ever.
    boost::asio::awaitable<void> begin();
    /// Gives the lease back.
    boost::asio::awaitable<void> end();

    /// The epoch in which the coming round leads; nothing: another process leads. What a round
    /// decided is sent only in its own epoch.
    std::optional<std::uint64_t> lead();
    kube::Leadership leadership() const { return leader_.now(); }

private:
    Duration left() const;

    kube::Leader leader_;
    std::uint64_t epoch_ = 0;  ///< Of the present round; 0: it does not lead.
    kube::Hand hand_;
    kube::LedgerObject ledger_;
};

}  // namespace parley::app
