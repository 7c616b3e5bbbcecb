// The shell of a round: observe, decide, append, wait until durable, swap the ledger, send, append
// the answers, publish. Everything that waits is here; what to do next is said by RoundCore.

#pragma once

#include "base/result.h"
#include "cluster/ledger_store.h"
#include "cluster/rehearsal.h"
#include "cluster/twin.h"
#include "cluster/writer.h"
#include "layers/execution/rehearsals.h"
#include "layers/recorder.h"
#include "layers/round_core.h"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley {

namespace execution {
class Sender;
}

/// A round as the other threads see it. Never changed after it is published.
struct Published : Decided {
    std::string trouble;                     ///< Why nothing was sent; else empty.
    std::vector<model::ActionEvent> events;  ///< What came back during the round, as recorded.
};

/// What is needed to act. Borrowed, must outlive the pipeline. Only mode `act` gets any, so that
/// the other modes cannot write.
struct Hands {
    cluster::Reader* reader = nullptr;
    cluster::Writer* writer = nullptr;
    cluster::LedgerStore* ledger = nullptr;
};

/// What a pipeline is made of. Pointers are borrowed and must outlive it.
struct PipelineParts {
    /// The snapshot of a round; what cannot be read is a gap in it.
    std::function<boost::asio::awaitable<model::Snapshot>(std::uint64_t round, TimePoint now)>
        observe;
    Recorder* recorder = nullptr;
    const std::atomic<bool>* stop = nullptr;  ///< The kill switch.
    /// The process ends, so that a round under way sends nothing more. Null: rounds end first.
    const std::atomic<bool>* leaving = nullptr;
    std::optional<Hands> hands;
    /// The epoch in which we lead, asked at the beginning of each round in mode `act`; nothing:
    /// another one leads, and the round only says what it would do. Null: we always do.
    std::function<std::optional<std::uint64_t>()> leads;
    /// The time since boot, by which a decision gets too old to be sent. Null: it never does, as on
    /// a cluster whose time stands still meanwhile.
    std::function<Duration()> since_boot;
    cluster::Twins* twins = nullptr;  ///< Null: scores have no twin and say so.
    /// Asked in mode `dry_run` what each request would be answered; only that mode may have one.
    cluster::Rehearsal* rehearsal = nullptr;
    /// Called once a round, even if the round could not be recorded.
    std::function<void(std::shared_ptr<const Published>)> publish;
};

/// What is said of a failure after which nothing can be recorded.
[[nodiscard]] Error not_recorded(const Error& failure);

/// Runs rounds, one after the other, on the loop's thread. Not thread-safe.
class Pipeline {
public:
    /// `hands` must be set in mode `act`, and only then.
    Pipeline(PipelineParts parts, RoundSettings settings, Start start);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    /// One round at `now`, which must not go back. An error is a sentence that says why nothing, or
    /// no more, was sent. If the round could not be recorded, every later one fails, too; if
    /// another leader wrote the ledger, the next round reads it and continues from there. `stepped`
    /// is how far our own clock was set since the last round.
    boost::asio::awaitable<Result<void>> round(TimePoint now, Duration stepped = {});

    /// Nothing can be recorded any more, so that every later round fails, too. An error without it
    /// is of the cluster, and the next round may be fine.
    bool broken() const { return broken_.has_value(); }

    /// The memory that the next round starts from.
    const model::Memory& memory() const { return core_.memory(); }

private:
    bool lead();
    boost::asio::awaitable<Result<void>> begin();
    std::optional<Errand> next_errand();
    boost::asio::awaitable<Result<void>> run_errands();
    boost::asio::awaitable<Result<void>> send(AskFor ask);
    boost::asio::awaitable<Result<void>> rehearse(const Published& round);
    Duration age() const;
    bool leaving() const { return parts_.leaving != nullptr && parts_.leaving->load(); }
    boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected);
    Result<void> keep(Result<void> kept);

    PipelineParts parts_;
    RoundCore core_;
    std::unique_ptr<execution::Sender> sender_;
    execution::Rehearsals rehearsals_;
    Duration observed_;            ///< When the present round was, since boot.
    std::optional<Error> broken_;  ///< Why nothing can be recorded any more.
    bool reread_ = true;           ///< The ledger must be read before the next round acts.
    bool started_ = false;         ///< It was read once, and the record knows what we began with.
    std::string unstored_;  ///< Why the last round could not store it, until a round says so.
};

}  // namespace parley
