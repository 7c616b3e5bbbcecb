#include "sim/world/cluster.h"

#include "base/check.h"

#include <utility>

namespace parley::sim {

using boost::asio::awaitable;

Cluster::Cluster(World world, OnRemembered on_remembered)
    : world_(std::move(world)), on_remembered_(std::move(on_remembered)) {}

awaitable<Result<cluster::Batch>> Cluster::poll(TimePoint now) {
    world_.advance(now);
    cluster::Batch batch;
    world_.collect(batch);
    batch.complete = std::exchange(first_, false);
    co_return batch;
}

awaitable<Result<model::Live>> Cluster::read(model::Request about) { co_return world_.read(about); }

awaitable<Result<void>> Cluster::apply(model::Request request, model::Precondition only_if,
                                       cluster::Stamp /*stamp*/) {
    const Result<void> answer = world_.apply(request, only_if);
    if (answer && on_remembered_) on_remembered_({world_.now(), std::move(request)});
    co_return answer;
}

awaitable<Result<model::Ledger>> Cluster::read_ledger() { co_return ledger_; }

awaitable<Result<void>> Cluster::swap_ledger(std::uint64_t expected, model::Ledger next) {
    if (ledger_.version != expected) {
        co_return fail(ErrorCode::conflict,
                       "the ledger is at version " + std::to_string(ledger_.version) + ", not " +
                           std::to_string(expected) + ": another process writes it");
    }
    ledger_ = std::move(next);
    if (on_remembered_) on_remembered_({world_.now(), ledger_});
    co_return Result<void>();
}

Result<void> Cluster::bring_up_to(const std::vector<Remembered>& remembered) {
    for (const Remembered& each : remembered) {
        if (const auto* ledger = std::get_if<model::Ledger>(&each.what)) {
            ledger_ = *ledger;
            continue;
        }
        world_.advance(each.at);
        // It succeeded before in the same world, so it must again.
        const auto again = world_.apply(std::get<model::Request>(each.what), {});
        if (!again) return within("what the cluster remembers does not fit it", again.error());
    }
    return {};
}

}  // namespace parley::sim
