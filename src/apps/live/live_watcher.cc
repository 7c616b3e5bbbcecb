#include "apps/live/live_watcher.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

prometheus::Directory directory_of(const kube::Picture& picture) {
    prometheus::Directory out;
    for (kube::NodePlace& each : picture.nodes()) {
        out.nodes.push_back({each.node, std::move(each.name), std::move(each.addresses)});
    }
    for (const kube::PodPlace& each : picture.pods()) {
        if (!each.bound || each.ended) continue;
        out.pods.push_back({each.space.str(), each.name.text(), each.workload});
    }
    for (const kube::WorkPlace& each : picture.workloads()) {
        out.workloads.push_back({each.workload, each.id});
    }
    return out;
}

/// Owns what it runs, since it continues until its executor's context is destroyed.
boost::asio::awaitable<void> follow(std::shared_ptr<prometheus::Source> source) {
    co_await source->follow();
}

}  // namespace

Result<std::unique_ptr<LiveWatcher>> LiveWatcher::make(const boost::asio::any_io_executor& executor,
                                                       std::shared_ptr<kube::Api> api,
                                                       kube::WatcherOptions options,
                                                       prometheus::Options metrics) {
    auto made =
        std::unique_ptr<LiveWatcher>(new LiveWatcher(executor, std::move(api), std::move(options)));
    const auto known = [watcher = made.get()]() -> std::optional<prometheus::Directory> {
        const kube::Picture& picture = watcher->cluster_.picture();
        if (!picture.complete()) return std::nullopt;
        return directory_of(picture);
    };
    auto source = prometheus::Source::make(executor, std::move(metrics), known);
    if (!source) return tl::unexpected(source.error());
    made->metrics_ = *std::move(source);
    boost::asio::co_spawn(executor, follow(made->metrics_), boost::asio::detached);
    return made;
}

boost::asio::awaitable<Result<cluster::Batch>> LiveWatcher::poll(TimePoint now) {
    if (desk_) {
        for (const auto& [node, power] : desk_->news()) cluster_.set_power(node, power);
    }
    auto batch = co_await cluster_.poll(now);
    if (!batch) co_return batch;
    if (desk_) desk_->saw(batch->changes, batch->complete);
    prometheus::News news = metrics_->take();
    std::ranges::move(news.nodes, std::back_inserter(batch->nodes));
    std::ranges::move(news.workloads, std::back_inserter(batch->workloads));
    batch->sources.push_back(std::move(news.report));
    if (exercise_ != nullptr) {
        batch->sources.push_back(exercise_->report());
        batch->stimulus = exercise_->stimulus();
    }
    co_return batch;
}

}  // namespace parley::app
