#include "tests/kills/kill_story.h"

#include <utility>

namespace parley::kills {

namespace {

constexpr int kRoundsMost = 90;          ///< Of one process.
constexpr int kQuiet = 4;                ///< Rounds in which nothing happens before time goes on.
constexpr Duration kAllOver = hours(7);  ///< Longer than any action stands.

class Teller {
public:
    Teller(const Script& script, Evidence& told) : script_(script), told_(told) {}

    void tell() {
        for (std::size_t i = 0; i < script_.fates.size(); ++i) live(script_.fates[i], i);
        finish();
    }

private:
    std::unique_ptr<Life> begin(std::optional<Fate> fate, bool resumes,
                                std::function<void()> stopped = {}) {
        if (!resumes || told_.runs.empty()) {
            told_.runs.push_back(std::make_unique<Run>());
            told_.runs.back()->id = (script_.seed << 8U) + told_.runs.size();
        }
        return std::make_unique<Life>(told_.network, *told_.runs.back(), told_.runs.size() - 1,
                                      number_++, std::move(fate), std::move(stopped));
    }

    void wait() { told_.world.now = told_.world.now + script_.interval; }

    /// The reason goes away or the node is taken, if that is when.
    void end_if_due(std::size_t life, int round) {
        const bool due = static_cast<int>(life) == script_.ends_in && round == script_.ends_at;
        if (!due) return;
        if (script_.ending == Ending::ease) told_.world.reason = false;
        if (script_.ending == Ending::cordon) told_.world.cordon(true);
    }

    void live(const Fate& fate, std::size_t number) {
        std::unique_ptr<Life> second;
        const auto stopped = [&] {
            second = begin(std::nullopt, false);
            for (int i = 0; i < fate.beside; ++i) {
                wait();
                second->round();
            }
        };
        auto life = begin(fate, resumes_, stopped);
        follow(*life, second, fate, number);
        told_.began = told_.began || life->armed();
        told_.deaths.push_back(life->died().empty() ? "kill between rounds" : life->died());
        // Of two, the one that began later has the record that may be gone on with.
        resumes_ = fate.resumes;
        life.reset();
        second.reset();
        told_.network.holder = -1;
        told_.world.now = told_.world.now + fate.down;
    }

    /// Rounds until it is dead, or it stands and is left to be killed between two rounds.
    void follow(Life& life, const std::unique_ptr<Life>& second, const Fate& fate,
                std::size_t number) {
        int quiet = 0;
        int armed = 0;
        int left = fate.afterwards;
        bool waited = told_.network.dice.chance(40);
        for (int i = 0; i < kRoundsMost; ++i) {
            wait();
            if (!life.round()) return;
            if (life.armed()) end_if_due(number, ++armed);
            if (second) second->round();
            if (life.was_stopped() && --left < 0) return;
            quiet = life.armed() && life.rests() ? quiet + 1 : 0;
            if (quiet < kQuiet) continue;
            if (std::exchange(waited, true)) return;
            told_.world.reason = false;
            told_.world.now = told_.world.now + kAllOver;
            quiet = 0;
        }
    }

    void rounds_until_quiet(Life& life) {
        for (int i = 0, quiet = 0; i < kRoundsMost && quiet < kQuiet; ++i) {
            wait();
            life.round();
            quiet = life.rests() ? quiet + 1 : 0;
        }
    }

    /// One that lives on brings everything to its end. What is late comes at any time of that.
    void finish() {
        const std::uint64_t when = told_.network.dice.roll(3);
        if (when == 0) told_.network.flush();
        auto life = begin(std::nullopt, resumes_);
        rounds_until_quiet(*life);
        if (when == 1) told_.network.flush();
        told_.world.reason = false;
        told_.world.cordon(false);
        told_.world.now = told_.world.now + kAllOver;
        for (int i = 0; i < kRoundsMost && (i < kQuiet || life->has_open()); ++i) {
            // What was tried in vain is tried again after a minute at most.
            told_.world.now = told_.world.now + minutes(i > 20 ? 1 : 0);
            wait();
            life->round();
        }
        told_.network.flush();
        told_.open = life->has_open();
        told_.began = told_.began || life->armed();
        (void)told_.world.snapshot(0);  // Pods come in line with what is wanted now.
    }

    const Script& script_;
    Evidence& told_;
    int number_ = 0;
    bool resumes_ = false;
};

}  // namespace

std::unique_ptr<Evidence> play(const Script& script, bool tells) {
    auto told = std::make_unique<Evidence>(script);
    told->network.tells = tells;
    Teller(script, *told).tell();
    return told;
}

}  // namespace parley::kills
