// App: what mode `act` needs of a real cluster: the lease, the ledger, and a hand that sends only
// while we lead.

#pragma once

#include "kube/provider/provider_hand.h"
#include "kube/write/hand.h"
#include "kube/write/leader.h"
#include "kube/write/ledger_object.h"
#include "kube/write/orders.h"
#include "kube/write/stop_object.h"
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
    /// of its own; `own` is told what is changed.
    LiveHands(const std::shared_ptr<kube::Api>& api, const std::string& home, std::uint64_t seed,
              std::shared_ptr<kube::OwnWrites> own);

    /// Power and clocks go to the operator's commands. Call it before hands().
    void provide(std::shared_ptr<kube::ProviderDesk> desk, std::shared_ptr<kube::Api> api);

    Hands hands() {
        if (provider_) return {&*provider_, &*provider_, &ledger_};
        return {&orders_, &orders_, &ledger_};
    }

    /// Tries to lead, once before the first round and then for ever.
    boost::asio::awaitable<void> begin();
    /// Gives the lease back.
    boost::asio::awaitable<void> end();

    /// The epoch in which the coming round leads; nothing: another process leads, or whether we may
    /// send is not known. What a round decided is sent only in its own epoch.
    std::optional<std::uint64_t> lead();
    kube::Leadership leadership() const { return leader_.now(); }
    /// As it was when lead() was asked last.
    const kube::Leadership& asked() const { return asked_; }
    const std::string& name() const { return name_; }  ///< Of this process, and no other one.
    /// How long we lead, whatever the round; for what no round decides.
    Duration leads_for() const { return leader_.left(); }
    kube::Orders& orders() { return orders_; }
    kube::StopObject& stop() { return stop_; }

private:
    Duration left() const;

    std::string name_;
    kube::Leader leader_;
    kube::Leadership asked_;
    std::uint64_t epoch_ = 0;  ///< Of the present round; 0: it does not lead.
    kube::Hand hand_;
    kube::Orders orders_;                         ///< Before `hand_`.
    std::optional<kube::ProviderHand> provider_;  ///< Before both, where providers are named.
    kube::LedgerObject ledger_;
    kube::StopObject stop_;
};

}  // namespace parley::app
