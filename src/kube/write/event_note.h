// Kube, Events on what we act on (events.k8s.io/v1): what is said as an object of the API (pure),
// and the queue from which it is written.

#pragma once

#include "kube/watch/api.h"
#include "model/ids.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace parley::kube {

/// What writes our Events, for everybody who reads them.
inline constexpr const char* kReporter = "parley.dev/parley";
/// Bounds of the API, in bytes.
inline constexpr std::size_t kNoteMax = 1'024;
inline constexpr std::size_t kInstanceMax = 128;

/// One thing to say on a node, a workload or a Job.
struct EventNote {
    model::Target about;
    model::Uid uid;      ///< Of it; none: it is found by its name alone.
    std::string id;      ///< Unique, and a part of the Event's name: "0123abcd-began".
    std::string reason;  ///< In CamelCase, of few: "ParleyMigrate".
    std::string action;  ///< Likewise: "Migrate".
    std::string note;    ///< For a person; cut at kNoteMax.
    bool warning = false;
    bool gives_back = false;  ///< About what was undone, which also a stopped run does.
    TimePoint at;             ///< By the wall clock.
};

/// A new Event as the API wants it.
struct EventObject {
    std::string list;  ///< Where it is created; with its name, where it is.
    std::string name;
    std::string body;
};

/// `gone`: there is no object to say it on. Pure.
[[nodiscard]] Result<EventObject> event_object(const EventNote& note, const std::string& instance);

/// The merge patch for an Event that came again.
std::string series_body(std::uint64_t count, TimePoint last);

/// Writes what is said, one after the other, in a coroutine of its own: whoever says something
/// never waits, and nothing that fails is tried again. Used on one executor; destroyed only when
/// that has ended.
class EventNotes {
public:
    static constexpr std::size_t kWaitingMax = 64;
    /// What is said again within this time is counted on the Event that is there.
    static constexpr Duration kSeries = minutes(10);

    /// `may` is asked immediately before each one is written; what may not be is dropped, and that
    /// is no loss.
    EventNotes(boost::asio::any_io_executor executor, std::shared_ptr<Api> api,
               std::string instance, std::function<bool(const EventNote&)> may);

    /// If too many wait, the oldest is lost.
    void say(EventNote note);

    /// Waits until all is written, but not longer than this.
    boost::asio::awaitable<void> settle(Duration limit);

    std::uint64_t written() const { return written_; }
    std::uint64_t lost() const { return lost_; }
    /// Why the last one was; empty: none was.
    const std::string& why() const { return why_; }
    std::size_t waiting() const { return waiting_.size(); }

private:
    struct Series {
        std::string path;
        std::uint64_t count = 1;
        TimePoint last;
    };

    boost::asio::awaitable<void> write_all();
    boost::asio::awaitable<Result<void>> write(EventNote note);
    boost::asio::awaitable<Result<void>> write_again(std::string key, EventNote note);
    void lose(const std::string& why);

    boost::asio::any_io_executor executor_;
    std::shared_ptr<Api> api_;
    std::string instance_;
    std::function<bool(const EventNote&)> may_;
    std::deque<EventNote> waiting_;
    std::map<std::string, Series> said_;  ///< By what makes two of them the same.
    bool writing_ = false;
    std::uint64_t written_ = 0;
    std::uint64_t lost_ = 0;
    std::string why_;
};

}  // namespace parley::kube
