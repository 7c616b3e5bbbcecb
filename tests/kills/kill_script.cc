#include "tests/kills/kill_script.h"

#include "base/time_text.h"

namespace parley::kills {

namespace {

/// Longer than the lease of the dead one; longer than an action may take; longer than it stands.
Duration down_time(Dice& dice) {
    const std::uint64_t way = dice.roll(10);
    if (way < 6) return seconds(5 + static_cast<std::int64_t>(dice.roll(20)));
    return way < 8 ? minutes(11) : hours(7);
}

/// Most actions pass fewer than sixty points; what comes late must be met, too.
int point(Dice& dice) {
    const std::uint64_t within = dice.chance(50) ? 20 : dice.chance(60) ? 60 : 160;
    return 1 + static_cast<int>(dice.roll(within));
}

Fate fate_of(Dice& dice) {
    Fate fate;
    const std::uint64_t way = dice.roll(20);
    fate.death = way < 14 ? Death::kill : way < 16 ? Death::power : Death::stop;
    fate.at = point(dice);
    fate.down = down_time(dice);
    fate.resumes = dice.chance(40);
    fate.beside = 1 + static_cast<int>(dice.roll(8));
    fate.afterwards = 1 + static_cast<int>(dice.roll(4));
    return fate;
}

}  // namespace

Script script_of(std::uint64_t seed) {
    Dice dice(seed);
    Script script{.seed = seed};
    script.kind = enumerators<Kind>[seed % enumerators<Kind>.size()];
    const auto deaths = 1 + dice.roll(4);
    for (std::uint64_t i = 0; i < deaths; ++i) script.fates.push_back(fate_of(dice));
    const std::uint64_t way = dice.roll(4);
    script.ending = way < 2 ? Ending::expiry : way == 2 ? Ending::ease : Ending::cordon;
    script.ends_in = static_cast<int>(dice.roll(deaths + 1));
    script.ends_at = 1 + static_cast<int>(dice.roll(12));
    script.rough = dice.chance(50) ? 0 : 5 + static_cast<int>(dice.roll(30));
    script.interval = dice.chance(50) ? milliseconds(500) : seconds(3);
    script.late_most = dice.chance(70) ? 6 : 60;
    return script;
}

std::string text_of(const Script& script) {
    std::string text = "seed " + std::to_string(script.seed) + ": " +
                       std::string(enum_name(script.kind)) + " until " +
                       std::string(enum_name(script.ending)) + ", network " +
                       std::to_string(script.rough) + "%";
    for (const Fate& fate : script.fates) {
        text += "; " + std::string(enum_name(fate.death)) + " at " + std::to_string(fate.at) +
                ", down " + print_duration(fate.down) + (fate.resumes ? ", resumes" : "");
    }
    return text;
}

}  // namespace parley::kills
