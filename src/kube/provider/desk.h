// Kube, providers: runs their commands beside the loop, reads what is due, and keeps what they say.

#pragma once

#include "base/clock_wait.h"
#include "cluster/changes.h"
#include "kube/provider/book.h"
#include "kube/write/term.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace parley::kube {

/// Used on one executor; only the commands run elsewhere. What it started holds it until the
/// executor's context is destroyed.
class ProviderDesk : public std::enable_shared_from_this<ProviderDesk> {
public:
    /// Each command may take `limit`.
    explicit ProviderDesk(std::vector<Provider> providers, Duration limit = kProviderLimit);
    ~ProviderDesk();

    /// Reads what is due from now on, a few nodes at a time.
    void follow(const boost::asio::any_io_executor& executor);

    bool serves(Ability ability, std::string_view node) const;

    /// What the cluster shows now, and what is new to show of it.
    void saw(const std::vector<cluster::Change>& changes, bool complete);
    std::vector<std::pair<std::string, NodePower>> news();

    /// As value_of(). `denied` if nothing serves the node.
    boost::asio::awaitable<Result<std::int64_t>> read(Ability ability, std::string node,
                                                      model::Uid uid);

    /// Changes it, as long as the term lasts: when it ends the command is ended too, and nobody
    /// knows what came of it.
    boost::asio::awaitable<Result<void>> change(ProviderCall call, std::int64_t value, Term term);

    /// Ends all commands and waits for them; call it before the executor's context is destroyed.
    void quiet();

private:
    struct Pool;
    using Stop = std::shared_ptr<std::atomic<bool>>;

    boost::asio::awaitable<Result<std::string>> ask(ProviderCall call, Stop stop);
    boost::asio::awaitable<Result<std::int64_t>> ask_for(Ability ability, std::string node,
                                                         model::Uid uid);
    static boost::asio::awaitable<void> run_errands(std::shared_ptr<ProviderDesk> desk);
    static boost::asio::awaitable<void> watch_term(Term term, Stop stop, Stop done);
    Duration now() const;

    ProviderBook book_;
    Duration limit_;
    Stopwatch since_;
    std::vector<std::weak_ptr<std::atomic<bool>>> running_;
    bool quiet_ = false;
    std::unique_ptr<Pool> pool_;
};

}  // namespace parley::kube
