// Kube, whether we lead: holds a Lease, renews it, and says at every moment whether we may still
// send.

#pragma once

#include "base/clock_wait.h"
#include "kube/watch/api.h"
#include "kube/write/lease.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace parley::kube {

struct Leadership {
    bool leads = false;
    std::uint64_t epoch = 0;         ///< Of the last time that we led; 0: never.
    std::string holder;              ///< Who holds the Lease as far as we know; empty: nobody.
    std::string trouble;             ///< Why it could not be read or written; empty: it could.
    std::uint64_t holder_epoch = 0;  ///< Of the holder; 0: nobody holds it.
    std::string since;               ///< When the holder says that it began; empty: not known.
    Duration left = {};              ///< How long the holder leads without another renewal.
};

/// A leader ends before anybody else can begin: it counts from the moment at which it *sent* the
/// last renewal that was answered, on a clock that goes on while the machine sleeps, and the others
/// count from when they saw it. Used on one executor; must outlive what it started.
class Leader {
public:
    /// `who` names this process and no other one. `since_boot` is the clock: time that passes while
    /// we are stopped or suspended must count.
    Leader(std::shared_ptr<Api> api, LeasePlace place, std::string who, LeaseTimes times,
           std::function<Duration()> since_boot);

    /// One attempt to become the leader or to remain it. Afterwards it is known who leads.
    boost::asio::awaitable<void> attempt();

    /// Attempts for ever, `retry` apart.
    boost::asio::awaitable<void> follow();

    /// Gives the Lease back if we hold it, so that the next one need not wait.
    boost::asio::awaitable<void> resign();

    /// What holds now; asked immediately before everything that is sent.
    Leadership now() const;
    /// How long we lead without another renewal; zero: we do not.
    Duration left() const;

private:
    boost::asio::awaitable<Result<void>> look();
    boost::asio::awaitable<Result<void>> write(LeaseWish wish);
    std::string path() const;
    std::string said() const { return "the lease " + place_.space + "/" + place_.name; }

    std::shared_ptr<Api> api_;
    LeasePlace place_;
    std::string who_;
    LeaseTimes times_;
    std::function<Duration()> since_boot_;
    LeaseWatch watch_;
    Duration until_;         ///< We lead before this.
    bool held_ = false;      ///< The Lease is ours as far as we know.
    bool resigned_ = false;  ///< For good.
    std::uint64_t epoch_ = 0;
    std::string acquired_;
    std::string trouble_;
};

}  // namespace parley::kube
