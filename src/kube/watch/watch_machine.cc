#include "kube/watch/watch_machine.h"

#include "base/number.h"

#include <algorithm>

namespace parley::kube {
namespace {

/// Versions are opaque by contract and numbers in practice. They are compared only if both are
/// numbers.
bool older(const std::string& a, const std::string& b) {
    const auto left = parse_uint64(a);
    const auto right = parse_uint64(b);
    return left && right && *left < *right;
}

}  // namespace

Todo WatchMachine::resume(const Happened& happened) {
    return std::visit([this](const auto& each) { return on(each); }, happened);
}

Todo WatchMachine::start() {
    opened_ = false;
    if (streams_) {
        doing_ = Doing::stream_list;
        return StreamList{};
    }
    doing_ = Doing::list;
    return List{};
}

Todo WatchMachine::watch() {
    doing_ = Doing::watch;
    opened_ = false;
    return WatchFrom{version_};
}

void WatchMachine::caught_up(const std::string& version) {
    went_back_ = older(version, version_);
    version_ = version;
    in_step_ = known_ = true;
    watches_failed_ = 0;
    refusals_ = 0;
}

Todo WatchMachine::on(const PageCame& page) {
    if (!page.token.empty()) {
        doing_ = Doing::page;
        token_ = page.token;
        pages_failed_ = 0;
        return List{token_};
    }
    caught_up(page.version);
    return watch();
}

Todo WatchMachine::on(const Opened&) {
    opened_ = true;
    return ReadOn{};
}

// In a streaming list, objects come in no order of versions; only the bookmark at its end gives the
// place.
Todo WatchMachine::on(const Changed& change) {
    if (doing_ == Doing::watch) {
        version_ = change.version;
        failures_ = 0;
        watches_failed_ = 0;
    }
    return ReadOn{};
}

Todo WatchMachine::on(const Bookmarked& mark) {
    if (doing_ == Doing::stream_list) {
        if (!mark.list_ends) return ReadOn{};
        caught_up(mark.version);
        doing_ = Doing::watch;
    } else {
        version_ = mark.version;
        bookmarked_ = true;
        watches_failed_ = 0;
    }
    failures_ = 0;
    return ReadOn{};
}

Todo WatchMachine::on(const Ended& end) {
    if (doing_ == Doing::stream_list) streams_ = false;
    const Error error{ErrorCode::unavailable, "the stream ended", std::nullopt};
    if (doing_ != Doing::watch) return again(Doing::list, error);
    if (end.lasted >= rules_.short_watch) {
        failures_ = 0;
        return watch();
    }
    return on(Failed{error});
}

Todo WatchMachine::on(const Failed& failed) {
    const Error& error = failed.error;
    // Failing to connect says nothing about streaming lists; any other failure does.
    const bool reached = opened_ || error.code != ErrorCode::unavailable;
    if (doing_ == Doing::stream_list && reached && error.code != ErrorCode::denied) {
        streams_ = false;
    }
    // A long list is not abandoned because one answer did not come.
    if (doing_ == Doing::page && error.code == ErrorCode::unavailable &&
        ++pages_failed_ < rules_.pages_max) {
        return again(Doing::page, error);
    }
    if (doing_ != Doing::watch) return again(Doing::list, error);
    ++watches_failed_;
    // Without the right to read, nothing is known until a complete list has come again.
    const bool lost = error.code == ErrorCode::expired || error.code == ErrorCode::malformed ||
                      error.code == ErrorCode::gone || error.code == ErrorCode::denied ||
                      watches_failed_ >= rules_.watches_max;
    if (!lost) return again(Doing::watch, error);
    in_step_ = false;
    // The first time without waiting: by 410 a server says "list again", which is no failure.
    if (error.code == ErrorCode::expired && failures_ == 0) {
        failures_ = 1;
        return start();
    }
    return again(Doing::list, error);
}

Todo WatchMachine::again(Doing next, const Error& error) {
    doing_ = Doing::nothing;
    next_ = next;
    failures_ = std::min(failures_ + 1, 20);
    if (error.retry_after) {
        // As long as the server asked, plus up to a second, so that not all clients return at once.
        return Wait{*error.retry_after, *error.retry_after + seconds(1)};
    }
    const auto doubled = [](Duration wait, Duration max, int times) {
        for (int i = 1; i < times && wait < max; ++i) wait = wait * 2;
        return std::min(wait, max);
    };
    if (error.code == ErrorCode::denied) {
        refusals_ = std::min(refusals_ + 1, 20);
        const Duration least = known_ ? doubled(rules_.revoked_wait, rules_.revoked_max, refusals_)
                                      : doubled(rules_.denied_wait, rules_.denied_max, refusals_);
        return Wait{least, least + std::min(seconds(10), least * 2)};
    }
    const Duration most = doubled(rules_.wait_min, rules_.wait_max, failures_);
    return Wait{microseconds(most.us / 2), most};
}

Todo WatchMachine::on(const Waited&) {
    if (next_ == Doing::watch) return watch();
    if (next_ != Doing::page) return start();
    doing_ = Doing::page;
    return List{token_};
}

// Paged, not streamed, since the server's cache may be what is wrong.
Todo WatchMachine::on(const VerifyDue&) {
    doing_ = Doing::list;
    return List{};
}

}  // namespace parley::kube
