#include "tuner/journal_lock.h"

#include "base/clock.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace parley::tuner {
namespace {

constexpr Duration kFirstPause = microseconds(200);
constexpr Duration kPauseMax = milliseconds(20);

/// Unique over processes and calls.
std::string unique_suffix() {
    static std::atomic<std::uint64_t> count{0};
    return std::to_string(::getpid()) + "-" + std::to_string(wall_now().us) + "-" +
           std::to_string(count++) + ".rename";
}

/// Of the link itself, not of its target.
std::optional<LinkId> id_of(const std::string& link) {
    struct stat about{};
    if (::lstat(link.c_str(), &about) != 0) return std::nullopt;
    return LinkId{about.st_ino, about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec};
}

/// Renamed first, so that only one of two processes removes it, and never the lock of the next
/// holder.
void take_away(const std::string& link, const LinkId& id) {
    if (id_of(link) != id) return;
    const std::string aside = link + unique_suffix();
    if (::rename(link.c_str(), aside.c_str()) != 0) return;
    if (id_of(aside) != id) {
        // Another process took the lock between our look and the renaming: give it back, if the
        // place is free.
        if (::renameat2(AT_FDCWD, aside.c_str(), AT_FDCWD, link.c_str(), RENAME_NOREPLACE) == 0) {
            return;
        }
    }
    ::unlink(aside.c_str());
}

/// How long the same link has existed without a write to the journal.
class Patience {
public:
    Duration quiet(const std::string& link, const std::string& path, TimePoint now) {
        struct stat about{};
        const std::optional<LinkId> id = id_of(link);
        std::int64_t written = 0;
        if (::stat(path.c_str(), &about) == 0) {
            written = about.st_mtim.tv_sec * 1'000'000 + about.st_mtim.tv_nsec / 1000;
        }
        if (id != id_ || written != written_) {
            id_ = id;
            written_ = written;
            since_ = now;
        }
        return now - since_;
    }
    const std::optional<LinkId>& id() const { return id_; }

private:
    std::optional<LinkId> id_;
    std::int64_t written_ = -1;
    TimePoint since_;
};

}  // namespace

Result<JournalLock> JournalLock::acquire(const std::string& path, Duration grace, Duration limit) {
    const std::string link = path + ".lock";
    Patience patience;
    Duration pause = kFirstPause;
    Duration waited;
    while (true) {
        if (::symlink(path.c_str(), link.c_str()) == 0) {
            if (const auto id = id_of(link)) return JournalLock(link, *id);
            continue;  // Somebody removed it by mistake; begin again.
        }
        if (errno != EEXIST) {
            return fail(ErrorCode::denied, "locking " + path + ": " + std::strerror(errno) +
                                               "; its folder must allow new files");
        }
        // Adds up naps instead of reading a clock, so that a jump of the clock breaks no lock.
        if (patience.quiet(link, path, TimePoint{waited.us}) > grace && patience.id()) {
            take_away(link, *patience.id());
            pause = kFirstPause;
            continue;
        }
        if (waited > limit) {
            return fail(ErrorCode::unavailable, "locking " + path + ": another process holds " +
                                                    link +
                                                    "; if none runs any more, remove that file");
        }
        nap(pause);
        waited = waited + pause;
        pause = std::min(pause * 2, kPauseMax);
    }
}

JournalLock::JournalLock(JournalLock&& other) noexcept
    : link_(std::exchange(other.link_, {})), id_(other.id_) {}

JournalLock::~JournalLock() {
    if (!link_.empty()) take_away(link_, id_);
}

bool JournalLock::held() const { return id_of(link_) == id_; }

}  // namespace parley::tuner
