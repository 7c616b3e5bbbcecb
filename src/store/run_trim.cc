#include "store/run_trim.h"

#include "store/run_writer.h"

#include <algorithm>

namespace parley::store {

Result<std::optional<KeyframePlace>> cut_before(Disk& disk, const std::string& run,
                                                std::uint64_t first, std::uint64_t keep_from) {
    Position from;
    const auto places = find_keyframes(disk, run, from);
    if (!places) return tl::unexpected(places.error());
    const auto behind = std::ranges::upper_bound(*places, keep_from, {}, &KeyframePlace::round);
    if (behind == places->begin() || (behind - 1)->round <= first) return std::nullopt;
    return *(behind - 1);
}

Result<RetentionReport> drop_rounds(Disk& disk, const std::string& run, const KeyframePlace& cut) {
    Retention retention{
        .before_sequence = cut.position.sequence, .version_max = kFormatVersion, .last_too = true};
    for (const RunFrame kind : {RunFrame::keyframe, RunFrame::input, RunFrame::decision,
                                RunFrame::event, RunFrame::start}) {
        retention.kinds.push_back(static_cast<std::uint8_t>(kind));
    }
    return drop_payloads(disk, journal_folder(run), retention);
}

std::string dropped_text(const std::vector<NumberRange>& dropped) {
    std::string text;
    for (const NumberRange& each : dropped) {
        text += (text.empty() ? "" : ", ") + rounds_text(each);
    }
    if (text.empty()) return text;
    const bool one = dropped.size() == 1 && dropped[0].first == dropped[0].last;
    return text + (one ? " was" : " were") + " dropped by `parley trim`";
}

}  // namespace parley::store
