#include "apps/runs/cluster_owed.h"

#include "layers/round_core.h"
#include "sim/world/cluster.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

bool is_ok(const model::ActionEvent& event) {
    const auto* answer = std::get_if<model::Answered>(&event.what);
    return answer != nullptr && answer->ok;
}

struct Errands {
    std::vector<model::Request> carried_out;
    std::uint64_t swaps = 0;  ///< How often the ledger was stored.
};

/// What was done in a recorded round: each errand whose end is recorded; if the round is complete,
/// also what follows the last of them. `stored` is the ledger that it began with.
Errands errands_of(const Decided& round, const std::vector<model::ActionEvent>& events,
                   const model::Ledger& stored, bool complete) {
    RoundCore core({}, {});
    core.take_ledger(stored);
    core.go_on(round, nullptr);
    Errands done;
    auto event = events.begin();
    while (const auto errand = core.next()) {
        const bool recorded = event != events.end();
        if (std::holds_alternative<SwapLedger>(*errand)) {
            if (!recorded && !complete) break;
            ++done.swaps;
            core.swapped();
            continue;
        }
        if (!recorded) break;
        const auto* ask = std::get_if<AskFor>(&*errand);
        if (ask != nullptr && is_ok(*event)) done.carried_out.push_back(ask->request);
        core.take(*event++);
    }
    return done;
}

Decided decided(const store::Keyframe& round) {
    return {round.input, round.decision, round.memory};
}

}  // namespace

void ClusterOwed::take(const store::Keyframe& round,
                       const std::vector<model::ActionEvent>& events) {
    ++rounds_;
    if (std::ranges::any_of(events, is_ok)) {
        // Which ledger was stored changes nothing about the requests.
        Errands done = errands_of(decided(round), events, round.memory.ledger, false);
        for (model::Request& each : done.carried_out) {
            carried_out_.push_back({round.decision.round, round.input.now, std::move(each)});
        }
    }
    last_ = round;
    events_ = events;
}

void ClusterOwed::take(const model::Decision& decision,
                       const std::vector<model::ActionEvent>& events) {
    ++rounds_;
    for (const model::ActionEvent& event : events) {
        if (is_ok(event)) carried_out_.push_back({decision.round, event.at, std::nullopt});
    }
}

std::optional<CarriedOut> ClusterOwed::first_missing(
    const std::vector<sim::Remembered>& remembered) const {
    std::vector<bool> used(remembered.size());
    for (const CarriedOut& each : carried_out_) {
        const auto first = std::ranges::lower_bound(remembered, each.at, {}, &sim::Remembered::at);
        auto at = static_cast<std::size_t>(first - remembered.begin());
        const auto is_it = [&] {
            const auto* request = std::get_if<model::Request>(&remembered[at].what);
            return !used[at] && request != nullptr && (!each.request || *request == *each.request);
        };
        while (at < remembered.size() && remembered[at].at == each.at && !is_it()) ++at;
        if (at == remembered.size() || remembered[at].at != each.at) return each;
        used[at] = true;
    }
    return std::nullopt;
}

std::uint64_t ClusterOwed::ledger_behind(const model::Ledger& stored) const {
    if (last_.input.controls.mode != model::Mode::act) return stored.version;
    return stored.version + errands_of(decided(last_), events_, stored, ended_).swaps;
}

}  // namespace parley::app
