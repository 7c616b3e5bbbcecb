#include "kube/write/hand.h"

#include "base/clock.h"
#include "kube/watch/own_writes.h"
#include "kube/write/author.h"
#include "kube/write/renewal.h"

#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

/// An action waits for each of these, and a round for all of them.
constexpr http::Limits kLimits{.connect = seconds(3), .head = seconds(10), .whole = seconds(15)};
/// A step reads its target and changes it at once, so that one would do; actions may overlap.
constexpr std::size_t kLastMax = 256;

/// "node", "deployment/scale": of what a verb is tried.
std::string kind_of(const http::Request& request, const ObjectPlace& place) {
    return std::string(enum_name(place.kind)) + request.target.substr(place.path.size());
}

/// The mark that a request sets or takes away; null: it is about something else.
const model::DecisionId* marked_by(const model::Request& request) {
    if (const auto* put = std::get_if<model::PutMark>(&request)) return &put->decision;
    if (const auto* pod = std::get_if<model::MarkPod>(&request)) return &pod->mark.decision;
    return nullptr;
}

}  // namespace

Hand::Hand(std::shared_ptr<Api> api, Term term, std::shared_ptr<OwnWrites> own)
    : api_(std::move(api)), pen_(api_, std::move(term), kLimits), own_(std::move(own)) {}

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
    Sending how{.doing = "renewing the mark on",
                .about = place.said,
                .audit = audit_id(doubt.stamp) + "-renew",
                .trial = Trial::never};
    auto answer = co_await pen_.write(*std::move(renewal), std::move(how));
    if (!answer) co_return tl::unexpected(answer.error());
    note(place, seen, *answer);
    co_return Result<void>{};
}

/// Who set a mark that we did not may be dead, and its last request still on its way.
void Hand::doubt_predecessors(const ObjectPlace& place, const Seen& seen,
                              const model::Request& about) {
    if (!seen.mark || sure_.contains(place.path) || live_of(about, seen).applied) return;
    // A policy of the API server marked it; and a Job that is resumed twice is resumed.
    if (std::holds_alternative<model::ResumeJob>(about)) return;
    const cluster::Stamp stamp{.decision = seen.mark->decision};
    doubts_.try_emplace(place.path, Doubt{seen.uid, seen.version, about, stamp});
}

/// Looks until nothing can be under way any more: what was sent for a version that is not there any
/// more was applied, and shows, or never will be.
asio::awaitable<Result<Seen>> Hand::look_for_sure(ObjectPlace place, model::Request about) {
    auto seen = co_await look(place);
    if (seen) doubt_predecessors(place, *seen, about);
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
        if (seen && seen->mark) sure_.insert(place.path);
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
    auto seen = co_await look_for_sure(*place, about);
    if (!seen) {
        last_.erase(place->path);
        co_return tl::unexpected(seen.error());
    }
    const model::Live live = live_of(about, *seen);
    if (last_.size() >= kLastMax) last_.clear();
    last_[place->path] = *std::move(seen);
    co_return live;
}

/// The answer to a change is the object in its new version. To an eviction it is not: whatever is
/// newer than what was read will do.
void Hand::note(const ObjectPlace& place, const Seen& before, const http::Response& answer) {
    if (!own_) return;
    const auto after = read_seen(answer.body);
    const bool same = after && after->uid == before.uid;
    own_->wrote(place.kind, before.uid, same ? after->version : before.version + 1, place.said);
}

/// Whether the object is what the request makes of it by now, and by us.
asio::awaitable<Result<bool>> Hand::is_our_work(model::Request request, ObjectPlace place,
                                                model::Uid uid, model::DecisionId decision) {
    auto answer = co_await api_->get(place.path, "reading " + place.said, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    const auto seen = read_seen(answer->body);
    if (!seen || seen->uid != uid || !made_by_us(answer->body, request, decision)) co_return false;
    if (own_) own_->wrote(place.kind, uid, seen->version, place.said);
    co_return true;
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
    const Seen seen = found->second;
    last_.erase(found);  // What we change is not what was read any more.
    if (const model::DecisionId* mark = marked_by(request)) {
        if (mark->none()) sure_.erase(place->path);
        if (!mark->none()) sure_.insert(place->path);
    }
    http::Request change = change_of(request, *place, seen, stamp);
    Sending how{.doing = "changing",
                .about = place->said,
                .kind = kind_of(change, *place),
                .audit = audit_id(stamp),
                .fresh = Deadline(stamp.fresh)};
    if (std::holds_alternative<model::EvictPod>(request)) how.trial = Trial::each_time;
    const auto answer = co_await pen_.write(std::move(change), std::move(how));
    if (answer) {
        note(*place, seen, *answer);
        co_return Result<void>{};
    }
    Result<void> done = tl::unexpected(answer.error());
    if (answer.error().code == ErrorCode::conflict) {
        const auto ours = co_await is_our_work(request, *place, seen.uid, stamp.decision);
        done = after_conflict(answer.error(), ours);
    }
    if (!done && is_open(done.error())) {
        doubts_[place->path] = {seen.uid, seen.version, std::move(request), stamp};
    }
    co_return done;
}

}  // namespace parley::kube
