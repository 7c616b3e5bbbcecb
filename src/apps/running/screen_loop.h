// App: the screen of any run: shows rounds one after the other, on the whole screen or as lines.

#pragma once

#include "apps/running/rounds.h"
#include "apps/running/screen_model.h"
#include "apps/terminal/terminal.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace parley::app {

struct ScreenLoopOptions {
    Duration pace = seconds(1);         ///< Real time from round to round.
    Duration look = {};                 ///< How often to check for a round that comes by itself.
    std::optional<std::uint64_t> last;  ///< The round to stop after.
};

/// Answers to the keys w and n: text about a round, and about what a person typed.
struct Answers {
    std::function<std::string(std::uint64_t round)> why;
    std::function<std::string(const std::string& action, std::uint64_t round)> why_not;
};

/// Borrows the rounds. One thread.
class ScreenLoop {
public:
    ScreenLoop(Rounds& rounds, ScreenHistory history, ScreenLoopOptions options, Answers answers);

    /// Shows the whole screen until a person leaves it, the last round is over, or a round fails.
    [[nodiscard]] Result<void> on_screen();
    /// Prints one line per change of decision, alarm, change of a source, the kill switch or the
    /// leader, and phase of the exerciser.
    [[nodiscard]] Result<void> in_lines();

    bool complete() const { return options_.last && rounds_.rounds() >= *options_.last; }

private:
    /// The events of the next round; nothing: there is none yet.
    [[nodiscard]] Result<std::optional<std::vector<EventLine>>> next_round(std::uint64_t ticks);
    [[nodiscard]] Result<void> first_round(Terminal& terminal, Ticker& ticker, bool& left);
    /// Handles a key; true: leave.
    bool press(Key key, Terminal& terminal);
    void draw(Terminal& terminal) const;
    void show_text(Terminal& terminal, const std::string& text);

    Rounds& rounds_;
    ScreenHistory history_;
    ScreenLoopOptions options_;
    Answers answers_;
    std::optional<std::uint64_t> looking_at_;  ///< A past round; nothing: live.
    bool paused_ = false;
    bool difference_ = false;
};

}  // namespace parley::app
