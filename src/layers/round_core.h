// The core of a round's shell, which never waits: what was observed in; what was decided and then
// one errand after the other out. The caller does the errands: awaited on a cluster
// (layers/pipeline), or at once on a simulated world (trial/world_run).

#pragma once

#include "cluster/stamp.h"
#include "cluster/twin.h"
#include "guard/facts.h"
#include "layers/decide.h"

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace parley {

struct RoundSettings {
    model::Policy policy;
    prediction::Brains brains;  ///< The models that the policy names.
    std::uint64_t seed = 0;
    model::Mode mode = model::Mode::observe;
    bool simulated = false;
    std::uint64_t epoch = 0;  ///< Of the leader's lease.
    std::uint64_t run = 0;    ///< Its id, of model::run_id_of.
};

/// Where a run continues: the last recorded round and the memory it left. Empty for a new run.
struct Start {
    std::uint64_t round = 0;
    model::Memory memory;
    bool lifted = false;  ///< A person lifted the kill switch since that round.
};

/// A round, with what was decided in it.
struct Decided {
    model::RoundInput input;
    model::Decision decision;
    model::Memory memory;  ///< As decided; the steps taken since then are only in the next round's.
};

/// Replace the stored ledger by RoundCore::next_ledger, if its version is still `expected`.
struct SwapLedger {
    std::uint64_t expected = 0;
};
/// Read the live target of this request.
struct LookAt {
    model::Request subject;
};
/// Ask for one change. Never repeated: whether to try again is decided by the action machine.
struct AskFor {
    model::Request request;
    model::Precondition only_if;
    cluster::Stamp stamp;
};
using Errand = std::variant<SwapLedger, LookAt, AskFor>;

/// What rests on an older observation is not sent, but asked again in the next round.
inline constexpr Duration kDecisionAgeMax = seconds(10);

/// For each round: `begin`, `next_input`, `decide`, and once that is recorded `go_on`; then errands
/// until there are none. Not thread-safe, never waits.
class RoundCore {
public:
    RoundCore(RoundSettings settings, Start start);

    const RoundSettings& settings() const { return settings_; }
    prediction::Brains& brains() { return settings_.brains; }
    const model::Memory& memory() const { return memory_; }  ///< What the next round starts from.
    /// Events of this round.
    const std::vector<model::ActionEvent>& events() const { return events_; }

    /// The stored ledger is authoritative: the next round continues from what another leader, or we
    /// before a crash, left there. Events since the last round are dropped, since they belong to a
    /// ledger that is no longer ours.
    void take_ledger(model::Ledger read);

    /// In which epoch we lead from now on; nothing: not at all, and rounds only say what they would
    /// do. Returns whether that is new. From the start we lead in the epoch of the settings.
    bool lead(std::optional<std::uint64_t> epoch);

    std::uint64_t begin() { return ++round_; }  ///< The number of the round to observe for.
    /// Its input, made of what the caller saw and of what came back since the round before. Once
    /// stopped it stays so, by the ledger, also in the next process: only a switch that was seen
    /// pressed and then not pressed, or a start that says so, lifts it.
    model::RoundInput next_input(TimePoint now, model::Snapshot snapshot, bool stop,
                                 cluster::Twins* twins);

    /// Decides a round whose input is filled in. Does not change the core.
    void decide(Decided& round) const;

    /// Makes a recorded round the current one. Twins are forked before its first request, so that
    /// they and the cluster start from the same state. `round` is borrowed until the next go_on().
    void go_on(const Decided& round, cluster::Twins* twins);

    /// The next errand; nothing: every action rests until the next round. Gives the same errand
    /// until it is done. `age` is how long ago the round was observed: beyond kDecisionAgeMax no
    /// target is read any more, but for what gives back. A request whose target was read before
    /// is an errand all the same, since its action is told what came of it.
    std::optional<Errand> next(Duration age = {});
    /// The process ends: from now on no target is read any more, not even for what gives back.
    void leave() { leaving_ = true; }
    model::Ledger next_ledger() const;
    void swapped();  ///< The errand SwapLedger is done.
    /// The event for the result of LookAt, with the guard's answer.
    model::ActionEvent event_of(const Result<model::Live>& live) const;
    /// The event for the result of AskFor.
    model::ActionEvent event_of(const Result<void>& applied) const;
    /// Continues with this event, which must be durable by now.
    void take(const model::ActionEvent& event);
    /// Keeps an event of an action that is not open, so that the next round's input holds it.
    void note(const model::ActionEvent& event) { events_.push_back(event); }

private:
    bool opened_now(const model::DecisionId& id) const;
    void follow(const Decided& round, cluster::Twins& twins);
    bool find_step(Duration age);
    const guard::Facts& facts() const;

    RoundSettings settings_;
    std::uint64_t round_ = 0;
    model::Memory memory_;
    /// The ledger in the memory, with the steps carried out since; its version is that of stored_,
    /// so that the two are equal if nothing else differs.
    model::Ledger ledger_;
    model::Ledger stored_;  ///< The stored ledger as last read or swapped.
    std::vector<model::ActionEvent> events_;
    std::vector<model::TwinSample> samples_;
    bool leads_ = true;
    bool fresh_ = true;     ///< The first round of this process, or since a ledger was read.
    bool leaving_ = false;  ///< Whoever comes next goes on with what is open.
    bool pressed_ = false;  ///< The kill switch was, in the round before.
    bool lifted_;           ///< It was lifted, and no round knows yet.

    const Decided* decided_ = nullptr;           ///< The round whose steps are being carried out.
    std::size_t first_ = 0;                      ///< Index of the next of its first steps.
    std::optional<model::Step> step_;            ///< Of the action on its way.
    int taken_ = 0;                              ///< Steps of it in this round.
    bool begun_ = false;                         ///< Its decision is in the ledger.
    bool swap_due_ = false;                      ///< The ledger is not as it is stored.
    bool stepped_ = false;                       ///< A step was taken since that was looked at.
    mutable std::optional<guard::Facts> facts_;  ///< Made when first asked for.
};

}  // namespace parley
