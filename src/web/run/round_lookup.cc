#include "web/run/round_lookup.h"

#include "layers/explanation/wording/wording.h"

#include <string>
#include <utility>

namespace parley::web {

Result<RoundSource> find_round(const RunKnown& known, std::optional<std::uint64_t> number) {
    if (!known.problem.empty()) return fail(ErrorCode::denied, known.problem);
    const std::uint64_t newest = known.index ? known.index->newest() : 0;
    if (newest == 0 || (number && *number > known.index->last())) {
        if (!known.read || (newest == 0 && known.earlier_rounds)) {
            return fail(ErrorCode::unavailable,
                        "The record is being read: " +
                            explanation::counted(static_cast<std::int64_t>(newest), "round") +
                            " so far.");
        }
        if (newest == 0) {
            const std::string lost = known.index ? known.index->damage_text() : "";
            return fail(ErrorCode::gone, lost.empty() ? "No round yet." : lost);
        }
        return fail(ErrorCode::gone, "There is no round " + std::to_string(*number) +
                                         " yet; the newest is " +
                                         std::to_string(known.index->last()) + ".");
    }
    const std::uint64_t wanted = number.value_or(newest);
    if (SeenRoundPtr near = known.ring.find(wanted)) return RoundSource{.near = std::move(near)};
    const bool unknown = known.earlier_rounds && wanted < known.index->first();
    if (!unknown && !known.index->has(wanted)) {
        return fail(ErrorCode::gone, known.index->missing_text(wanted));
    }
    if (!known.store) {
        return fail(ErrorCode::gone, "Round " + std::to_string(wanted) +
                                         " is no longer kept: this run is not recorded.");
    }
    return RoundSource{.store = known.store, .number = wanted};
}

std::optional<std::vector<SeenRoundPtr>> near_rounds(const RunKnown& known, std::uint64_t first,
                                                     std::uint64_t last) {
    const bool all_near = !known.ring.empty() && known.ring.oldest()->decision->round <= first;
    if (!all_near && known.store) return std::nullopt;
    std::vector<SeenRoundPtr> near;
    known.ring.for_each([&](const SeenRoundPtr& each) {
        const std::uint64_t number = each->decision->round;
        if (number >= first && number <= last) near.push_back(each);
    });
    return near;
}

}  // namespace parley::web
