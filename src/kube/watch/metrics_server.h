// Kube, Metrics Server as a source: asked now and then, samples and how it fared out.

#pragma once

#include "cluster/changes.h"
#include "kube/decode/decode_metrics.h"
#include "kube/picture/picture.h"
#include "kube/watch/api.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::kube {

struct MetricsServerOptions {
    bool on = true;                   ///< False: off by choice.
    std::vector<std::string> spaces;  ///< Pods of these namespaces alone; none: of all.
    Duration every = seconds(5);      ///< It measures every 15 s or so; this is how late we notice.
    Duration limit = seconds(3);      ///< For an answer: one that was stopped hangs for ever.
    /// A time that it wrote, by the clock of our rounds. Empty: the two are the same.
    std::function<TimePoint(TimePoint)> ours = {};
};

/// What came since it was last asked for.
struct MetricsNews {
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    cluster::SourceReport report;
};

/// Borrows api and picture. One coroutine, follow(), on their executor.
class MetricsServer {
public:
    MetricsServer(Api& api, const Picture& picture, MetricsServerOptions options);

    /// Asks until its executor ends; returns at once if it is off.
    boost::asio::awaitable<void> follow();
    /// Hands out what came and forgets it.
    MetricsNews take();

private:
    boost::asio::awaitable<Result<void>> ask();
    boost::asio::awaitable<Result<std::string>> discover();
    boost::asio::awaitable<Result<UsagePage>> nodes();
    boost::asio::awaitable<Result<UsagePage>> pods();
    void failed(const Error& error);

    Api& api_;
    const Picture& picture_;
    MetricsServerOptions options_;
    std::string version_;  ///< Such as v1beta1; empty: not known.
    MetricsNews news_;
};

/// The version that a group prefers, of the answer to /apis/GROUP. Malformed: there is none.
[[nodiscard]] Result<std::string> preferred_version(std::string_view body);

}  // namespace parley::kube
