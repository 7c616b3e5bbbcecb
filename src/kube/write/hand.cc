#include "kube/write/hand.h"

#include "base/clock.h"
#include "base/clock_wait.h"
#include "kube/watch/own_writes.h"
#include "kube/write/renewal.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

/// An action waits for each of these, and a round for all of them.
constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
/// A step reads its target and changes it at once, so that one would do; actions may overlap.
constexpr std::size_t kLastMax = 256;

/// "PATCH node", "PUT deployment/scale": what a dry run was passed for.
std::string verb_of(const http::Request& request, const ObjectPlace& place) {
    const std::string path = request.target.substr(0, request.target.find('?'));
    return request.method + " " + std::string(enum_name(place.kind)) +
           path.substr(place.path.size());
}

/// Nobody knows whether it was applied.
bool is_open(const Error& error) {
    return error.code == ErrorCode::unknown_outcome || error.code == ErrorCode::malformed;
}

}  // namespace

asio::awaitable<Result<Seen>> Hand::look(ObjectPlace place) {
    auto answer = co_await api_->get(place.path, "reading " + place.said, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto seen = read_seen(answer->body);
    if (!seen) co_return within("reading " + place.said, seen.error());
    co_return seen;
}

/// Succeeds if the mark was renewed. Otherwise, too, the object may have another version by now.
asio::awaitable<Result<void>> Hand::renew(ObjectPlace place, Seen seen, Doubt doubt) {
    auto renewal = renewal_of(doubt.request, place, seen, doubt.stamp, wall_now());
    if (!renewal) co_return tl::unexpected(renewal.error());
    auto answer = co_await change(*std::move(renewal), "renewing the mark on " + place.said);
    if (!answer) co_return tl::unexpected(answer.error());
    note(place, seen, *answer);
    co_return Result<void>{};
}

/// Looks until nothing can be under way any more: what was sent for a version that is not there any
/// more was applied, and shows, or never will be.
asio::awaitable<Result<Seen>> Hand::look_for_sure(ObjectPlace place) {
    auto seen = co_await look(place);
    const auto found = doubts_.find(place.path);
    if (found == doubts_.end()) co_return seen;
    const Doubt doubt = found->second;
    const auto settled = [&] {
        if (!seen) return seen.error().code == ErrorCode::gone;
        return seen->uid != doubt.uid || seen->version != doubt.version;
    };
    Result<void> renewed;
    if (seen && !settled()) {
        renewed = co_await renew(place, *seen, doubt);
        seen = co_await look(place);
    }
    if (settled()) {
        doubts_.erase(place.path);
        if (seen && own_) own_->wrote(place.kind, seen->uid, seen->version, place.said);
    } else if (seen) {
        co_return fail(ErrorCode::unavailable, "what came of an earlier request to " + place.said +
                                                   " is not known yet" +
                                                   (renewed ? "" : ": " + renewed.error().message));
    }
    co_return seen;
}

asio::awaitable<Result<model::Live>> Hand::read(model::Request about) {
    const auto place = place_of(about);
    if (!place) co_return tl::unexpected(place.error());
    auto seen = co_await look_for_sure(*place);
    if (!seen) {
        last_.erase(place->path);
        co_return tl::unexpected(seen.error());
    }
    const model::Live live = live_of(about, *seen);
    if (last_.size() >= kLastMax) last_.clear();
    last_[place->path] = *std::move(seen);
    co_return live;
}

/// The only place that sends; whether we may is asked immediately before.
asio::awaitable<Result<http::Response>> Hand::change(http::Request request, std::string what) {
    const auto limits = within_term(kLimits, term_());
    if (!limits) co_return fail(ErrorCode::unavailable, what + ": " + kNoTerm);
    co_return co_await api_->change(std::move(request), std::move(what), *limits);
}

/// The answer to a change is the object in its new version. To an eviction it is not: whatever is
/// newer than what was read will do.
void Hand::note(const ObjectPlace& place, const Seen& before, const http::Response& answer) {
    if (!own_) return;
    const auto after = read_seen(answer.body);
    const bool same = after && after->uid == before.uid;
    own_->wrote(place.kind, before.uid, same ? after->version : before.version + 1, place.said);
}

asio::awaitable<Result<void>> Hand::try_out(model::Request request, ObjectPlace place, Seen seen,
                                            cluster::Stamp stamp) {
    http::Request dry = change_of(request, place, seen, stamp, Earnest::dry_run);
    const std::string verb = verb_of(dry, place);
    const bool evicts = std::holds_alternative<model::EvictPod>(request);
    if (!evicts && tried_.contains(verb)) co_return Result<void>{};
    auto answer = co_await change(std::move(dry), "trying on " + place.said);
    if (!answer) {
        Error error = answer.error();
        if (is_open(error)) error.code = ErrorCode::unavailable;  // Nothing can have changed.
        co_return tl::unexpected(std::move(error));
    }
    tried_.insert(verb);
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Hand::apply(model::Request request, model::Precondition only_if,
                                          cluster::Stamp stamp) {
    const auto place = place_of(request);
    if (!place) co_return tl::unexpected(place.error());
    const auto found = last_.find(place->path);
    if (found == last_.end() || found->second.version != only_if.version ||
        found->second.uid != only_if.uid) {
        co_return fail(ErrorCode::conflict,
                       place->said + " was not read in this version; it is read again");
    }
    const Deadline fresh(stamp.fresh);
    const Seen seen = found->second;
    last_.erase(found);  // What we change is not what was read any more.
    auto tried = co_await try_out(request, *place, seen, stamp);
    if (!tried) co_return tried;
    if (fresh.over()) {
        Error late{ErrorCode::unavailable,
                   "trying on " + place->said + " took until what it was decided on was too old",
                   Duration{}};
        co_return tl::unexpected(std::move(late));
    }
    http::Request real = change_of(request, *place, seen, stamp, Earnest::real);
    const auto answer = co_await change(std::move(real), "changing " + place->said);
    if (answer) {
        note(*place, seen, *answer);
        co_return Result<void>{};
    }
    if (is_open(answer.error())) {
        doubts_[place->path] = {seen.uid, seen.version, std::move(request), stamp};
    }
    co_return tl::unexpected(answer.error());
}

}  // namespace parley::kube
