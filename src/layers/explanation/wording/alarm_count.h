// Layer 6, explanation: alarms round by round in, how many were raised and for how long out.

#pragma once

#include "layers/explanation/wording/wording.h"
#include "model/explanation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// "1 alarm, in 157 rounds": how many were raised, and in how many rounds any stood.
inline std::string alarms_text(std::uint64_t raised, std::uint64_t rounds) {
    if (raised == 0 && rounds == 0) return "no alarm was raised";
    return counted(static_cast<std::int64_t>(raised), "alarm") + ", in " +
           counted(static_cast<std::int64_t>(rounds), "round");
}

/// Counts alarms over a run. One that stands for many rounds was raised once; one that cleared and
/// came back was raised twice.
class AlarmCount {
public:
    /// The alarms of the next round; returns how many of them did not stand in the round before.
    std::uint64_t take(const std::vector<model::Alarm>& alarms) {
        const auto is_new = [&](const model::Alarm& alarm) {
            return std::ranges::none_of(standing_, [&](const model::Alarm& each) {
                return each.kind == alarm.kind && each.about == alarm.about;
            });
        };
        const auto raised = static_cast<std::uint64_t>(std::ranges::count_if(alarms, is_new));
        standing_ = alarms;
        raised_ += raised;
        if (!alarms.empty()) ++rounds_;
        return raised;
    }

    std::uint64_t raised() const { return raised_; }
    /// Rounds in which any stood.
    std::uint64_t rounds() const { return rounds_; }

private:
    std::vector<model::Alarm> standing_;
    std::uint64_t raised_ = 0;
    std::uint64_t rounds_ = 0;
};

}  // namespace parley::explanation
