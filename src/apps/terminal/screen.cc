#include "apps/terminal/screen.h"

#include "base/number.h"
#include "model/action.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace parley::app {
namespace {

constexpr int kWideColumns = 120;
constexpr int kTallRows = 40;
// One proposal of each agent, those that got furthest first.
constexpr auto kAgentsShown = std::ssize(model::kRoles);

/// Replaces control characters and non-ASCII, which would break the columns.
std::string ascii(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0) == 0x80) continue;  // The rest of a multi-byte character.
        out += byte >= 0x20 && byte < 0x7f ? c : '?';
    }
    return out;
}

std::string left(const std::string& text, std::size_t width) {
    std::string out = cut_end(ascii(text), width);
    out.resize(width, ' ');
    return out;
}

std::string right(const std::string& text, std::size_t width) {
    const std::string out = cut_end(ascii(text), width);
    return std::string(width - out.size(), ' ') + out;
}

/// Text in the colour of the agent with that letter; plain if there is none.
Span of_agent(std::string text, char letter) {
    const bool agent = std::ranges::count(model::kRoles, letter, model::letter_of) > 0;
    return {std::move(text), agent ? Style::agent : Style::plain, letter};
}

/// Lays out one screen; width and height together decide which of the two forms.
class Layout {
public:
    Layout(const ScreenModel& model, Size size)
        : m_(model),
          columns_(static_cast<std::size_t>(std::max(1, size.columns))),
          rows_(static_cast<std::size_t>(std::max(1, size.rows))),
          full_(size.columns >= kWideColumns && size.rows >= kTallRows) {}

    std::vector<Line> draw() {
        header();
        m_.past.empty() ? blank() : add(m_.past, Style::strong);
        sentence();
        blank();
        agents();
        blank();
        if (full_) nodes();
        if (!m_.leader.brief.empty()) labelled("leader", m_.leader);
        labelled("cluster", m_.cluster);
        if (!full_) labelled("risk", {m_.risks, m_.risks});
        labelled("sources", m_.sources);
        if (full_) labelled("sent", {m_.sent, m_.sent});
        labelled("score", m_.score);
        labelled("stages", m_.stages);
        if (full_) labelled("assumed", {m_.assumed, m_.assumed});
        alarm();
        blank();
        strip();
        if (full_) blank();
        events();
        lines_.resize(rows_ - 1);
        footer();
        return std::move(lines_);
    }

private:
    const std::string& words(const Wording& wording) const {
        return full_ && !wording.full.empty() ? wording.full : wording.brief;
    }
    void add(Line line) {
        std::size_t room = columns_;
        for (Span& span : line) {
            if (span.text.size() > room) span.text = cut_end(span.text, room);
            room -= span.text.size();
        }
        lines_.push_back(std::move(line));
    }
    void add(const std::string& text, Style style = Style::plain) { add({{ascii(text), style}}); }
    void blank() { lines_.emplace_back(); }

    void header() {
        const std::string gap = "   ";
        std::string begin = "parley demo" + gap + m_.run + gap + m_.mode;
        if (full_) begin += gap + "profile " + m_.profile;
        const std::string between = full_ ? gap : "  ";
        std::string end = "round " + std::to_string(m_.round) + between + m_.time + between;
        if (!m_.past.empty()) {
            end += "PAST";
        } else {
            end += m_.paused ? "paused" : words(m_.pace);
        }
        begin = ascii(begin);
        end = ascii(end);
        if (begin.size() + end.size() + 1 > columns_) {
            begin = cut_end(begin, columns_ > end.size() + 1 ? columns_ - end.size() - 1 : 1);
        }
        const std::size_t space =
            std::max<std::size_t>(1, columns_ - std::min(columns_, begin.size() + end.size()));
        add({{begin, Style::plain}, {std::string(space, ' ') + end, Style::plain}});
    }

    void sentence() {
        add({{ascii(m_.headline), Style::strong}});
        std::string reason = ascii(words(m_.reason));
        if (full_) {
            add(reason + (m_.overruled.empty() ? "" : " " + m_.overruled));
            return;
        }
        if (reason.size() <= columns_) {
            add(reason);
            add(m_.overruled);
            return;
        }
        // prose: a line is broken between words, whatever they say.
        const std::size_t space = reason.rfind(' ', columns_);
        const std::size_t end = space == std::string::npos ? columns_ : space;
        add(reason.substr(0, end));
        add(reason.substr(std::min(end + 1, reason.size())) + " " + m_.overruled);
    }

    void agents() {
        std::string heading = "  " + left("agent", 14) + left("wanted", wanted_width()) + "score";
        heading += full_ ? "   " + left("evidence", 22) + left("acts", 13) + "result" : "  result";
        add(heading, Style::faint);
        for (const AgentLine& agent : m_.agents) {
            if (&agent - m_.agents.data() == kAgentsShown) break;
            const bool fades = m_.difference && agent.was.empty();
            const Style style = fades ? Style::faint : Style::plain;
            std::string rest =
                left(cut_middle(ascii(agent.wanted), wanted_width() - 1), wanted_width());
            rest += right(agent.score, 5);
            if (full_) {
                rest += "   " + left(cut_end(agent.evidence, 21), 22) +
                        left(cut_end(agent.acts, 12), 13);
            } else {
                rest += "  ";
            }
            rest += m_.difference && !agent.was.empty() ? "was: " + agent.was : words(agent.result);
            add({{agent.won ? "> " : "  ", Style::strong},
                 of_agent(left(agent.title, 14), agent.letter),
                 {ascii(rest), agent.won ? Style::strong : style}});
        }
    }

    /// Columns beyond 80 and 120 go to the names of targets.
    std::size_t wanted_width() const {
        const std::size_t least = full_ ? 120 : 80;
        return 24 + (columns_ > least ? std::min<std::size_t>(columns_ - least, 30) / 2 : 0);
    }

    std::size_t node_width() const {
        return 10 + (columns_ > 120 ? std::min<std::size_t>(columns_ - 120, 30) : 0);
    }

    void nodes() {
        const std::size_t name = node_width();
        const std::size_t bar = name + 45;
        std::string heading = left("KUBERNETES SHOWS", bar) + "|  PARLEY BELIEVES";
        add(heading, Style::faint);
        add("  " + left("node", name) + right("ready for", 9) + right("lease", 8) +
                right("cpu", 7) + right("mem", 7) + right("restarts", 11) + " |     risk" +
                std::string(19, ' ') + "acts above   waiting > acting",
            Style::faint);
        const std::size_t fit = node_rows();
        for (std::size_t i = 0; i < std::min(fit, m_.nodes.size()); ++i) node(m_.nodes[i], name);
        const auto shown = static_cast<int>(std::min(fit, m_.nodes.size()));
        const std::string more = m_.nodes_all > shown
                                     ? "  " + std::to_string(m_.nodes_all - shown) + " more" +
                                           (m_.other_nodes.empty() ? "" : ", " + m_.other_nodes)
                                     : "";
        add(left(more, bar) + "|", Style::faint);
        for (std::size_t i = m_.nodes.size(); i < std::min<std::size_t>(fit, 5); ++i) {
            add(std::string(bar, ' ') + "|", Style::faint);
        }
        blank();
    }

    /// Five, plus half of the extra rows of a taller terminal.
    std::size_t node_rows() const { return 5 + (rows_ > 40 ? (rows_ - 40) / 2 : 0); }

    void node(const NodeLine& node, std::size_t name) {
        const bool fades = m_.difference && node.was.empty();
        const std::string shows = "  " + left(cut_middle(ascii(node.name), name - 1), name) +
                                  right(node.ready_for, 9) + right(node.lease, 8) +
                                  right(node.cpu, 7) + right(node.memory, 7) +
                                  right(node.restarts, 11) + " ";
        const std::string believes =
            "  " + right(node.risk, 5) + "  " + left(bar_of(node.risk_value), 19) +
            right(node.acts_above, 8) +
            right(m_.difference && !node.was.empty() ? "was " + node.was : node.weighed, 19);
        const Style style = fades ? Style::faint : Style::plain;
        add({{shows, style},
             {node.differs ? "=/=" : "|  ", node.differs ? Style::strong : style},
             {believes, style}});
    }

    /// In log-odds: calibrated risks are small, so a linear bar would show nothing.
    static std::string bar_of(double risk) {
        if (risk < 0.01) return "";
        const double odds = std::log(risk / std::max(1e-9, 1 - risk));
        const double length = 1 + (odds + 4.595) * 2.03;  // 0.01 is one mark, 0.86 fourteen.
        return std::string(static_cast<std::size_t>(std::clamp(length, 1.0, 18.0)), '#');
    }

    void labelled(const std::string& label, const Wording& wording) {
        const Style style = m_.difference ? Style::faint : Style::plain;
        add({{left(label, 9), Style::faint}, {ascii(words(wording)), style}});
    }

    void alarm() {
        if (m_.alarm.brief.empty()) {
            labelled("alarm", {"none", "none"});
        } else {
            add({{"ALARM", Style::alarm}, {"    " + ascii(words(m_.alarm)), Style::strong}});
        }
    }

    void strip() {
        const std::size_t room = columns_ - std::min<std::size_t>(columns_, 10);
        const std::string text = ascii(m_.strip);
        Line line = {{"rounds   ", Style::faint}};
        const std::string shown = text.size() > room ? text.substr(text.size() - room) : text;
        for (const char c : shown) {
            const char letter = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            if (line.size() > 1 && line.back().text.back() == c) {
                line.back().text += c;
            } else {
                line.push_back(of_agent(std::string(1, c), letter));
            }
        }
        add(std::move(line));
    }

    void events() {
        const std::size_t below = full_ ? 2 : 1;  // The footer, and a blank line above it.
        if (lines_.size() + below >= rows_) return;
        const std::size_t room = rows_ - lines_.size() - below;
        for (std::size_t i = 0; i < std::min(room, m_.events.size()); ++i) {
            const EventLine& event = m_.events[i];
            add({{left(event.time, 8) + " ", Style::faint},
                 {left(event.kind, full_ ? 11 : 10), Style::faint},
                 {ascii(event.text), Style::plain}});
        }
        while (lines_.size() + 1 < rows_) blank();
    }

    void footer() {
        const std::string keys =
            full_ ? "w why  n why-not  left, right round  [ ] alarms  l live  d difference  space "
                    "pause  q quit"
                  : "w why  n why-not  left back  space pause  q quit";
        const std::size_t room = columns_ - std::min(columns_, keys.size() + 3);
        const std::string& where = m_.address.empty() ? m_.folder : m_.address;
        add({{cut_middle(ascii(where), room) + "   ", Style::plain}, {keys, Style::faint}});
    }

    const ScreenModel& m_;
    std::size_t columns_;
    std::size_t rows_;
    bool full_;
    std::vector<Line> lines_;
};

/// Colours of agents, in order, from the 256-colour palette; beyond that, colours repeat.
constexpr int kHues[] = {75, 80, 139, 221, 174, 114, 215, 110};

std::string code_of(const Span& span) {
    switch (span.style) {
        case Style::plain:
            return "";
        case Style::strong:
            return "\x1b[1m";
        case Style::faint:
            return "\x1b[2m";
        case Style::alarm:
            return "\x1b[7m";
        case Style::agent:
            return "\x1b[38;5;" +
                   std::to_string(
                       kHues[static_cast<std::size_t>(span.letter - 'A') % std::size(kHues)]) +
                   "m";
    }
    return "";
}

}  // namespace

std::vector<Line> draw_screen(const ScreenModel& model, Size size) {
    return Layout(model, size).draw();
}

std::vector<Line> draw_text(const std::string& text, Size size, std::size_t from,
                            const std::string& footer) {
    const auto columns = static_cast<std::size_t>(std::max(1, size.columns));
    const auto rows = static_cast<std::size_t>(std::max(1, size.rows));
    std::vector<std::string> all;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = ascii(text.substr(begin, end - begin));
        while (line.size() > columns) {
            all.push_back(line.substr(0, columns));
            line = "    " + line.substr(columns);
        }
        all.push_back(line);
        begin = end + 1;
    }
    std::vector<Line> lines;
    for (std::size_t i = from; i < all.size() && lines.size() + 1 < rows; ++i) {
        lines.push_back({{all[i], Style::plain}});
    }
    lines.resize(rows);
    lines.back() = {{cut_end(ascii(footer), columns), Style::faint}};
    return lines;
}

std::string plain_text(const Line& line) {
    std::string text;
    for (const Span& span : line) text += span.text;
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string painted(const Line& line, bool colour) {
    if (!colour) return plain_text(line);
    std::string text;
    for (const Span& span : line) {
        const std::string code = code_of(span);
        text += code + span.text + (code.empty() ? "" : "\x1b[0m");
    }
    return text;
}

std::string cut_end(std::string text, std::size_t width) {
    if (text.size() <= width) return text;
    if (width <= 3) return text.substr(0, width);
    return text.substr(0, width - 3) + "...";
}

std::string cut_middle(const std::string& text, std::size_t width) {
    if (text.size() <= width) return text;
    if (width <= 8) return cut_end(text, width);
    const std::size_t tail = (width - 3) / 2;
    return text.substr(0, width - 3 - tail) + "..." + text.substr(text.size() - tail);
}

}  // namespace parley::app
