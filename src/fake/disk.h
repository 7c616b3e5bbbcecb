// Fake: a disk in memory that loses what was not synced, tears writes, and fails when told to.

#pragma once

#include "base/file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::fake {

/// Promises what Linux promises and no more. Bytes survive a power cut only after sync() of their
/// file, names only after sync_directory() of their folder. After a failed sync() the bytes can
/// still be read but are lost: a later sync() succeeds without them. Paths are relative to a root
/// that exists; a rename stays within its folder.
class Disk final : public parley::Disk {
public:
    enum class Fault {
        full,   ///< ENOSPC; of a write the first half is done.
        io,     ///< EIO; half of a write is done, of a sync an unknown part.
        power,  ///< The power fails: this call has begun, later ones do nothing.
    };

    Disk();
    ~Disk() override;

    /// The number of calls so far that change something: open that creates, write, write_zeros,
    /// allocate, truncate, sync, rename, remove, make_directory, sync_directory.
    std::uint64_t calls() const;
    /// The number of sync and sync_directory calls so far.
    std::uint64_t syncs() const;

    /// Makes call number `call` fail; fail_from also all later ones.
    void fail_at(std::uint64_t call, Fault fault);
    void fail_from(std::uint64_t call, Fault fault);
    /// Ends all faults.
    void heal();
    /// Lets the given sync or sync_directory succeed and do nothing, as if it had been left out.
    void ignore_sync(std::uint64_t sync);
    /// More than this many bytes in all files give ENOSPC.
    void set_capacity(std::uint64_t bytes);

    /// A copy of the disk after a power cut. What was not durable survives completely, in part (cut
    /// at any byte, or any of its sectors of 512 bytes) or not at all, by the seed. This disk is
    /// not changed.
    std::unique_ptr<Disk> power_cut(std::uint64_t seed) const;

    Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
    Result<std::unique_ptr<FileLock>> lock(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> remove(const std::string& path) override;
    Result<void> make_directory(const std::string& path) override;
    Result<void> sync_directory(const std::string& path) override;
    Result<std::vector<std::string>> list(const std::string& path) override;
    Result<bool> exists(const std::string& path) override;
    Result<PathKind> kind(const std::string& path) override;
    Result<std::uint64_t> size(const std::string& path) override;

    struct State;  ///< Shared with the open files.

private:
    std::shared_ptr<State> state_;
};

}  // namespace parley::fake
