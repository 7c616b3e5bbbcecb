// Prometheus as a source: asked regularly; gives samples, and how the source fared.

#pragma once

#include "base/clock.h"
#include "cluster/changes.h"
#include "http/client.h"
#include "prometheus/access.h"
#include "prometheus/join.h"
#include "prometheus/queries.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::prometheus {

struct Options {
    Access access;  ///< Without a url the source is off.
    std::vector<Query> queries = default_queries();
    Duration every = seconds(15);  ///< Half of a usual scrape interval: this is how late we notice.
    Duration limit = seconds(3);   ///< For an answer; a stopped server hangs for ever.
    Duration window = minutes(2);  ///< For rates: at least twice the scrape interval.
    Duration stale = seconds(60);  ///< Older figures count only if there is nothing newer.
    std::string user_agent = "parley";
    std::uint64_t seed = 0;                     ///< Of jitter.
    std::function<TimePoint()> now = wall_now;  ///< Ages are counted from it.
};

/// What came since the last take().
struct News {
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    cluster::SourceReport report;
};

/// Used on one executor, by one coroutine, follow(), which must end before it is destroyed.
class Source {
public:
    /// What the API shows now; nothing: not known yet, and then nothing is asked.
    using Known = std::function<std::optional<Directory>()>;

    /// Refuses addresses, settings and queries that cannot be used, and says what to change.
    [[nodiscard]] static Result<std::unique_ptr<Source>> make(
        const boost::asio::any_io_executor& executor, Options options, Known known);
    ~Source();

    /// Asks until its executor ends; returns at once if it is switched off.
    boost::asio::awaitable<void> follow();
    /// One round of questions; an error if none was answered. The report says the same.
    boost::asio::awaitable<Result<void>> ask();
    /// Hands out what came since the last call.
    News take();

    std::uint64_t requests() const;  ///< Sent so far.

private:
    struct Round;
    Source(Options options, Known known);
    bool off() const { return options_.access.url.empty(); }
    [[nodiscard]] Result<void> refresh();
    boost::asio::awaitable<void> ask(const Query* query, Round* round);
    boost::asio::awaitable<Result<Answer>> get(std::string expression,
                                               std::vector<std::string> labels,
                                               std::optional<TimePoint> at, Round* round);
    void conclude(Round& round);

    Options options_;
    Known known_;
    std::unique_ptr<http::Client> client_;
    std::optional<Shown> shown_;  ///< The files that the client's TLS was made with.
    News news_;
    Duration wait_;  ///< How much longer than usual the server asked us to wait.
    std::uint64_t draws_ = 0;
};

}  // namespace parley::prometheus
