// Kube, what the API server would answer to the requests of an action: each is sent as a dry run,
// by the same code that sends it in earnest.

#pragma once

#include "cluster/rehearsal.h"
#include "kube/write/hand.h"
#include "kube/write/orders.h"

#include <functional>
#include <memory>
#include <string>

namespace parley::kube {

/// Used on one executor.
class Rehearser final : public cluster::Rehearsal {
public:
    /// `api` must only try (ApiOptions::dry_run): everything goes through it. `home` is the
    /// namespace of agent C's orders.
    Rehearser(std::shared_ptr<Api> api, const std::string& home, std::function<TimePoint()> clock);

    /// Each request is tried for its object as it is now: those before it in the plan have changed
    /// nothing. Where our account lacks a right, the error says what grants it.
    boost::asio::awaitable<Result<cluster::Rehearsed>> rehearse(model::Request request,
                                                                cluster::Stamp stamp) override;

private:
    Hand hand_;
    Orders orders_;  ///< Before `hand_`.
};

}  // namespace parley::kube
