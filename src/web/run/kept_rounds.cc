#include "web/run/kept_rounds.h"

#include <algorithm>
#include <utility>

namespace parley::web {
namespace {

template <class T>
std::size_t alone_in(const Table<T>& rows, const Table<T>& other) {
    std::size_t chunks = 0;
    for (std::size_t i = 0; i < rows.chunk_count(); ++i)
        chunks += rows.shares_chunk(other, i) ? 0 : 1;
    return chunks * Table<T>::chunk_bytes();
}

}  // namespace

std::size_t bytes_alone(const SeenRound& round, const SeenRound& other) {
    const model::Snapshot& a = round.input->snapshot;
    const model::Snapshot& b = other.input->snapshot;
    std::size_t bytes =
        alone_in(a.nodes, b.nodes) + alone_in(a.workloads, b.workloads) + alone_in(a.pods, b.pods);
    const model::Forecast& forecast = round.decision->forecast;
    bytes += forecast.nodes.size() * sizeof(model::NodeForecast) +
             forecast.workloads.size() * sizeof(model::WorkloadForecast);
    if (!round.memory || round.memory == other.memory) return bytes;
    const model::Derived& mine = round.memory->derived;
    const model::Derived none;
    const model::Derived& theirs = other.memory ? other.memory->derived : none;
    return bytes + alone_in(mine.nodes, theirs.nodes) + alone_in(mine.workloads, theirs.workloads) +
           alone_in(mine.trails, theirs.trails);
}

void KeptRounds::add(SeenRoundPtr round) {
    if (!kept_.empty()) {
        kept_.back().bytes = bytes_alone(*kept_.back().round, *round);
        bytes_ += kept_.back().bytes;
    }
    kept_.push_back({std::move(round)});
    while (kept_.size() > 2 && (kept_.size() > limits_.rounds || bytes_ > limits_.bytes)) {
        bytes_ -= kept_.front().bytes;
        kept_.pop_front();
    }
}

SeenRoundPtr KeptRounds::find(std::uint64_t number) const {
    const auto found = std::ranges::find(
        kept_, number, [](const Kept& each) { return each.round->decision->round; });
    return found == kept_.end() ? nullptr : found->round;
}

}  // namespace parley::web
