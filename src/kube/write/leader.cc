#include "kube/write/leader.h"

#include "base/clock.h"
#include "base/time_text.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

namespace asio = boost::asio;

namespace {

/// What another one might do is bounded by the same times, so a request may not take longer than a
/// retry.
http::Limits limits_of(const LeaseTimes& times) {
    return {.connect = times.retry, .head = times.retry * 2, .whole = times.retry * 2};
}

}  // namespace

Leader::Leader(std::shared_ptr<Api> api, LeasePlace place, std::string who, LeaseTimes times,
               std::function<Duration()> since_boot)
    : api_(std::move(api)),
      place_(std::move(place)),
      who_(std::move(who)),
      times_(times),
      since_boot_(std::move(since_boot)) {}

std::string Leader::path() const {
    return "/apis/coordination.k8s.io/v1/namespaces/" + place_.space + "/leases";
}

asio::awaitable<Result<void>> Leader::look() {
    auto answer =
        co_await api_->get(path() + "/" + place_.name, "reading " + said(), limits_of(times_));
    if (!answer && answer.error().code == ErrorCode::gone) {
        watch_ = {};
        co_return Result<void>{};
    }
    if (!answer) co_return tl::unexpected(answer.error());
    auto lease = read_lease(answer->body);
    if (!lease) co_return within(said(), lease.error());
    watch_.saw(*lease, since_boot_());
    co_return Result<void>{};
}

asio::awaitable<Result<void>> Leader::write(LeaseWish wish) {
    const bool there = !wish.version.empty();
    http::Request request{
        .method = there ? "PUT" : "POST",
        .target = path() + (there ? "/" + place_.name : "") + "?fieldManager=parley",
        .body = lease_body(place_, times_, wish)};
    auto answer = co_await api_->change(std::move(request), "writing " + said(), limits_of(times_));
    if (!answer) co_return tl::unexpected(answer.error());
    auto lease = read_lease(answer->body);
    if (!lease) co_return within("writing " + said(), lease.error());
    watch_.saw(*lease, since_boot_());
    co_return Result<void>{};
}

asio::awaitable<void> Leader::attempt() {
    if (resigned_) co_return;
    // While we hold it we know its version, so that a renewal is one request.
    const bool renews = held_ && left().us > 0 && watch_.last();
    if (!renews) {
        held_ = false;
        auto looked = co_await look();
        trouble_ = looked ? "" : looked.error().message;
        if (!looked || !watch_.free(who_, times_.lasts, since_boot_())) co_return;
    }
    const auto& last = watch_.last();
    const std::string now = print_micro_time(wall_now());
    LeaseWish wish{.holder = who_,
                   .epoch = renews ? epoch_ : (last ? last->changes : 0) + 1,
                   .acquired = renews ? acquired_ : now,
                   .renewed = now,
                   .version = last ? last->version : ""};
    const Duration sent = since_boot_();
    const std::uint64_t epoch = wish.epoch;
    const std::string acquired = wish.acquired;
    auto written = co_await write(std::move(wish));
    trouble_ = written ? "" : written.error().message;
    if (written) {
        held_ = true;
        epoch_ = epoch;
        acquired_ = acquired;
        until_ = sent + times_.renew;
        co_return;
    }
    // Of a renewal without an answer nobody knows: it is read at the next attempt, and we lead as
    // long as the last one lasts.
    if (written.error().code == ErrorCode::conflict) until_ = {};
    if (renews) held_ = written.error().code != ErrorCode::conflict;
    auto looked = co_await look();
    if (!looked) co_return;
    const bool ours = watch_.last() && watch_.last()->holder == who_;
    if (!ours) until_ = {};
    held_ = held_ && ours;
}

asio::awaitable<void> Leader::follow() {
    const std::shared_ptr<Api> kept = api_;  // What waits on a loop may be ended after us.
    while (!resigned_) {
        co_await attempt();
        co_await pause(times_.retry);
    }
}

asio::awaitable<void> Leader::resign() {
    resigned_ = true;
    const bool ours = held_ && left().us > 0 && watch_.last();
    until_ = {};  // Before it is given back, nothing may be sent any more.
    if (!std::exchange(held_, false) || !ours) co_return;
    LeaseWish back{.epoch = epoch_,
                   .renewed = print_micro_time(wall_now()),
                   .version = watch_.last()->version};
    (void)co_await write(std::move(back));  // If it fails, the others wait until it is over.
}

Duration Leader::left() const {
    const Duration left = until_ - since_boot_();
    return std::max(left, Duration{});
}

Leadership Leader::now() const {
    const auto& last = watch_.last();
    Leadership known{.leads = left().us > 0, .epoch = epoch_, .trouble = trouble_};
    // What we held and could not renew in time is nobody's as far as we know.
    const bool lapsed = last && last->holder == who_ && !known.leads;
    if (!last || last->holder.empty() || lapsed) return known;
    known.holder = last->holder;
    known.holder_epoch = last->changes;
    known.since = last->acquired;
    known.left = known.leads ? left() : watch_.left(times_.lasts, since_boot_());
    return known;
}

}  // namespace parley::kube
