#include "kube/write/hand.h"

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

}  // namespace

asio::awaitable<Result<Seen>> Hand::look(ObjectPlace place) {
    auto answer = co_await api_->get(place.path, "reading " + place.said, kLimits);
    if (!answer) co_return tl::unexpected(answer.error());
    auto seen = read_seen(answer->body);
    if (!seen) co_return within("reading " + place.said, seen.error());
    co_return seen;
}

asio::awaitable<Result<model::Live>> Hand::read(model::Request about) {
    const auto place = place_of(about);
    if (!place) co_return tl::unexpected(place.error());
    auto seen = co_await look(*place);
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
asio::awaitable<Result<void>> Hand::change(http::Request request, std::string what) {
    const auto limits = within_term(kLimits, term_());
    if (!limits) co_return fail(ErrorCode::unavailable, what + ": " + kNoTerm);
    auto answer = co_await api_->change(std::move(request), std::move(what), *limits);
    if (!answer) co_return tl::unexpected(answer.error());
    co_return Result<void>{};
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
        if (error.code == ErrorCode::unknown_outcome || error.code == ErrorCode::malformed) {
            error.code = ErrorCode::unavailable;  // Nothing can have changed.
        }
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
    const Seen seen = found->second;
    last_.erase(found);  // What we change is not what was read any more.
    auto tried = co_await try_out(request, *place, seen, stamp);
    if (!tried) co_return tried;
    http::Request real = change_of(request, *place, seen, stamp, Earnest::real);
    co_return co_await change(std::move(real), "changing " + place->said);
}

}  // namespace parley::kube
