#include "apps/terminal/progress.h"

#include "base/number.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

constexpr std::uint64_t kFirst = 4;     // Ticks before a bar is shown: a second.
constexpr std::uint64_t kBetween = 40;  // Ticks before and between plain lines: ten seconds.
constexpr std::size_t kWidth = 30;

}  // namespace

std::string progress_line(std::uint64_t done, std::uint64_t total, const std::string& what) {
    const std::string count = thousands(static_cast<std::int64_t>(done));
    if (total == 0) return count + " " + what;
    const std::uint64_t filled = std::min(done, total) * kWidth / total;
    std::string bar(static_cast<std::size_t>(filled), '#');
    bar.resize(kWidth, ' ');
    return "[" + bar + "]  " + count + " of " + thousands(static_cast<std::int64_t>(total)) + " " +
           what;
}

Progress::Progress(std::uint64_t total, std::string what, Duration period)
    : total_(total), what_(std::move(what)), bar_(::isatty(STDERR_FILENO) == 1), ticker_(period) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
    if (said_ && *said_ != done_) say();
}

void Progress::show(std::uint64_t done) {
    done_ = done;
    const std::uint64_t ticks = ticker_.due();
    if (ticks == 0) return;
    ticks_ += ticks;
    if (bar_ && ticks_ >= kFirst) {
        std::fprintf(stderr, "\r%s\x1b[K", progress_line(done, total_, what_).c_str());
        std::fflush(stderr);
        drawn_ = true;
    } else if (!bar_ && ticks_ - said_at_ >= kBetween) {
        say();
    }
}

void Progress::say() {
    said_at_ = ticks_;
    said_ = done_;
    const std::string of = total_ == 0 ? "" : " of " + thousands(static_cast<std::int64_t>(total_));
    std::fprintf(stderr, "%s%s %s\n", thousands(static_cast<std::int64_t>(done_)).c_str(),
                 of.c_str(), what_.c_str());
}

void ProgressOfParts::show(std::uint64_t done, std::uint64_t total, const std::string& what) {
    if (!part_ || total != total_ || what != what_) {
        part_.reset();  // Removes the old bar before the new one appears.
        part_ = std::make_unique<Progress>(total, what);
        total_ = total;
        what_ = what;
    }
    part_->show(done);
}

}  // namespace parley::app
