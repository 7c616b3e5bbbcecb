// App, terminal: lines and keys. Takes over the terminal while it lives, and restores it however
// the program ends.

#pragma once

#include "apps/terminal/screen.h"
#include "apps/terminal/ticker.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::app {

enum class Key {
    none,
    quit,
    why,
    why_not,
    left,
    right,
    up,
    down,
    previous,  ///< [
    next,      ///< ]
    live,
    difference,
    pause,
    enter,
    escape,
    other,
};

/// Turns bytes from a terminal into keys. Keeps the beginning of a sequence until the rest arrives.
class KeyParser {
public:
    std::vector<Key> feed(std::string_view bytes);
    /// Call it after a pause: an escape that stands alone is the Escape key.
    std::vector<Key> settle();

private:
    std::optional<Key> sequence();

    std::string pending_;
};

/// Makes SIGINT, SIGTERM and SIGHUP set a flag, which long work checks.
void catch_stop_signals();
bool stop_requested();

/// Whether input and output are a terminal of at least kSmallest.
bool screen_possible();

/// The whole screen. At most one at a time; input and output must be a terminal.
class Terminal {
public:
    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    Size size() const;
    /// Draws over the old contents and clears the rest.
    void draw(const std::vector<Line>& lines);
    /// Waits for a key, a tick, a new size or a stop signal, which reads as quit. `none` means that
    /// something other than a key came: ask the ticker, and draw again.
    Key wait(const Ticker& ticker);
    /// Asks for a line of text at the bottom; nothing if the person pressed Escape.
    std::optional<std::string> ask(const std::string& prompt);

private:
    bool colour_;
    KeyParser parser_;
    std::vector<Key> keys_;
};

}  // namespace parley::app
