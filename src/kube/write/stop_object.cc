#include "kube/write/stop_object.h"

#include "base/clock_wait.h"
#include "base/json_read.h"
#include "kube/watch/frames.h"
#include "kube/write/change.h"
#include "kube/write/json_parts.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(5), .whole = seconds(10)};
/// How long one watch is asked to last. It is read anew after each, whatever the watch said.
constexpr Duration kWatchLasts = seconds(60);
/// A watch that does not end in its time is broken.
constexpr Duration kWatchLimit = kWatchLasts + seconds(10);
constexpr Duration kRetry = seconds(1);
/// For so long what was seen last still counts: as long as a term lasts without a renewal.
constexpr Duration kBelieved = seconds(10);
constexpr std::size_t kLineMax = std::size_t{2} << 20;  // An object has 1 MiB at most.

StopSeen seen_in(const Json& object) {
    const Json* data = object.find("data");
    StopSeen seen;
    seen.version = text_or_none(object.find("metadata"), "resourceVersion");
    seen.stops = text_or_none(data, "stopped") != "false";
    seen.word = {std::string(text_or_none(data, "who")), std::string(text_or_none(data, "at")),
                 std::string(text_or_none(data, "run")),
                 std::string(text_or_none(data, "because"))};
    return seen;
}

}  // namespace

Result<StopSeen> read_stop(std::string_view object) {
    const auto json = parse_json(object);
    if (!json) return tl::unexpected(json.error());
    StopSeen seen = seen_in(*json);
    if (seen.version.empty()) return fail(ErrorCode::malformed, "it has no resourceVersion");
    return seen;
}

Result<StopListed> read_stop_list(std::string_view list) {
    const auto json = parse_json(list);
    if (!json) return tl::unexpected(json.error());
    StopListed out;
    out.from = text_or_none(json->find("metadata"), "resourceVersion");
    if (out.from.empty()) return fail(ErrorCode::malformed, "the list has no resourceVersion");
    const Json* items = json->find("items");
    if (items == nullptr || items->items() == nullptr) return out;
    for (const Json& each : *items->items()) {
        if (text_or_none(each.find("metadata"), "name") == kStopName) out.seen = seen_in(each);
    }
    return out;
}

std::string stop_body(const std::string& home, bool stops, const StopWord& word,
                      const std::string& version) {
    std::string out = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":)" +
                      quoted(kStopName) + R"(,"namespace":)" + quoted(home);
    if (!version.empty()) out += R"(,"resourceVersion":)" + quoted(version);
    return out + R"(,"labels":{"app.kubernetes.io/managed-by":"parley"}},"data":{"stopped":")" +
           (stops ? "true" : "false") + R"(","who":)" + quoted(word.who) + R"(,"at":)" +
           quoted(word.at) + R"(,"run":)" + quoted(word.run) +
           (word.because.empty() ? "" : R"(,"because":)" + quoted(word.because)) + "}}";
}

asio::awaitable<Result<std::string>> StopObject::list() {
    const std::string what = "reading " + said();
    auto answer = co_await api_->get(
        path() + "?fieldSelector=metadata.name%3D" + std::string(kStopName), what, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto listed = read_stop_list(answer->body);
    if (!listed) co_return within(what, listed.error());
    now_ = std::move(listed->seen);
    trouble_.clear();
    sure_.emplace(kBelieved);
    co_return std::move(listed->from);
}

asio::awaitable<void> StopObject::look() {
    auto listed = co_await list();
    if (!listed) doubt(listed.error());
}

void StopObject::doubt(const Error& error) {
    trouble_ = error.message;
    if (!sure_ || sure_->over()) now_.reset();
}

/// One event of the watch. What it cannot make sense of is read anew.
Result<void> StopObject::take(std::string_view line) {
    const auto json = parse_json(line);
    if (!json) return tl::unexpected(json.error());
    const std::string_view type = text_or_none(&*json, "type");
    const Json* object = json->find("object");
    if (type == "DELETED") {
        now_ = StopSeen{};
    } else if (object != nullptr && (type == "ADDED" || type == "MODIFIED")) {
        now_ = seen_in(*object);
    } else if (type != "BOOKMARK") {
        return fail(ErrorCode::unavailable, "the watch ended");
    }
    return {};
}

asio::awaitable<Result<void>> StopObject::watch(std::string from) {
    auto stream =
        co_await api_->open(path() + "?watch=1&fieldSelector=metadata.name%3D" +
                                std::string(kStopName) + "&resourceVersion=" + from +
                                "&timeoutSeconds=" + std::to_string(kWatchLasts.us / 1'000'000),
                            "watching " + said());
    if (!stream) co_return tl::unexpected(stream.error());
    Frames frames(kLineMax);
    const Deadline limit(kWatchLimit);
    while (!limit.over()) {
        auto bytes = co_await (*stream)->more(limit.left());
        if (!bytes) co_return tl::unexpected(bytes.error());
        if (bytes->empty()) co_return Result<void>{};
        if (auto kept = frames.add(*bytes); !kept) co_return kept;
        while (const auto line = frames.next()) {
            if (auto taken = take(*line); !taken) co_return taken;
        }
    }
    co_return Result<void>{};
}

/// While it cannot be watched it is read every second, and while it cannot be read nothing is
/// known.
asio::awaitable<void> StopObject::follow() {
    const std::shared_ptr<Api> kept = api_;  // What waits on a loop may be ended after us.
    while (true) {
        auto from = co_await list();
        if (!from) {
            doubt(from.error());
            co_await pause(kRetry);
            continue;
        }
        const Stopwatch begun;
        auto watched = co_await watch(*std::move(from));
        sure_.emplace(kBelieved);
        if (!watched || begun.passed() < kRetry) co_await pause(kRetry);
    }
}

asio::awaitable<Result<void>> StopObject::write(bool stops, StopWord word) {
    const std::string what = "writing " + said();
    if (!now_) co_return fail(ErrorCode::unavailable, what + ": " + trouble_);
    const bool there = !now_->version.empty();
    http::Request request{.method = there ? "PUT" : "POST",
                          .target = path() +
                                    (there ? "/" + std::string(kStopName) : std::string()) +
                                    "?fieldManager=" + std::string(kFieldManager),
                          .headers = {},
                          .body = stop_body(home_, stops, word, now_->version)};
    auto answer = co_await api_->change(std::move(request), what, kLimits);
    if (!answer) {
        co_await look();
        co_return tl::unexpected(answer.error());
    }
    auto seen = read_stop(answer->body);
    if (!seen) co_return within(what, seen.error());
    now_ = *std::move(seen);
    co_return Result<void>{};
}

}  // namespace parley::kube
