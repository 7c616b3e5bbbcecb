// Fake: a disk in memory that forgets what was not synced, tears writes, and fails when told to.

#pragma once

#include "base/file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace parley::fake {

/// Behaves as Linux promises and not better. Bytes survive a power cut only after sync() of their
/// file, names only after sync_directory() of their folder, whatever was synced besides. After a
/// failed sync() the bytes can still be read and yet are lost: a later sync() succeeds without
/// them. Paths are relative to a root that exists; a rename stays within its folder.
class Disk final : public parley::Disk {
public:
    enum class Fault {
        full,   ///< ENOSPC; of a write the first half is done.
        io,     ///< EIO; of a write the first half is done, of a sync a part that nobody knows.
        power,  ///< The power goes: this call has begun, none of the later ones does anything.
    };

    Disk();
    ~Disk() override;

    /// Calls that change something, from 1: open that creates, write, write_zeros, allocate,
    /// truncate, sync, rename, remove, make_directory, sync_directory. The others are not counted.
    std::uint64_t calls() const;
    /// Of these, sync and sync_directory, also from 1.
    std::uint64_t syncs() const;

    /// Lets the given call fail, or it and all later ones.
    void fail_at(std::uint64_t call, Fault fault);
    void fail_from(std::uint64_t call, Fault fault);
    /// Nothing fails any more.
    void heal();
    /// Lets the given sync or sync_directory succeed and do nothing, as if it had been left out.
    void ignore_sync(std::uint64_t sync);
    /// More than this many bytes in all files give ENOSPC.
    void set_capacity(std::uint64_t bytes);

    /// The disk as it is found when the power is back. What was not durable survives wholly, in
    /// part (cut at any byte, or any of its sectors of 512 bytes) or not at all, as the seed says.
    /// This disk stays as it is.
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
