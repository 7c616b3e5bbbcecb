// Kills: how one process reads and changes the cluster. Does what kube/write/hand and
// kube/write/orders promise of theirs, at the seam: changes go to the version that was read, what
// came of a request without an answer is settled by a renewed mark, a predecessor's mark is renewed
// before what it does not show counts, and what meets a conflict is looked at.

#pragma once

#include "cluster/ledger_store.h"
#include "cluster/writer.h"
#include "tests/kills/kill_network.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace parley::kills {

/// Thrown where a process is killed: nothing after that point happens.
struct Killed {};

/// What a hand needs to know of the process it belongs to.
struct Owner {
    int life = 0;
    std::size_t run = 0;
    /// Passes a point at which the process may end, which throws.
    std::function<void(const std::string&)> pass;
    /// The same where its request is on its way: true if it ends here.
    std::function<bool(const std::string&)> ends_here;
    std::function<bool()> has_term;           ///< By its own clock it still leads.
    std::function<std::uint64_t()> recorded;  ///< Its last durable round.
};

class Hand final : public cluster::Reader, public cluster::Writer, public cluster::LedgerStore {
public:
    Hand(Network& network, Owner owner) : network_(network), owner_(std::move(owner)) {}

    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;
    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;
    boost::asio::awaitable<Result<model::Ledger>> read_ledger() override;
    boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected,
                                                     model::Ledger next) override;

private:
    struct Doubt {
        model::Precondition only_if;
        model::Request request;
        cluster::Stamp stamp;
    };

    Sender sender_of(const cluster::Stamp& stamp) const;
    void doubt_predecessors(const std::string& key, const Object& seen,
                            const model::Request& about);
    Result<void> settle(const model::Request& about);
    Result<void> send(const model::Request& request, const model::Precondition& only_if,
                      const Sender& sender);
    bool is_our_work(const model::Request& request, const model::DecisionId& decision) const;

    Network& network_;
    Owner owner_;
    std::map<std::string, Object> last_;   ///< By object; what the next change rests on.
    std::map<std::string, Doubt> doubts_;  ///< By object.
    std::set<std::string> sure_;           ///< Objects marked by us, or renewed.
};

}  // namespace parley::kills
