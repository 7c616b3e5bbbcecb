#include "tests/kills/kill_network.h"

#include "base/time_text.h"
#include "layers/execution/kit_test.h"

#include <utility>

namespace parley::kills {

void Network::tell(int life, const std::string& what) {
    if (!tells) return;
    const std::string at = print_age(world.now - execution::kNow);
    story.push_back(at + " life " + std::to_string(life) + ": " + what);
}

void Network::pass() {
    for (std::size_t i = 0; i < late_.size();) {
        if (--late_[i].after > 0) {
            ++i;
            continue;
        }
        const auto arrives = std::move(late_[i].arrives);
        late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(i));
        arrives();
    }
}

void Network::flush() {
    while (!late_.empty()) pass();
}

void Network::later(std::function<void()> arrives) {
    late_.push_back({1 + dice.roll(most_), std::move(arrives)});
}

Network::Weather Network::weather() {
    if (rough_ == 0 || !dice.chance(rough_)) return Weather::fine;
    constexpr Weather kBad[] = {Weather::lost, Weather::late, Weather::no_answer, Weather::twice,
                                Weather::refused};
    return kBad[dice.roll(std::size(kBad))];
}

}  // namespace parley::kills
