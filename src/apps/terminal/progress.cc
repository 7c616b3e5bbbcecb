#include "apps/terminal/progress.h"

#include "base/number.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

constexpr Duration kPeriod = milliseconds(250);
constexpr std::uint64_t kFirst = 4;     // Ticks before anything is shown: a second.
constexpr std::uint64_t kBetween = 40;  // Ticks between plain lines: ten seconds.
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

Progress::Progress(std::uint64_t total, std::string what)
    : total_(total), what_(std::move(what)), bar_(::isatty(STDERR_FILENO) == 1), ticker_(kPeriod) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(std::uint64_t done) {
    const std::uint64_t ticks = ticker_.due();
    if (ticks == 0) return;
    ticks_ += ticks;
    if (ticks_ < kFirst) return;
    if (bar_) {
        std::fprintf(stderr, "\r%s\x1b[K", progress_line(done, total_, what_).c_str());
        std::fflush(stderr);
        drawn_ = true;
    } else if (said_ == 0 || ticks_ - said_ >= kBetween) {
        said_ = ticks_;
        const std::string of =
            total_ == 0 ? "" : " of " + thousands(static_cast<std::int64_t>(total_));
        std::fprintf(stderr, "%s%s %s\n", thousands(static_cast<std::int64_t>(done)).c_str(),
                     of.c_str(), what_.c_str());
    }
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
