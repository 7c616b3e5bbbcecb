// Kube, following one kind: what happened in, what to do next out. Pure.
//
// List, then watch from where the list ended; or a streaming list, which is both in one. Whatever
// goes wrong, the way back is the same: wait, then watch on, or list afresh if the place is lost.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <variant>

namespace parley::kube {

struct WatchRules {
    bool streaming = true;  ///< Try a streaming list before a paged one.
    Duration wait_min = milliseconds(800);
    Duration wait_max = seconds(30);       ///< Each failure in a row doubles the wait up to this.
    Duration denied_wait = seconds(60);    ///< Until a person may have granted it ...
    Duration denied_max = minutes(10);     ///< ... which doubles with each refusal up to this.
    Duration revoked_wait = seconds(5);    ///< The same where it was granted before: a mistake, or
    Duration revoked_max = seconds(60);    ///< a token that is being renewed.
    Duration short_watch = seconds(5);     ///< A watch that ends sooner is a failure.
    Duration silent_max = seconds(150);    ///< Once bookmarks come (every minute).
    Duration silent_first = seconds(660);  ///< Before: longer than any watch is asked to last.
    int watches_max = 3;                   ///< Failed in a row; then the place is given up.
    int pages_max = 3;                     ///< The same page failed; then the list begins again.
};

// What to do next.
struct List {
    std::string token;  ///< The next page; empty: from the beginning.
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
    Duration from, to;  ///< The length is drawn between the two.
    friend bool operator==(const Wait&, const Wait&) = default;
};
using Todo = std::variant<List, StreamList, WatchFrom, ReadOn, Wait>;

// What happened.
struct Begun {};
struct PageCame {
    std::string token;    ///< Of the next page; empty: this was the last.
    std::string version;  ///< Of the list.
};
struct Opened {};  ///< The head of a stream said 200.
struct Changed {
    std::string version;  ///< Of the object.
};
struct Bookmarked {
    std::string version;
    bool list_ends = false;  ///< Everything that there is has been named.
};
struct Ended {  ///< The other side closed the stream in good order.
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

    /// Everything there is has been named once, and the place in the stream of changes is known.
    bool in_step() const { return in_step_; }
    /// A list is being read: what it does not name when it ends is gone.
    bool listing() const {
        return doing_ == Doing::list || doing_ == Doing::page || doing_ == Doing::stream_list;
    }
    /// How long the stream may be silent.
    Duration patience() const { return bookmarked_ ? rules_.silent_max : rules_.silent_first; }
    /// Whether the version of a list was older than one seen before: the past was restored.
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
    Doing next_ = Doing::nothing;  ///< After a wait.
    bool streams_;                 ///< Cleared for good where a streaming list failed.
    bool opened_ = false;
    bool in_step_ = false;
    bool known_ = false;  ///< It was in step once.
    bool bookmarked_ = false;
    bool went_back_ = false;
    int failures_ = 0;
    int refusals_ = 0;  ///< Since it was last listed whole.
    int watches_failed_ = 0;
    int pages_failed_ = 0;  ///< Of the page of this token.
    std::string token_;     ///< Of the page that is read, after the first.
    std::string version_;
};

}  // namespace parley::kube
