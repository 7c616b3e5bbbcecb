// Tuner: the lock of an Optuna journal, which is a symbolic link beside it that points to it. Held
// until destroyed.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <utility>

namespace parley::tuner {

/// Identifies a link. Inodes are reused at once, so its time is part of it.
struct LinkId {
    std::uint64_t inode = 0;
    std::int64_t made_ns = 0;

    friend bool operator==(const LinkId&, const LinkId&) = default;
};

/// Held by one process, and by one object in it, at a time.
class JournalLock {
public:
    /// Waits at most `limit` for the holder. If the journal was not written for `grace` while the
    /// same link existed, its holder is dead and the link is removed, as Optuna does. `path` must
    /// be absolute: with a relative one the link would dangle and Optuna wait for ever.
    [[nodiscard]] static Result<JournalLock> acquire(const std::string& path, Duration grace,
                                                     Duration limit);
    ~JournalLock();
    JournalLock(JournalLock&& other) noexcept;
    JournalLock& operator=(JournalLock&&) = delete;

    /// False if somebody took us for dead and removed it.
    bool held() const;

private:
    JournalLock(std::string link, LinkId id) : link_(std::move(link)), id_(id) {}

    std::string link_;
    LinkId id_;
};

}  // namespace parley::tuner
