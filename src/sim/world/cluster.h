// Simulation, adapter: the synchronous world behind the asynchronous seam.

#pragma once

#include "cluster/ledger_store.h"
#include "cluster/watcher.h"
#include "cluster/writer.h"
#include "sim/world/world.h"

#include <functional>
#include <variant>
#include <vector>

namespace parley::sim {

/// Something that the cluster keeps whoever asked for it: a request that it carried out, or the
/// ledger stored in it.
struct Remembered {
    TimePoint at;
    std::variant<model::Request, model::Ledger> what;
};
BOOST_DESCRIBE_STRUCT(Remembered, (), (at, what))

/// All sides of the seam over one world. One thread.
class Cluster final : public cluster::Watcher,
                      public cluster::Reader,
                      public cluster::Writer,
                      public cluster::LedgerStore {
public:
    /// Called when something was carried out, before the answer is given: like a real cluster, it
    /// remembers what was done even if the one who asked dies before the answer.
    using OnRemembered = std::function<void(const Remembered&)>;

    explicit Cluster(World world, OnRemembered on_remembered = {});

    World& world() { return world_; }
    const World& world() const { return world_; }

    /// Restores the state in which an earlier process left it, by repeating what was remembered at
    /// its time. Fails if that cannot have happened in this world.
    [[nodiscard]] Result<void> bring_up_to(const std::vector<Remembered>& remembered);

    boost::asio::awaitable<Result<cluster::Batch>> poll(TimePoint now) override;
    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;
    boost::asio::awaitable<Result<model::Ledger>> read_ledger() override;
    boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected,
                                                     model::Ledger next) override;

private:
    World world_;
    bool first_ = true;
    OnRemembered on_remembered_;
    model::Ledger ledger_;
};

}  // namespace parley::sim
