#include "kube/metrics_server.h"

#include "base/clock_wait.h"
#include "kube/decode.h"
#include "kube/decode_json.h"
#include "kube/usage_join.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr const char* kGroup = "/apis/metrics.k8s.io";
constexpr Duration kGlance = milliseconds(100);  // At a picture that is not complete.

}  // namespace

Result<std::string> preferred_version(std::string_view body) {
    const auto marks = mark_json(body, kObjectBytesMax);
    if (!marks) return tl::unexpected(marks.error());
    JsonWalk walk(*marks);
    std::string version;
    walk.fields([&](std::string_view key) {
        if (key != "preferredVersion") return;
        walk.fields([&](std::string_view inner) {
            if (inner != "version") return;
            if (const auto text = walk.text()) version = *text;
        });
    });
    // It becomes part of a path.
    const bool plain = std::ranges::all_of(
        version, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
    if (walk.broken() || version.empty() || !plain) {
        return fail(ErrorCode::malformed, "the answer names no preferred version");
    }
    return version;
}

MetricsServer::MetricsServer(Api& api, const Picture& picture, MetricsServerOptions options)
    : api_(api), picture_(picture), options_(options) {
    news_.report = {.source = model::Source::metrics, .off = !options.on};
    if (!options.on) news_.report.reason = "off by choice";
}

MetricsNews MetricsServer::take() {
    MetricsNews out{std::move(news_.nodes), std::move(news_.workloads), news_.report};
    news_.nodes.clear();
    news_.workloads.clear();
    return out;
}

asio::awaitable<void> MetricsServer::follow() {
    if (!options_.on) co_return;
    for (;;) {
        const bool known = picture_.complete();
        if (known) {
            auto asked = co_await ask();
            if (!asked) failed(asked.error());
        }
        co_await pause(known ? options_.every : kGlance);
    }
}

void MetricsServer::failed(const Error& error) {
    news_.report.failed = true;
    news_.report.reason = error.code == ErrorCode::gone
                              ? "metrics.k8s.io is not served; is Metrics Server installed?"
                              : error.message;
    version_.clear();
}

asio::awaitable<Result<std::string>> MetricsServer::discover() {
    const http::Limits limits{.head = options_.limit, .whole = options_.limit};
    auto answer = co_await api_.get(kGroup, "asking for metrics.k8s.io", limits);
    if (!answer) co_return tl::unexpected(answer.error());
    co_return preferred_version(answer->body);
}

asio::awaitable<Result<void>> MetricsServer::ask() {
    if (version_.empty()) {
        auto found = co_await discover();
        if (!found) co_return tl::unexpected(found.error());
        version_ = *std::move(found);
    }
    const http::Limits limits{.head = options_.limit, .whole = options_.limit * 2};
    const std::string path = std::string(kGroup) + "/" + version_;
    auto nodes = co_await api_.get(path + "/nodes", "asking for the use of nodes", limits);
    if (!nodes) co_return tl::unexpected(nodes.error());
    auto pods = co_await api_.get(path + "/pods", "asking for the use of pods", limits);
    if (!pods) co_return tl::unexpected(pods.error());
    const auto of_nodes = decode_node_metrics(nodes->body);
    if (!of_nodes) co_return within("use of nodes", of_nodes.error());
    const auto of_pods = decode_pod_metrics(pods->body);
    if (!of_pods) co_return within("use of pods", of_pods.error());
    JoinedUsage joined = join_usage(*of_nodes, *of_pods, picture_);
    news_.report.reason = joined.remarks();
    news_.nodes = std::move(joined.nodes);
    news_.workloads = std::move(joined.workloads);
    news_.report.failed = false;
    co_return Result<void>{};
}

}  // namespace parley::kube
