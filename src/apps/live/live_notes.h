// App: what mode `act` says on the objects themselves: rounds in, Events out.

#pragma once

#include "apps/running/action_notes.h"
#include "kube/write/event_note.h"
#include "layers/pipeline.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace parley::app {

/// The Event for a note. Pure.
kube::EventNote event_of(const ActionNote& note, TimePoint at);

/// "2 Events about actions were not written, the last one because ...; the record has all of it";
/// empty: none was lost.
std::string lost_text(std::uint64_t lost, const std::string& why);

/// Used on the loop's thread, and destroyed only when the loop has ended.
class LiveNotes {
public:
    struct Parts {
        std::shared_ptr<kube::Api> api;
        std::string instance;           ///< The name of this process.
        std::function<bool()> leads;    ///< Asked before each one is written.
        std::function<bool()> stopped;  ///< By the kill switch: only what gives back is told.
    };
    LiveNotes(const boost::asio::any_io_executor& executor, Parts parts, model::Policy policy);

    /// Call it once a round; never waits.
    void take(const Published& round);

    /// Waits until all is written, but not longer than this.
    boost::asio::awaitable<void> settle(Duration limit) { return events_.settle(limit); }

    /// What was lost, as of the first time that something was: it is said once.
    const std::string& remark() const { return remark_; }
    std::string summary() const { return lost_text(events_.lost(), events_.why()); }

private:
    ActionNotes notes_;
    kube::EventNotes events_;
    std::string remark_;
};

}  // namespace parley::app
