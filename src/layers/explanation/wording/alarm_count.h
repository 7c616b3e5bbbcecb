// Layer 6, explanation: alarms round by round in, how many were raised and for how long out; what
// makes two of them the same.

#pragma once

#include "layers/explanation/wording/wording.h"
#include "model/explanation.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// Whether it is one alarm that stands, even if its figures have changed. Missing samples are one
/// alarm whichever nodes lack them; every time that our clock is set is another.
inline bool same_alarm(const model::Alarm& a, const model::Alarm& b) {
    if (a.kind != b.kind) return false;
    if (a.kind == model::AlarmKind::no_samples) return true;
    const bool same_step = a.kind != model::AlarmKind::clock_stepped || a.sentence == b.sentence;
    return a.about == b.about && same_step;
}

/// Whether this alarm is among them.
inline bool has_alarm(const std::vector<model::Alarm>& alarms, const model::Alarm& alarm) {
    return std::ranges::any_of(alarms,
                               [&](const model::Alarm& each) { return same_alarm(each, alarm); });
}

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
        const auto is_new = [&](const model::Alarm& alarm) { return !has_alarm(standing_, alarm); };
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
