// Kube, webhook: keeps it registered with the API server while we lead, and only where no policy
// does the same.

#pragma once

#include "kube/watch/api.h"
#include "kube/webhook/hook_object.h"
#include "kube/write/pen.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace parley::kube {

/// Changes the version that was read, with an id of its own for every request. Never retries. Used
/// on one executor.
class Registration {
public:
    /// `run` makes the ids of this process' requests its own.
    Registration(std::shared_ptr<Api> api, std::string home, HookPlace place, Term term,
                 std::string run);

    /// Reads the configuration, and writes it if it says something else. Where the policy is
    /// installed it is taken away instead.
    boost::asio::awaitable<Result<void>> keep(std::string bundle_pem);

    /// Takes it away if it is ours and we lead. What fails is left: it stops nobody.
    boost::asio::awaitable<void> take_away();

    /// Whom the API server trusts as far as we know; empty: it does not ask us.
    const std::string& known() const { return known_; }
    /// The policy is installed, so that nobody need ask us.
    bool spared() const { return spared_; }

private:
    boost::asio::awaitable<Result<void>> look();
    boost::asio::awaitable<Result<void>> remove();
    boost::asio::awaitable<Result<void>> send(http::Request request, std::string doing);

    std::shared_ptr<Api> api_;
    std::string home_;
    HookPlace place_;
    Term term_;
    std::string run_;
    Pen pen_;
    std::optional<HookSeen> seen_;  ///< Nothing: there is none.
    std::string known_;
    bool spared_ = false;
    std::uint64_t sent_ = 0;
};

}  // namespace parley::kube
