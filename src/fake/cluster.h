// Fake: a cluster that answers from a script and remembers what it was asked.

#pragma once

#include "cluster/ledger_store.h"
#include "cluster/rehearsal.h"
#include "cluster/twin.h"
#include "cluster/watcher.h"
#include "cluster/writer.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace parley::fake {

/// Returns its batches one by one, then empty ones.
class Watcher final : public cluster::Watcher {
public:
    std::deque<Result<cluster::Batch>> script;
    std::vector<TimePoint> asked;

    boost::asio::awaitable<Result<cluster::Batch>> poll(TimePoint now) override;
};

/// Applies every request, unless the script or `on_apply` has another answer.
class Writer final : public cluster::Writer {
public:
    std::deque<Result<void>> script;  ///< Answers of the next calls.
    /// Called when the script is empty; may inspect state before it answers.
    std::function<Result<void>(const model::Request&)> on_apply;
    std::vector<model::Send> asked;       ///< Everything that was sent, in order.
    std::vector<cluster::Stamp> stamps;   ///< The stamps it was sent with.
    std::vector<model::Request> applied;  ///< What took effect.
    bool loses_answers = false;  ///< Applies requests, but answers that the outcome is unknown.

    boost::asio::awaitable<Result<void>> apply(model::Request request, model::Precondition only_if,
                                               cluster::Stamp stamp) override;
};

/// Shows a target as changed by the writer's requests. `change` may alter that.
class Reader final : public cluster::Reader {
public:
    explicit Reader(const Writer& writer) : writer_(writer) {}

    std::deque<Result<model::Live>> script;  ///< Answers of the next calls.
    std::function<void(const model::Request&, model::Live&)> change;
    std::map<std::string, model::Uid> uids;  ///< By the text of a target or the name of a pod.
    std::vector<model::Request> asked;

    boost::asio::awaitable<Result<model::Live>> read(model::Request about) override;

private:
    const Writer& writer_;
};

/// Accepts every request, unless the script has another answer.
class Rehearsal final : public cluster::Rehearsal {
public:
    std::deque<Result<cluster::Rehearsed>> script;  ///< Answers of the next calls.
    std::function<void()> on_rehearse;              ///< Called with each.
    std::vector<model::Request> asked;
    std::vector<cluster::Stamp> stamps;

    boost::asio::awaitable<Result<cluster::Rehearsed>> rehearse(model::Request request,
                                                                cluster::Stamp stamp) override;
};

class LedgerStore final : public cluster::LedgerStore {
public:
    model::Ledger stored;
    std::deque<Result<void>> script;     ///< Answers of the next swaps.
    std::vector<model::Ledger> history;  ///< Everything that was ever stored.
    bool unreadable = false;             ///< Nobody answers who asks for it.

    boost::asio::awaitable<Result<model::Ledger>> read_ledger() override;
    boost::asio::awaitable<Result<void>> swap_ledger(std::uint64_t expected,
                                                     model::Ledger next) override;
};

class Twins final : public cluster::Twins {
public:
    struct Fork {
        model::DecisionId action;
        std::vector<model::Target> leaves;
        std::vector<model::PlannedStep> loser;
    };
    std::vector<Fork> forks;
    std::vector<model::DecisionId> dropped;
    /// What each branch of a fork shows.
    std::function<std::vector<model::LeafCounters>(const Fork&, model::Branch, TimePoint)> show;

    void fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
              const std::vector<model::PlannedStep>& loser, const model::Snapshot& seen) override;
    void drop(model::DecisionId action) override;
    std::vector<model::TwinSample> sample(TimePoint now, const model::Snapshot& seen) override;
};

}  // namespace parley::fake
