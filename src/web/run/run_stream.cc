#include "web/run/run_stream.h"

#include "web/views/node_view.h"

#include <memory>
#include <string>
#include <utility>

namespace parley::web {

void RunStream::tell(std::uint64_t id, Shared message) {
    if (id != 0) recent_.add(id, message);
    if (listener_) listener_(id, std::move(message));
}

void RunStream::announce(const RunContext& run, const SeenRound& round, const Around& around) {
    const std::uint64_t number = round.decision->round;
    MapView map = map_view(round);
    const auto framed = [&](const MapView* before) {
        const RoundSummary summary = round_summary(run, round, before, map, around);
        return std::make_shared<const std::string>(
            frame_event("round", number, view_json(summary)));
    };
    const bool moved = !map_ || map_->names != map.names;
    Shared message = framed(map_ ? &*map_ : nullptr);
    newest_whole_ = moved ? message : framed(nullptr);
    map_ = std::move(map);
    tell(number, std::move(message));
}

std::vector<Shared> RunStream::greeting(Shared status, std::optional<std::uint64_t> last) const {
    std::vector<Shared> out{std::move(status)};
    if (!newest_whole_) return out;
    auto missed = last ? recent_.after(*last) : std::nullopt;
    if (!missed) {
        out.push_back(newest_whole_);
    } else {
        out.insert(out.end(), missed->begin(), missed->end());
    }
    return out;
}

}  // namespace parley::web
