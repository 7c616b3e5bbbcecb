#include "web/run/record_walk.h"

#include "base/time_text.h"

#include <utility>

namespace parley::web {

void RecordWalk::meet(const model::RoundInput& input, const model::Memory* memory) {
    if (memory != nullptr) restarts_.meet(memory->derived.nodes);
    restarts_.take(input);
    last_ = input.now;
}

std::optional<WalkPlace> RecordWalk::place() const {
    auto waypoint = reader_.waypoint();
    if (!waypoint) return std::nullopt;
    WalkPlace place{*std::move(waypoint), restarts_, last_};
    // The reader is one round ahead of what it returned.
    if (const auto& begun = reader_.begun()) {
        if (begun->memory) place.restarts.meet(begun->memory->derived.nodes);
        place.restarts.take(begun->input);
        place.last = begun->input.now;
    }
    return place;
}

Result<SeenRoundPtr> RecordWalk::next(bool give_last) {
    // Set each time, since the walk may have been moved in memory.
    reader_.skip_to(from_, [this](const model::RoundInput& input, const model::Memory* memory) {
        meet(input, memory);
    });
    auto read = reader_.next_whole(give_last);
    if (!read) return tl::unexpected(read.error());
    if (!*read) return SeenRoundPtr();
    store::RoundRecord& record = **read;
    auto seen = std::make_shared<SeenRound>();
    const Duration interval = reader_.header().interval;
    if (last_ && !reader_.header().simulated && record.input.now > *last_ + interval) {
        const Duration late = record.input.now - *last_ - interval;
        if (late >= milliseconds(100)) seen->pace = print_age(late) + " late";
    }
    meet(record.input, record.memory ? &*record.memory : nullptr);
    for (const model::RestartAt& each : restarts_.on_nodes_of(record.input.snapshot)) {
        seen->restarts[each.node] += each.seen.count;
    }
    seen->events = std::move(record.events);
    seen->input = std::make_shared<const model::RoundInput>(std::move(record.input));
    seen->decision = std::make_shared<const model::Decision>(std::move(record.decision));
    return SeenRoundPtr(std::move(seen));
}

}  // namespace parley::web
