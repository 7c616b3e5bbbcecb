// Kube, Metrics Server as a source: asked regularly; gives samples, and how the source fared.

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
    std::vector<std::string> spaces;  ///< Only pods of these namespaces; empty: of all.
    Duration every = seconds(5);      ///< It measures every 15 s or so; this is how late we notice.
    Duration limit = seconds(3);      ///< For an answer: a stopped server hangs for ever.
    /// Converts a time that it wrote to the clock of our rounds. Empty: they are the same.
    std::function<TimePoint(TimePoint)> ours = {};
};

/// What came since the last take().
struct MetricsNews {
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    std::vector<cluster::PodSample> pods;
    cluster::SourceReport report;
};

/// Borrows api and picture. One coroutine, follow(), on their executor.
class MetricsServer {
public:
    MetricsServer(Api& api, const Picture& picture, MetricsServerOptions options);

    /// Asks until its executor ends; returns at once if it is switched off.
    boost::asio::awaitable<void> follow();
    /// Hands out what came since the last call.
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

/// The version that a group prefers, from the answer to /apis/GROUP. `malformed`: it names none.
[[nodiscard]] Result<std::string> preferred_version(std::string_view body);

}  // namespace parley::kube
