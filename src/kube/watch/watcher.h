// Kube, the reading side of the seam: reflectors of all kinds in, one batch a round out.

#pragma once

#include "base/clock_round.h"
#include "cluster/watcher.h"
#include "kube/watch/api.h"
#include "kube/watch/metrics_server.h"
#include "kube/watch/own_writes.h"
#include "kube/watch/probe.h"
#include "kube/watch/reflector.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

struct WatcherOptions {
    std::vector<std::string> spaces;    ///< Only these namespaces; empty: all.
    Duration first_wait = seconds(10);  ///< How long the first round waits for the first lists.
    /// A watch that is repaired within this time does not count as broken.
    Duration broken_max = seconds(5);
    Duration probe_every = seconds(5);
    /// How often to check whether we may still read what we read.
    Duration rights_every = seconds(3);
    ReflectorOptions reflector;
    MetricsServerOptions metrics;
    std::shared_ptr<OwnWrites> own;     ///< What we changed ourselves; null: nothing is.
    Duration own_wait = seconds(1);     ///< How long a round waits until it is shown.
    std::shared_ptr<RoundClock> clock;  ///< The clock of the rounds; null: one of its own.
};

/// What is known of the cluster as a whole.
struct ClusterFacts {
    std::string server;                    ///< Its address.
    std::optional<model::Uid> uid;         ///< Uid of kube-system.
    std::optional<std::string> anonymous;  ///< Why kube-system may not be read; nothing: it may.
    std::optional<Duration> ahead;         ///< How far its clock is ahead of ours.
    std::optional<TimePoint> heard;
    std::string trouble;         ///< Of the last probe; empty: it answered.
    std::string program;         ///< The plugin that logged in; empty: none was run.
    std::uint64_t requests = 0;  ///< Sent so far.
    int clusters = 1;            ///< How many different clusters have answered at this address.
};

/// Follows every kind and reports once a round what changed. Used on one executor. What it started
/// continues without it until the executor's context is destroyed, and holds the api until then.
class Watcher final : public cluster::Watcher {
public:
    Watcher(const boost::asio::any_io_executor& executor, std::shared_ptr<Api> api,
            WatcherOptions options);
    ~Watcher() override;

    /// Fails until everything was listed once, as there is nothing to report before.
    boost::asio::awaitable<Result<cluster::Batch>> poll(TimePoint now) override;

    std::vector<Following> following() const;
    const ClusterFacts& facts() const;
    const Picture& picture() const;
    /// What a provider says of a node; shown from the next batch on.
    void set_power(std::string_view node, const NodePower& power);

    struct Inside;

private:
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::kube
