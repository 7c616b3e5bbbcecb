// App, screen: lays out what to show for a size of terminal, as lines of text. Plain ASCII; colour
// only repeats what letters say.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

/// The same in few words for 80 columns, and in more for 120.
struct Wording {
    std::string brief;
    std::string full;
};

struct AgentLine {
    char letter = 'A';
    std::string title;  ///< `A safety`.
    bool won = false;
    std::string wanted;
    std::string score;
    std::string evidence;
    std::string acts;  ///< From where it acts: `above 0.25`.
    Wording result;
    std::string was;  ///< In the round before, if that was different.
};

/// A line of the terminal for a node. The texts are made elsewhere (running/screen_model.h, from
/// explanation::NodeWord), since the terminal knows no layers.
struct NodeLine {
    std::string name;
    std::string ready_for;
    std::string lease;
    std::string cpu;
    std::string memory;
    std::string restarts;
    bool differs = false;   ///< Shown and believed differ.
    std::string risk;       ///< `0.86`, `<0.01`, `?`.
    double risk_value = 0;  ///< For the bar.
    std::string acts_above;
    std::string weighed;  ///< `41.3 > 12.0`: waiting against acting.
    std::string was;      ///< Its risk in the round before, if that was different.
};

/// The same for an explanation::Event.
struct EventLine {
    std::string time;
    std::string kind;
    std::string text;
};

struct ScreenModel {
    std::uint64_t round = 0;
    std::string run;      ///< `tour, seed 7`.
    std::string mode;     ///< `act (simulated)`.
    std::string profile;  ///< `parley`.
    std::string time;     ///< `T+07:06`.
    Wording pace;         ///< `on time`.
    std::string headline;
    Wording reason;
    std::string overruled;
    std::vector<AgentLine> agents;
    std::vector<NodeLine> nodes;  ///< Nodes worth a look, most important first.
    std::string other_nodes;      ///< About those that do not fit: what they have in common.
    int nodes_all = 0;
    Wording leader;  ///< `leads, epoch 3`; empty: nobody else could.
    Wording cluster;
    std::string risks;  ///< The highest few.
    Wording sources;
    std::string sent;
    Wording score;
    Wording stages;
    std::string assumed;
    Wording alarm;                  ///< Empty: none.
    std::string strip;              ///< A letter per round, newest last.
    std::vector<EventLine> events;  ///< Newest first.
    std::string address;            ///< Of the dashboard; empty: there is none.
    std::string folder;             ///< Of the record.

    bool paused = false;
    bool difference = false;  ///< Changes are highlighted, the rest is dimmed.
    std::string past;         ///< `Round 97, 2m15s before the newest (142)`; empty: live.
};

enum class Style { plain, strong, faint, alarm, agent };

struct Span {
    std::string text;
    Style style = Style::plain;
    char letter = 'A';  ///< Of the agent, for Style::agent.
};
using Line = std::vector<Span>;

struct Size {
    int columns = 80;
    int rows = 24;
    friend bool operator==(const Size&, const Size&) = default;
};
inline constexpr Size kSmallest = {80, 24};

/// Exactly `size.rows` lines of at most `size.columns` characters. Below kSmallest the contents are
/// undefined, but fit.
std::vector<Line> draw_screen(const ScreenModel& model, Size size);

/// A page of text instead of the screen, such as an answer to `why`. Begins at line `from`.
std::vector<Line> draw_text(const std::string& text, Size size, std::size_t from,
                            const std::string& footer);

std::string plain_text(const Line& line);
/// With escape sequences if `colour`, else plain; no line end.
std::string painted(const Line& line, bool colour);

/// Cuts text at the end with `...`; the other one cuts in the middle, so that names keep their
/// ends.
std::string cut_end(std::string text, std::size_t width);
std::string cut_middle(const std::string& text, std::size_t width);

}  // namespace parley::app
