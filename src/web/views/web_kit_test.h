// Web, for tests: the round in which node-07 is in danger, as it is served.

#pragma once

#include "layers/explanation/telling/story_kit_test.h"
#include "web/views/seen_round.h"

#include <memory>
#include <utility>
#include <vector>

namespace parley::web::kit {

using explanation::kit::Recording;
using explanation::kit::Round;

inline SeenRoundPtr seen(Round round, std::vector<model::ActionEvent> events = {},
                         bool with_memory = true) {
    round.decision.forecast = round.forecast;
    auto out = std::make_shared<SeenRound>();
    out->input = std::make_shared<const model::RoundInput>(round.input);
    out->decision = std::make_shared<const model::Decision>(round.decision);
    if (with_memory) out->memory = std::make_shared<const model::Memory>(round.memory);
    out->events = std::move(events);
    return out;
}

inline store::RunHeader header(const model::Policy& policy) {
    store::RunHeader out;
    out.scenario = "made-up";
    out.seed = 7;
    out.interval = seconds(3);
    out.mode = model::Mode::act;
    out.simulated = true;
    out.policy = policy;
    return out;
}

/// Rounds 1 to `count`, three seconds apart; every tenth is contested, the rest are idle.
inline Round round_at(std::uint64_t number) {
    Round round(number, TimePoint{} + seconds(3) * static_cast<std::int64_t>(number));
    if (number % 10 != 0) round.decide_nothing("all is well", "nothing to save");
    return round;
}

}  // namespace parley::web::kit
