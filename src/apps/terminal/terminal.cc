#include "apps/terminal/terminal.h"

#include "apps/terminal/cli.h"
#include "base/check.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

namespace parley::app {
namespace {

// Global, since signal handlers can reach nothing else.
volatile std::sig_atomic_t stop_asked = 0;
volatile std::sig_atomic_t taken_over = 0;
termios before{};

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[2J";  // Other screen, no cursor.
constexpr std::string_view kLeave = "\x1b[0m\x1b[?25h\x1b[?1049l";
constexpr std::size_t kTextMax = 200;

/// Writes all of it, if possible; a lost terminal is no reason to stop a run.
void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (written <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void take_over() {
    termios raw = before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    taken_over = 1;
    write_all(kEnter);
}

void give_back() {
    if (taken_over == 0) return;
    taken_over = 0;
    write_all(kLeave);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

extern "C" void on_stop(int) { stop_asked = 1; }

extern "C" void on_resize(int) {}  // Only interrupts poll().

/// Restores the terminal after a crash, so that it is not left without echo.
extern "C" void on_crash(int number) {
    give_back();
    std::signal(number, SIG_DFL);
    ::raise(number);
}

extern "C" void on_suspend(int) {
    const int saved = errno;
    give_back();
    std::signal(SIGTSTP, SIG_DFL);
    ::raise(SIGTSTP);
    errno = saved;
}

extern "C" void on_continue(int);

void handle(int number, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;  // Without SA_RESTART, so that waits end.
    ::sigaction(number, &action, nullptr);
}

extern "C" void on_continue(int) {
    const int saved = errno;
    handle(SIGTSTP, on_suspend);
    take_over();
    errno = saved;
}

Key key_of(char letter) {
    switch (letter) {
        case 'q':
            return Key::quit;
        case 'w':
            return Key::why;
        case 'n':
            return Key::why_not;
        case 'h':
            return Key::left;
        case 'k':
            return Key::up;
        case 'j':
            return Key::down;
        case '[':
            return Key::previous;
        case ']':
            return Key::next;
        case 'l':
            return Key::live;
        case 'd':
            return Key::difference;
        case ' ':
            return Key::pause;
        case '\r':
        case '\n':
            return Key::enter;
        default:
            return Key::other;
    }
}

}  // namespace

/// The key that `pending_` stands for, if it is complete; removes it.
std::optional<Key> KeyParser::sequence() {
    if (pending_[0] != '\x1b') {
        const Key key = key_of(pending_[0]);
        pending_.erase(0, 1);
        return key;
    }
    if (pending_.size() < 2) return std::nullopt;
    if (pending_[1] != '[' && pending_[1] != 'O') {
        pending_.erase(0, 1);
        return Key::escape;
    }
    const std::size_t end =
        pending_.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz~", 2);
    if (end == std::string::npos) {
        if (pending_.size() < 16) return std::nullopt;
        pending_.clear();
        return Key::other;
    }
    const char last = pending_[end];
    pending_.erase(0, end + 1);
    if (last == 'A') return Key::up;
    if (last == 'B') return Key::down;
    if (last == 'C') return Key::right;
    if (last == 'D') return Key::left;
    if (last == 'F') return Key::live;
    return Key::other;
}

std::vector<Key> KeyParser::feed(std::string_view bytes) {
    pending_ += bytes;
    std::vector<Key> keys;
    while (!pending_.empty()) {
        const auto key = sequence();
        if (!key) break;
        keys.push_back(*key);
    }
    return keys;
}

std::vector<Key> KeyParser::settle() {
    if (pending_.empty()) return {};
    pending_.clear();
    return {Key::escape};
}

void catch_stop_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, on_stop);
}

bool stop_requested() { return stop_asked != 0; }

Size terminal_size() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return {0, 0};
    return {size.ws_col, size.ws_row};
}

bool screen_possible() {
    if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return false;
    const char* term = std::getenv("TERM");
    if (term == nullptr || std::string_view(term) == "dumb") return false;
    const Size size = terminal_size();
    return size.columns >= kSmallest.columns && size.rows >= kSmallest.rows;
}

Terminal::Terminal() : colour_(wants_colour(STDOUT_FILENO)) {
    PARLEY_CHECK(taken_over == 0);
    PARLEY_CHECK(::tcgetattr(STDIN_FILENO, &before) == 0);
    handle(SIGWINCH, on_resize);
    handle(SIGTSTP, on_suspend);
    handle(SIGCONT, on_continue);
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) handle(number, on_crash);
    take_over();
}

Terminal::~Terminal() {
    for (const int number :
         {SIGWINCH, SIGTSTP, SIGCONT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
        handle(number, SIG_DFL);
    }
    give_back();
}

Size Terminal::size() const { return terminal_size(); }

void Terminal::draw(const std::vector<Line>& lines) {
    // One write, without clearing first, so that nothing flickers.
    std::string out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out += "\x1b[" + std::to_string(i + 1) + ";1H" + painted(lines[i], colour_) + "\x1b[K";
    }
    write_all(out + "\x1b[J");
}

Key Terminal::wait(const Ticker& ticker) {
    if (stop_requested()) return Key::quit;
    if (keys_.empty()) {
        std::array<pollfd, 2> waits = {pollfd{STDIN_FILENO, POLLIN, 0},
                                       pollfd{ticker.descriptor(), POLLIN, 0}};
        // poll() ignores a negative descriptor; a ticker without period must not wait at all.
        const int ready = ::poll(waits.data(), waits.size(), ticker.always() ? 0 : -1);
        if (stop_requested()) return Key::quit;
        if (ready > 0 && waits[0].revents != 0) {
            std::array<char, 64> bytes{};
            const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            // A terminal that hung up stays readable but returns nothing or an error.
            if (got <= 0 && (waits[0].revents & (POLLHUP | POLLERR)) != 0) return Key::quit;
            if (got > 0) keys_ = parser_.feed({bytes.data(), static_cast<std::size_t>(got)});
            // The bytes of an arrow key come together; an escape alone is the Escape key.
            for (const Key key : parser_.settle()) keys_.push_back(key);
        }
    }
    if (keys_.empty()) return Key::none;
    const Key key = keys_.front();
    keys_.erase(keys_.begin());
    return key;
}

std::optional<std::string> Terminal::ask(const std::string& prompt) {
    std::string text;
    while (true) {
        const std::string row = std::to_string(std::max(1, size().rows));
        write_all("\x1b[" + row + ";1H\x1b[K" + prompt + text + "\x1b[?25h");
        pollfd waits{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&waits, 1, -1);
        if (stop_requested()) return std::nullopt;
        if (ready <= 0) continue;
        std::array<char, 64> bytes{};
        const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
        if (got <= 0 && (waits.revents & (POLLHUP | POLLERR)) != 0) return std::nullopt;
        for (ssize_t i = 0; i < got; ++i) {
            const char c = bytes[static_cast<std::size_t>(i)];
            if (c == '\r' || c == '\n' || c == '\x1b') {
                write_all("\x1b[?25l");
                return c == '\x1b' ? std::nullopt : std::optional(text);
            }
            if ((c == '\x7f' || c == '\b') && !text.empty()) text.pop_back();
            if (c >= ' ' && c <= '~' && text.size() < kTextMax) text += c;
        }
    }
}

}  // namespace parley::app
