#include "layers/execution/held_jobs.h"

#include "layers/execution/begin.h"

#include <algorithm>
#include <tuple>

namespace parley::execution {

using namespace model;

namespace {

/// Jobs that are freed by one action; the next one begins when it has ended.
constexpr std::size_t kAtOnce = 16;
/// Places of ids that accepted proposals never reach.
constexpr std::uint64_t kPlace = 0x8000;
constexpr Duration kTakes = minutes(1);

bool is_held_job(const WorkloadRow& row) {
    return row.id.kind == WorkloadKind::job && is_held(row.mark);
}

bool still_ordered(const Ledger& ledger, const Mark& mark, TimePoint now) {
    return now < mark.expires &&
           std::ranges::count(ledger.orders, mark.decision, &StandingOrder::id) > 0;
}

bool is_freeing(const OpenAction& action) {
    return std::ranges::any_of(action.undo, [](const Request& request) {
        return std::holds_alternative<ResumeJob>(request);
    });
}

}  // namespace

void free_held(const RoundInput& input, Memory& memory, std::vector<Step>& steps) {
    if (input.controls.mode != Mode::act || input.controls.simulated) return;
    Ledger& ledger = memory.ledger;
    if (std::ranges::any_of(ledger.open, is_freeing) || ledger.open.size() >= kOpenMax) return;
    std::vector<const WorkloadRow*> held;
    input.snapshot.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (is_held_job(row) && !still_ordered(ledger, *row.mark, input.now)) held.push_back(&row);
    });
    if (held.empty()) return;
    std::ranges::sort(held, {},
                      [](const WorkloadRow* row) { return std::tuple(row->rolled_out, row->id); });
    OpenAction action;
    action.id = id_at(input, kPlace);
    action.round = input.round;
    action.role = Role::admission;
    action.action = Admission{};
    action.target = WholeCluster{};
    action.deadline = input.now + kTakes;
    action.expires = input.now + kTakes;
    action.undoing = true;
    action.state = ActionState::marked;
    action.ended = ActionState::confirmed;
    const std::size_t count = std::min(held.size(), kAtOnce);
    action.note = "no order holds " + std::to_string(held.size()) +
                  (held.size() == 1 ? " Job" : " Jobs") + " any more";
    for (std::size_t i = 0; i < count; ++i) action.undo.push_back(ResumeJob{held[i]->id});
    ledger.open.push_back(action);
    steps.push_back({std::move(action), Read{}});
}

}  // namespace parley::execution
