// Tuner: the lock of an Optuna journal: a symbolic link beside it that points to it. Path in, a
// lock that is held until destroyed out.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <utility>

namespace parley::tuner {

/// Which link it is: inodes are used again at once, so its time belongs to it.
struct LinkId {
    std::uint64_t inode = 0;
    std::int64_t made_ns = 0;

    friend bool operator==(const LinkId&, const LinkId&) = default;
};

/// Held by one process, and by one object of it, at a time.
class JournalLock {
public:
    /// Waits for the holder, at most `limit`. If the journal was not written for `grace` while the
    /// same link stood there, its holder is dead and the link is taken away, as Optuna does it.
    /// `path` is absolute: with a relative one the link would dangle and Optuna wait for ever.
    [[nodiscard]] static Result<JournalLock> acquire(const std::string& path, Duration grace,
                                                     Duration limit);
    ~JournalLock();
    JournalLock(JournalLock&& other) noexcept;
    JournalLock& operator=(JournalLock&&) = delete;

    /// False if somebody took us for dead and took it away.
    bool held() const;

private:
    JournalLock(std::string link, LinkId id) : link_(std::move(link)), id_(id) {}

    std::string link_;
    LinkId id_;
};

}  // namespace parley::tuner
