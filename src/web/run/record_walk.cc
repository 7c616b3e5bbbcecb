#include "web/run/record_walk.h"

#include "base/time_text.h"

#include <algorithm>
#include <utility>

namespace parley::web {
namespace {

constexpr Duration kWindow = minutes(10);
constexpr std::size_t kRestartsMax = 100'000;  // More say nothing new.

}  // namespace

void RestartWindow::meet(const model::Derived& derived, TimePoint now) {
    seen_.clear();
    derived.nodes.for_each([&](Slot slot, const model::NodeFold& fold) {
        for (const model::RestartSeen& each : fold.restarts) {
            if (each.count > 0) seen_.push_back({slot, each.at, each.count});
        }
    });
    std::ranges::sort(seen_, {}, &One::at);
    drop_old(now);
}

void RestartWindow::drop_old(TimePoint now) {
    while (!seen_.empty() && (now - seen_.front().at > kWindow || seen_.size() > kRestartsMax)) {
        seen_.pop_front();
    }
}

void RestartWindow::take(const model::RoundInput& input) {
    for (const model::Restart& each : input.snapshot.restarts) {
        seen_.push_back({each.node, each.at, each.count});
    }
    drop_old(input.now);
}

std::map<Slot, std::int32_t> RestartWindow::counts() const {
    std::map<Slot, std::int32_t> counts;
    for (const One& each : seen_) counts[each.node] += each.count;
    return counts;
}

void RecordWalk::meet(const model::RoundInput& input, const model::Memory* memory) {
    if (memory != nullptr) restarts_.meet(memory->derived, input.now);
    restarts_.take(input);
    last_ = input.now;
}

std::optional<WalkPlace> RecordWalk::place() const {
    auto waypoint = reader_.waypoint();
    if (!waypoint) return std::nullopt;
    WalkPlace place{*std::move(waypoint), restarts_, last_};
    if (const auto& begun = reader_.begun()) {  // The reader is a round ahead of what it gave.
        if (begun->memory) place.restarts.meet(begun->memory->derived, begun->input.now);
        place.restarts.take(begun->input);
        place.last = begun->input.now;
    }
    return place;
}

Result<SeenRoundPtr> RecordWalk::next(bool give_last) {
    // Told anew each time: a walk may have been moved since.
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
    seen->restarts = restarts_.counts();
    seen->events = std::move(record.events);
    seen->input = std::make_shared<const model::RoundInput>(std::move(record.input));
    seen->decision = std::make_shared<const model::Decision>(std::move(record.decision));
    return SeenRoundPtr(std::move(seen));
}

}  // namespace parley::web
