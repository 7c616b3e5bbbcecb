#include "kube/watch/metrics_server.h"

#include "base/clock_wait.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"
#include "kube/watch/usage_join.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr const char* kGroup = "/apis/metrics.k8s.io";
// How often to check whether the picture is complete.
constexpr Duration kGlance = milliseconds(100);

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
    : api_(api), picture_(picture), options_(std::move(options)) {
    news_.report = {.source = model::Source::metrics, .off = !options_.on};
    if (!options_.on) news_.report.reason = "off by choice";
}

MetricsNews MetricsServer::take() {
    MetricsNews out{std::move(news_.nodes), std::move(news_.workloads), std::move(news_.pods),
                    news_.report};
    news_.nodes.clear();
    news_.workloads.clear();
    news_.pods.clear();
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

asio::awaitable<Result<UsagePage>> MetricsServer::nodes() {
    const http::Limits limits{.head = options_.limit, .whole = options_.limit * 2};
    const std::string path = std::string(kGroup) + "/" + version_ + "/nodes";
    auto answer = co_await api_.get(path, "asking for the use of nodes", limits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto page = decode_node_metrics(answer->body);
    if (!page) co_return within("use of nodes", page.error());
    co_return page;
}

asio::awaitable<Result<UsagePage>> MetricsServer::pods() {
    const http::Limits limits{.head = options_.limit, .whole = options_.limit * 2};
    const std::string path = std::string(kGroup) + "/" + version_;
    std::vector<std::string> places;
    for (const std::string& space : options_.spaces) places.push_back("/namespaces/" + space);
    if (places.empty()) places.emplace_back();
    UsagePage all;
    for (const std::string& place : places) {
        auto answer =
            co_await api_.get(path + place + "/pods", "asking for the use of pods", limits);
        if (!answer) co_return tl::unexpected(answer.error());
        auto page = decode_pod_metrics(answer->body);
        if (!page) co_return within("use of pods", page.error());
        std::ranges::move(page->samples, std::back_inserter(all.samples));
        all.unreadable_count += page->unreadable_count;
        if (all.first_fault.empty()) all.first_fault = std::move(page->first_fault);
    }
    co_return all;
}

asio::awaitable<Result<void>> MetricsServer::ask() {
    if (version_.empty()) {
        auto found = co_await discover();
        if (!found) co_return tl::unexpected(found.error());
        version_ = *std::move(found);
    }
    const auto of_nodes = co_await nodes();
    // With rights for some namespaces only, nodes are not visible either.
    const bool unseen =
        !options_.spaces.empty() && !of_nodes && of_nodes.error().code == ErrorCode::denied;
    if (!of_nodes && !unseen) co_return tl::unexpected(of_nodes.error());
    const auto of_pods = co_await pods();
    if (!of_pods) co_return tl::unexpected(of_pods.error());
    const UsagePage none;
    JoinedUsage joined = join_usage(unseen ? none : *of_nodes, *of_pods, picture_);
    news_.report.reason = joined.remarks();
    news_.nodes = std::move(joined.nodes);
    news_.workloads = std::move(joined.workloads);
    news_.pods = std::move(joined.pods);
    news_.report.failed = false;
    if (options_.ours) {
        for (auto& each : news_.nodes) each.measured = options_.ours(each.measured);
        for (auto& each : news_.workloads) each.measured = options_.ours(each.measured);
        for (auto& each : news_.pods) each.measured = options_.ours(each.measured);
    }
    co_return Result<void>{};
}

}  // namespace parley::kube
