#include "layers/execution/begin.h"

#include "base/number.h"
#include "base/random.h"
#include "layers/execution/action_machine.h"
#include "layers/execution/attribution.h"
#include "layers/execution/held_jobs.h"
#include "layers/execution/ledger_fold.h"
#include "layers/execution/marks.h"
#include "layers/execution/plan.h"
#include "layers/execution/stranded.h"
#include "layers/execution/tenants.h"
#include "model/coded.h"

#include <algorithm>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

// Of an id's lower half; above them is the epoch.
constexpr unsigned kRoundBits = 32;
constexpr unsigned kPlaceBits = 16;

/// Of the demand below which the clock is lowered.
constexpr double kClockBackAbove = 1.25;

/// The guard's objection to a proposal that was ranked without it; null: none.
const Refused* held_by(const Verdict& verdict, const Proposal& proposal) {
    for (const Judged& judged : verdict.judged) {
        const bool same = std::holds_alternative<Accepted>(judged.fate) &&
                          judged.proposal == proposal && judged.guard.held.has_value();
        if (same) return &*judged.guard.held;
    }
    return nullptr;
}

/// Scaling leaves no row for each workload in the ledger, only what it takes away in all.
void note_scaling(const OpenAction& action, const RoundInput& input, Memory& memory) {
    const auto& scale = std::get<Scale>(action.action);
    const auto* id = std::get_if<WorkloadId>(&action.target);
    const Slot slot = id != nullptr ? slot_of(input.snapshot, *id) : kNoSlot;
    const WorkloadRow* row = input.snapshot.workloads.find(slot);
    if (row != nullptr) {
        const WorkFold* before = memory.derived.workloads.find(slot);
        WorkFold fold = before != nullptr && before->uid == row->uid ? *before : WorkFold{row->uid};
        fold.scaled = input.now;
        memory.derived.workloads.put(slot, fold);
    }
    const std::int64_t taken = scale.replicas.from - scale.replicas.to;
    if (taken <= 0) return;
    std::vector<ScaledDown>& rows = memory.ledger.scaled_down;
    if (rows.empty() || rows.back().at != input.now) rows.push_back({input.now, 0});
    rows.back().replicas += taken;
}

void note_in_ledger(const Proposal& proposal, const OpenAction& action, const RoundInput& input,
                    const Policy& policy, Memory& memory) {
    if (pace_of(action.action) == Pace::scaling) return note_scaling(action, input, memory);
    Ledger& ledger = memory.ledger;
    const bool disrupts = disruptive(action.action);
    const Duration pause = disrupts ? policy.guard.cool_down : policy.guard.cool_down_gentle;
    const ActionKind kind = kind_of(action.action);
    ledger.cool_downs.push_back({action.target, kind, input.now + pause});
    if (disrupts) ledger.spent.push_back({input.now, kind, action.target});
    const auto* admission = std::get_if<Admission>(&action.action);
    if (admission == nullptr || input.controls.mode != Mode::act) return;
    ledger.orders.clear();  // There is one policy object, which this order overwrites.
    if (admission->decision == AdmissionWish::admit) return;
    ledger.orders.push_back({action.id, input.round, admission->decision, action.expires,
                             proposal.because, admission->spaces});
}

/// Why the ledger has no room for it; empty: it has.
std::string no_room(const Ledger& ledger, const OpenAction& action) {
    if (pace_of(action.action) == Pace::scaling) return {};
    if (ledger.open.size() >= kOpenMax) {
        return "not begun: " + std::to_string(ledger.open.size()) + " actions are open already";
    }
    // As in the guard: half of the ledger is kept for what cannot wait.
    const std::size_t bytes_max = saves(action.action) ? kLedgerBytesFull / 2 : kLedgerBytesFull;
    if (encode(ledger).size() + encode(action).size() <= bytes_max) return {};
    return "not begun: the ledger is full with " + std::to_string(ledger.open.size()) +
           " open actions";
}

void shelve(OpenAction action, ActionState state, std::string note, std::vector<Step>& steps) {
    action.state = state;
    action.note = std::move(note);
    trim_note(action);
    steps.push_back({std::move(action), state == ActionState::held ? Next(Wait{}) : Next(Done{})});
}

bool stands(const OpenAction& action) {
    return !action.undoing && action.state == ActionState::confirmed;
}

void give_back(OpenAction& action, std::string because, std::vector<Step>& steps) {
    Step step = give_up(std::move(action), ActionState::confirmed, std::move(because));
    trim_note(step.action);
    action = step.action;
    steps.push_back(std::move(step));
}

/// Agent C admits again while an order of its own still holds: the order is undone early. Nothing
/// has to accept that; giving back what we took is always allowed.
void release_orders(const Verdict& verdict, Ledger& ledger, std::vector<Step>& steps) {
    const auto admits = std::ranges::find_if(verdict.judged, [](const Judged& judged) {
        const auto* wish = std::get_if<Admission>(&judged.proposal.action);
        return wish != nullptr && wish->decision == AdmissionWish::admit;
    });
    if (admits == verdict.judged.end()) return;
    std::erase_if(ledger.orders, [&](const StandingOrder& order) {
        const auto open = std::ranges::find(ledger.open, order.id, &OpenAction::id);
        if (open == ledger.open.end() || !stands(*open)) return false;
        give_back(*open, admits->proposal.because, steps);
        return true;
    });
}

/// A node that was clocked down and is needed again gets its clock back at once. The bound lies
/// above the one below which it is lowered, so that it does not go to and fro.
void release_clocks(const Forecast& forecast, const RoundInput& input, const Policy& policy,
                    Ledger& ledger, std::vector<Step>& steps) {
    const double bound = efficiency_of(policy).dvfs_below * kClockBackAbove;
    for (OpenAction& open : ledger.open) {
        const auto* node = std::get_if<NodeId>(&open.target);
        if (node == nullptr || kind_of(open.action) != ActionKind::dvfs || !stands(open)) continue;
        for (const NodeForecast& each : forecast.nodes) {
            const NodeRow* row = input.snapshot.nodes.find(each.node);
            if (row == nullptr || row->id != *node) continue;
            if (!each.demand || !(*each.demand >= bound)) break;
            give_back(open,
                      "demand " + fixed(*each.demand, 2) + " is over " + fixed(bound, 2) + " again",
                      steps);
            break;
        }
    }
}

}  // namespace

DecisionId id_at(const RoundInput& input, std::uint64_t place) {
    if (input.run != 0) {
        const std::uint64_t epoch = input.controls.epoch & 0xffffU;
        const std::uint64_t round = input.round & ((std::uint64_t{1} << kRoundBits) - 1);
        return {input.run, (((epoch << kRoundBits) | round) << kPlaceBits) | place};
    }
    const random::Bits128 bits = draw128(input.seed, Stream::policy, input.round, place);
    return {bits.first, bits.second};
}

std::optional<Proposal> best_loser(const Verdict& verdict) {
    for (const Judged& judged : verdict.judged) {
        const bool lost = std::holds_alternative<Overridden>(judged.fate);
        if (lost && !changes_nothing(judged.proposal.action)) return judged.proposal;
    }
    return std::nullopt;
}

void begin(const Verdict& verdict, const Forecast& forecast, const RoundInput& input,
           const Policy& policy, Memory& memory, std::vector<Step>& steps) {
    Ledger& ledger = memory.ledger;
    release_stranded(input, policy, memory, steps);
    release_orders(verdict, ledger, steps);
    release_clocks(forecast, input, policy, ledger, steps);
    free_held(input, memory, steps);
    const std::optional<Proposal> loser = best_loser(verdict);
    const std::string lost = loser ? label_of(loser->role, loser->action) : std::string();
    std::uint64_t place = 0;
    for (const Proposal& proposal : verdict.accepted) {
        OpenAction action = plan(proposal, input, policy, id_at(input, ++place));
        carry_marks(action, ledger);
        if (const Refused* held = held_by(verdict, proposal)) {
            shelve(std::move(action), ActionState::held, held->because, steps);
            continue;
        }
        if (std::string why = no_room(ledger, action); !why.empty()) {
            shelve(std::move(action), ActionState::failed, std::move(why), steps);
            continue;
        }
        const bool would = input.controls.mode != Mode::act;
        note_in_ledger(proposal, action, input, policy, memory);
        open_window(action, lost, input, policy, memory.derived);
        if (would) {
            shelve(std::move(action), ActionState::would_send, "", steps);
            continue;
        }
        const ActionEvent first{action.id, input.now, Tick{}};
        Step step = advance(std::move(action), first);
        if (pace_of(step.action.action) == Pace::scaling) {
            std::vector<OpenAction>& scaling = memory.scaling;
            const auto after =
                std::ranges::lower_bound(scaling, step.action.id, {}, &OpenAction::id);
            scaling.insert(after, step.action);
        } else {
            ledger.open.push_back(step.action);
        }
        steps.push_back(std::move(step));
    }
}

}  // namespace parley::execution
