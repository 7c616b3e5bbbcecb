// App: everything that `live` reads, as one watcher: the cluster's own, plus Prometheus, providers
// and the exerciser.

#pragma once

#include "apps/live/live_exercise.h"
#include "cluster/watcher.h"
#include "kube/provider/desk.h"
#include "kube/watch/watcher.h"
#include "prometheus/source.h"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace parley::app {

/// Used on one executor. What it started ends with the executor's context.
class LiveWatcher final : public cluster::Watcher {
public:
    /// Refuses settings of Prometheus that cannot be used.
    [[nodiscard]] static Result<std::unique_ptr<LiveWatcher>> make(
        const boost::asio::any_io_executor& executor, std::shared_ptr<kube::Api> api,
        kube::WatcherOptions options, prometheus::Options metrics);

    boost::asio::awaitable<Result<cluster::Batch>> poll(TimePoint now) override;

    const kube::Watcher& cluster() const { return cluster_; }
    /// Includes what the exerciser does from now on. Borrowed; null: there is none.
    void show(const LiveExercise* exercise) { exercise_ = exercise; }
    /// Shows from now on what providers say of nodes.
    void consult(std::shared_ptr<kube::ProviderDesk> desk) { desk_ = std::move(desk); }

private:
    LiveWatcher(const boost::asio::any_io_executor& executor, std::shared_ptr<kube::Api> api,
                kube::WatcherOptions options)
        : cluster_(executor, std::move(api), std::move(options)) {}

    kube::Watcher cluster_;
    std::shared_ptr<prometheus::Source> metrics_;
    const LiveExercise* exercise_ = nullptr;
    std::shared_ptr<kube::ProviderDesk> desk_;  ///< Null: no provider is named.
};

}  // namespace parley::app
