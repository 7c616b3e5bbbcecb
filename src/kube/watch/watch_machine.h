// Kube, following one kind: what happened in, what to do next out. Pure.
//
// List, then watch from where the list ended; or a streaming list, which does both. After any
// failure it waits, then continues the watch, or lists again if its place is lost.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <variant>

namespace parley::kube {

struct WatchRules {
    bool streaming = true;  ///< Try a streaming list before a paged one.
    Duration wait_min = milliseconds(800);
    Duration wait_max = seconds(30);     ///< Each failure in a row doubles the wait, up to this.
    Duration denied_wait = seconds(60);  ///< Wait until a person may have granted the right ...
    Duration denied_max = minutes(10);   ///< ... which doubles with each refusal, up to this.
    /// The two waits if the right was granted before: its loss may be a mistake, or a token is just
    /// being renewed.
    Duration revoked_wait = seconds(5);
    Duration revoked_max = seconds(60);
    Duration short_watch = seconds(5);     ///< A watch that ends sooner is a failure.
    Duration silent_max = seconds(150);    ///< Once bookmarks come, which is every minute.
    Duration silent_first = seconds(660);  ///< Before that: longer than any watch is asked to last.
    int watches_max = 3;                   ///< Failures in a row after which the place is given up.
    int pages_max = 3;  ///< Failures of the same page after which the list begins again.
};

// What to do next.
struct List {
    std::string token;  ///< Of the next page; empty: from the beginning.
    friend bool operator==(const List&, const List&) = default;
};
struct StreamList {
    friend bool operator==(const StreamList&, const StreamList&) = default;
};
struct WatchFrom {
    std::string version;
    friend bool operator==(const WatchFrom&, const WatchFrom&) = default;
};
struct ReadOn {
    friend bool operator==(const ReadOn&, const ReadOn&) = default;
};
struct Wait {
    Duration from, to;  ///< The length is drawn between these.
    friend bool operator==(const Wait&, const Wait&) = default;
};
using Todo = std::variant<List, StreamList, WatchFrom, ReadOn, Wait>;

// What happened.
struct Begun {};
struct PageCame {
    std::string token;    ///< Of the next page; empty: this was the last.
    std::string version;  ///< Of the list.
};
struct Opened {};  ///< The head of a stream had status 200.
struct Changed {
    std::string version;  ///< Of the object.
};
struct Bookmarked {
    std::string version;
    bool list_ends = false;  ///< Everything that exists has been named.
};
struct Ended {  ///< The other side closed the stream properly.
    Duration lasted;
};
struct Failed {
    Error error;
};
struct Waited {};
struct VerifyDue {};  ///< It is time to compare with a fresh list.
using Happened =
    std::variant<Begun, PageCame, Opened, Changed, Bookmarked, Ended, Failed, Waited, VerifyDue>;

class WatchMachine {
public:
    explicit WatchMachine(WatchRules rules) : rules_(rules), streams_(rules.streaming) {}

    Todo resume(const Happened& happened);

    /// Everything that exists was named once, and the place in the stream of changes is known.
    bool in_step() const { return in_step_; }
    /// A list is being read: what it has not named when it ends is gone.
    bool listing() const {
        return doing_ == Doing::list || doing_ == Doing::page || doing_ == Doing::stream_list;
    }
    /// How long the stream may be silent.
    Duration patience() const { return bookmarked_ ? rules_.silent_max : rules_.silent_first; }
    /// Whether the version of a list was older than one seen before: the cluster was restored from
    /// a backup.
    bool went_back() const { return went_back_; }
    int failures() const { return failures_; }  ///< In a row.

private:
    enum class Doing : std::uint8_t { nothing, list, page, stream_list, watch };

    Todo start();
    Todo watch();
    Todo again(Doing next, const Error& error);
    Todo on(const Begun&) { return start(); }
    Todo on(const PageCame& page);
    Todo on(const Opened&);
    Todo on(const Changed& change);
    Todo on(const Bookmarked& mark);
    Todo on(const Ended& end);
    Todo on(const Failed& failed);
    Todo on(const Waited&);
    Todo on(const VerifyDue&);
    void caught_up(const std::string& version);

    WatchRules rules_;
    Doing doing_ = Doing::nothing;
    Doing next_ = Doing::nothing;  ///< What to do after a wait.
    bool streams_;                 ///< Cleared for good if a streaming list fails.
    bool opened_ = false;
    bool in_step_ = false;
    bool known_ = false;  ///< Whether it was in step once.
    bool bookmarked_ = false;
    bool went_back_ = false;
    int failures_ = 0;
    int refusals_ = 0;  ///< Since the last complete list.
    int watches_failed_ = 0;
    int pages_failed_ = 0;  ///< Of the page with this token.
    std::string token_;     ///< Of the page being read, if not the first.
    std::string version_;
};

}  // namespace parley::kube
