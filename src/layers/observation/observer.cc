#include "layers/observation/observer.h"

#include <utility>

namespace parley::observation {

Observer::Observer(cluster::Watcher& watcher, ObservationLimits limits)
    : watcher_(watcher), builder_(std::move(limits)) {}

Observer::Observer(cluster::Watcher& watcher, ObservationLimits limits, model::Snapshot from)
    : watcher_(watcher), builder_(std::move(limits), std::move(from)) {}

boost::asio::awaitable<model::Snapshot> Observer::observe(std::uint64_t round, TimePoint now) {
    const Result<cluster::Batch> batch = co_await watcher_.poll(now);
    if (batch) {
        builder_.take(*batch, now);
    } else {
        builder_.take_failure(batch.error().message, now);
    }
    co_return builder_.finish(round, now);
}

}  // namespace parley::observation
