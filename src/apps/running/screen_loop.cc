#include "apps/running/screen_loop.h"

#include "apps/terminal/cli.h"
#include "base/time_text.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace parley::app {
namespace {

bool in_a_line(std::string_view kind) {
    return kind == "decision" || kind == "alarm" || kind == "error" || kind == "exercise" ||
           kind == "source" || kind == "switch" || kind == "leader";
}

}  // namespace

ScreenLoop::ScreenLoop(Rounds& rounds, ScreenHistory history, ScreenLoopOptions options,
                       Answers answers)
    : rounds_(rounds),
      history_(std::move(history)),
      options_(options),
      answers_(std::move(answers)) {}

Result<std::optional<std::vector<EventLine>>> ScreenLoop::next_round(std::uint64_t ticks) {
    const auto came = rounds_.next();
    if (!came) return tl::unexpected(came.error());
    if (!*came) return std::nullopt;
    const auto round = rounds_.last();
    Duration late = rounds_.late();
    if (late.us < 0) late = options_.pace * static_cast<std::int64_t>(ticks - 1);
    Wording pace = {"on time", print_duration(options_.pace) + " a round, on time"};
    if (late >= milliseconds(100)) pace = {print_age(late) + " late", print_age(late) + " late"};
    return history_.add({round->input, round->decision, round->memory, round->trouble, pace,
                         rounds_.leading(), rounds_.remark()});
}

Result<void> ScreenLoop::in_lines() {
    Ticker ticker(options_.look.us > 0 ? options_.look : options_.pace);
    while (!stop_requested() && !complete()) {
        const std::uint64_t ticks = ticker.wait();
        if (ticks == 0) continue;
        const auto events = next_round(1);
        if (!events) return tl::unexpected(events.error());
        if (!*events) continue;
        for (const EventLine& event : **events) {
            if (!in_a_line(event.kind)) continue;
            std::printf("%-8s  round %-5llu %-9s %s\n", event.time.c_str(),
                        static_cast<unsigned long long>(rounds_.rounds()), event.kind.c_str(),
                        for_terminal(event.text).c_str());
        }
        std::fflush(stdout);
    }
    return {};
}

Result<void> ScreenLoop::first_round(Terminal& terminal, Ticker& ticker, bool& left) {
    for (;;) {
        const auto first = next_round(1);
        if (!first) return tl::unexpected(first.error());
        if (*first) return {};
        terminal.draw(draw_text("Waiting for the first round.", terminal.size(), 0, "q quit"));
        left = terminal.wait(ticker) == Key::quit || stop_requested();
        if (left) return {};
        (void)ticker.due();
    }
}

Result<void> ScreenLoop::on_screen() {
    Terminal terminal;
    Ticker ticker(options_.look.us > 0 ? options_.look : options_.pace);
    // The first round comes at once, so that there is something to see.
    bool left = false;
    if (auto first = first_round(terminal, ticker, left); !first || left) return first;
    draw(terminal);
    while (!complete()) {
        const Key key = terminal.wait(ticker);
        if (press(key, terminal)) break;
        std::uint64_t ticks = ticker.due();
        if (key != Key::none)
            // Time spent reading does not count as lateness.
            ticks = std::min<std::uint64_t>(ticks, 1);
        if (ticks > 0 && !paused_) {
            const auto events = next_round(ticks);
            if (!events) return tl::unexpected(events.error());
        }
        draw(terminal);
    }
    return {};
}

bool ScreenLoop::press(Key key, Terminal& terminal) {
    const std::uint64_t at = looking_at_ ? *looking_at_ : history_.newest();
    const auto look = [&](std::uint64_t round) {
        looking_at_ = round >= history_.newest() ? std::nullopt : std::optional(round);
    };
    switch (key) {
        case Key::quit:
            return true;
        case Key::why:
            show_text(terminal, answers_.why(at));
            break;
        case Key::why_not:
            if (const auto action = terminal.ask("why not (such as migrate:node-03): ")) {
                show_text(terminal, answers_.why_not(*action, at));
            }
            break;
        case Key::left:
            look(std::max(at, history_.first() + 1) - 1);
            break;
        case Key::right:
            look(at + 1);
            break;
        case Key::previous:
            look(history_.landmark(at, false));
            break;
        case Key::next:
            look(history_.landmark(at, true));
            break;
        case Key::live:
        case Key::escape:
            looking_at_.reset();
            break;
        case Key::difference:
            difference_ = !difference_;
            break;
        case Key::pause:
            paused_ = !paused_;
            break;
        default:
            break;
    }
    return false;
}

void ScreenLoop::draw(Terminal& terminal) const {
    ScreenModel model = history_.at(looking_at_ ? *looking_at_ : history_.newest());
    model.paused = paused_;
    model.difference = difference_;
    const Size size = terminal.size();
    if (size.columns < kSmallest.columns || size.rows < kSmallest.rows) {
        terminal.draw(
            draw_text(model.headline + "\n\nThe screen needs 80 x 24.", size, 0, "q quit"));
    } else {
        terminal.draw(draw_screen(model, size));
    }
}

void ScreenLoop::show_text(Terminal& terminal, const std::string& text) {
    const Ticker never(hours(8'760));
    std::size_t from = 0;
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    while (true) {
        terminal.draw(draw_text(text, terminal.size(), from,
                                "up, down scroll   any other key back to the screen"));
        const Key key = terminal.wait(never);
        if (key == Key::down && from < lines) ++from;
        if (key == Key::up && from > 0) --from;
        if (key != Key::none && key != Key::down && key != Key::up) return;
    }
}

}  // namespace parley::app
