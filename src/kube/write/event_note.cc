#include "kube/write/event_note.h"

#include "base/clock_wait.h"
#include "base/time_text.h"
#include "kube/write/json_parts.h"
#include "kube/write/target.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

/// Nobody waits for them, but the next one does.
constexpr http::Limits kLimits{.connect = seconds(2), .head = seconds(5), .whole = seconds(5)};
/// More things than we act on within kSeries.
constexpr std::size_t kSeriesMax = 256;
constexpr Duration kGlance = milliseconds(20);

/// At most `bytes`, cut between characters, with "..." where something is missing.
std::string cut(std::string text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    std::size_t end = bytes - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text.resize(end);
    return text + "...";
}

/// The namespace of what it is about; Events about nodes are in `default` alone.
std::string space_of(const model::Target& about) {
    const auto* workload = std::get_if<model::WorkloadId>(&about);
    return workload != nullptr ? workload->space.str() : "default";
}

std::string name_of(const model::Target& about) {
    const auto* workload = std::get_if<model::WorkloadId>(&about);
    return workload != nullptr ? workload->name.str() : text_of(about);
}

std::string list_of(const model::Target& about) {
    return "/apis/events.k8s.io/v1/namespaces/" + space_of(about) + "/events";
}

/// Two with the same key are one that came again.
std::string key_of(const EventNote& note) {
    return text_of(note.about) + "\n" + note.uid.text() + "\n" + note.reason + "\n" + note.action +
           (note.warning ? "\n!" : "");
}

std::string regarding_of(const EventNote& note, Kind kind) {
    const KindFacts& facts = facts_of(kind);
    const std::string group = facts.group.empty() ? "" : std::string(facts.group) + "/";
    std::string out = R"({"apiVersion":)" + quoted(group + std::string(facts.version)) +
                      R"(,"kind":)" + quoted(facts.name) + R"(,"name":)" +
                      quoted(name_of(note.about));
    if (facts.namespaced) out += R"(,"namespace":)" + quoted(space_of(note.about));
    if (!note.uid.none()) out += R"(,"uid":)" + quoted(note.uid.text());
    return out + "}";
}

}  // namespace

Result<EventObject> event_object(const EventNote& note, const std::string& instance) {
    // Also refuses names that would be a path of their own.
    const auto place = place_of(note.about);
    if (!place) {
        return fail(ErrorCode::gone,
                    "an Event on " + text_of(note.about) + ": " + place.error().message);
    }
    EventObject out{.list = list_of(note.about), .name = "parley." + note.id};
    out.body = R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":)" +
               quoted(out.name) + R"(,"namespace":)" + quoted(space_of(note.about)) +
               R"(,"labels":{"app.kubernetes.io/managed-by":"parley"}},"eventTime":)" +
               quoted(print_micro_time(note.at)) + R"(,"reportingController":)" +
               quoted(kReporter) + R"(,"reportingInstance":)" +
               quoted(cut(instance, kInstanceMax)) + R"(,"action":)" + quoted(note.action) +
               R"(,"reason":)" + quoted(note.reason) + R"(,"type":)" +
               quoted(note.warning ? "Warning" : "Normal") + R"(,"note":)" +
               quoted(cut(note.note, kNoteMax)) + R"(,"regarding":)" +
               regarding_of(note, place->kind) + "}";
    return out;
}

std::string series_body(std::uint64_t count, TimePoint last) {
    return R"({"series":{"count":)" + std::to_string(count) + R"(,"lastObservedTime":)" +
           quoted(print_micro_time(last)) + "}}";
}

EventNotes::EventNotes(asio::any_io_executor executor, std::shared_ptr<Api> api,
                       std::string instance, std::function<bool(const EventNote&)> may)
    : executor_(std::move(executor)),
      api_(std::move(api)),
      instance_(std::move(instance)),
      may_(std::move(may)) {}

void EventNotes::lose(const std::string& why) {
    ++lost_;
    why_ = why;
}

void EventNotes::say(EventNote note) {
    if (waiting_.size() == kWaitingMax) {
        waiting_.pop_front();
        lose("more than " + std::to_string(kWaitingMax) + " waited to be written");
    }
    waiting_.push_back(std::move(note));
    if (std::exchange(writing_, true)) return;
    asio::co_spawn(executor_, write_all(), asio::detached);
}

asio::awaitable<void> EventNotes::write_all() {
    while (!waiting_.empty()) {
        EventNote note = std::move(waiting_.front());
        waiting_.pop_front();
        if (!may_(note)) continue;
        const Result<void> done = co_await write(std::move(note));
        if (done) {
            ++written_;
        } else if (done.error().code != ErrorCode::gone) {
            lose(done.error().message);
        }
    }
    writing_ = false;
}

asio::awaitable<Result<void>> EventNotes::write(EventNote note) {
    auto object = event_object(note, instance_);
    if (!object) co_return tl::unexpected(object.error());
    const std::string key = key_of(note);
    std::erase_if(said_, [&](const auto& each) { return note.at - each.second.last > kSeries; });
    if (said_.contains(key)) {
        Result<void> again = co_await write_again(key, note);
        // It may have been deleted; then this one is the first.
        if (again || again.error().code != ErrorCode::gone) co_return again;
        said_.erase(key);
    }
    http::Request request{.method = "POST",
                          .target = object->list + "?fieldManager=parley",
                          .headers = {{"Audit-ID", "parley-event-" + note.id}},
                          .body = std::move(object->body)};
    const std::string what = "writing an Event on " + text_of(note.about);
    auto answer = co_await api_->change(std::move(request), what, kLimits);
    // The same name is the same thing, which a leader before us said already.
    const bool there = !answer && answer.error().code == ErrorCode::conflict;
    if (!answer && !there) {
        Error error = answer.error();
        // Not the object but its namespace is gone, or the API is not served.
        if (error.code == ErrorCode::gone) error.code = ErrorCode::denied;
        co_return tl::unexpected(std::move(error));
    }
    if (!there && said_.size() < kSeriesMax) {
        Series first{.path = object->list + "/" + object->name, .last = note.at};
        said_.emplace(key, std::move(first));
    }
    co_return Result<void>{};
}

asio::awaitable<Result<void>> EventNotes::write_again(std::string key, EventNote note) {
    const Series was = said_.at(key);
    http::Request request{.method = "PATCH",
                          .target = was.path + "?fieldManager=parley",
                          .headers = {{"Content-Type", "application/merge-patch+json"},
                                      {"Audit-ID", "parley-event-" + note.id}},
                          .body = series_body(was.count + 1, note.at)};
    const std::string what = "counting an Event on " + text_of(note.about);
    auto answer = co_await api_->change(std::move(request), what, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    Series& now = said_[key];
    now.count = was.count + 1;
    now.last = note.at;
    co_return Result<void>{};
}

asio::awaitable<void> EventNotes::settle(Duration limit) {
    const Deadline deadline(limit);
    while (writing_ && !deadline.over()) co_await pause(kGlance);
}

}  // namespace parley::kube
