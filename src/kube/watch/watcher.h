// Kube, the reading side of the seam: reflectors of all kinds in, one batch a round out.

#pragma once

#include "base/clock_round.h"
#include "cluster/watcher.h"
#include "kube/watch/api.h"
#include "kube/watch/metrics_server.h"
#include "kube/watch/probe.h"
#include "kube/watch/reflector.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::kube {

struct WatcherOptions {
    std::vector<std::string> spaces;    ///< Only these namespaces; none: all.
    Duration first_wait = seconds(10);  ///< For the first lists, in the first round.
    Duration broken_max = seconds(5);   ///< A watch may be mended so long before it counts.
    Duration probe_every = seconds(5);
    Duration rights_every = seconds(3);  ///< Whether we may still read what we read.
    ReflectorOptions reflector;
    MetricsServerOptions metrics;
    std::shared_ptr<RoundClock> clock;  ///< Of the rounds; none: one of its own.
};

/// What is known of the cluster as a whole.
struct ClusterFacts {
    std::string server;             ///< Its address.
    std::optional<model::Uid> uid;  ///< Of kube-system.
    std::optional<Duration> ahead;  ///< Its clock before ours.
    std::optional<TimePoint> heard;
    std::string trouble;         ///< Of the last probe; empty: it answered.
    std::string program;         ///< The plugin that logged in; empty: none was run.
    std::uint64_t requests = 0;  ///< Sent so far.
    int clusters = 1;            ///< How many different ones answered at this address.
};

/// Follows every kind and tells once a round what changed. On one executor. What it began goes on
/// without it until the executor's context is destroyed, and holds the api until then.
class Watcher final : public cluster::Watcher {
public:
    Watcher(const boost::asio::any_io_executor& executor, std::shared_ptr<Api> api,
            WatcherOptions options);
    ~Watcher() override;

    /// Until everything was listed once there is nothing to tell, which is an error.
    boost::asio::awaitable<Result<cluster::Batch>> poll(TimePoint now) override;

    std::vector<Following> following() const;
    const ClusterFacts& facts() const;
    const Picture& picture() const;

    struct Inside;

private:
    std::shared_ptr<Inside> inside_;
};

}  // namespace parley::kube
