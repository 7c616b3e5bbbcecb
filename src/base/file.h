// Base: the disk as a seam. Paths and bytes in, bytes and errors out; real here, fake in
// fake/disk.h.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// What an error of a Disk or File means. Its code tells: `unavailable` is full, `denied` is
/// denied, `gone` is missing, `conflict` is taken (exists already, or locked), anything else is
/// broken.
enum class DiskFault { full, denied, missing, taken, broken };
DiskFault disk_fault(const Error& error);

enum class OpenMode {
    read,        ///< Must exist; only read. The only mode that follows a link.
    read_own,    ///< Like read, for files that we wrote ourselves: a link in its place is refused.
    write,       ///< Must exist; read and written.
    create,      ///< Read and written; created (0600) if missing.
    create_new,  ///< Read and written; fails with `conflict` if it exists.
};

/// An open file; closed when destroyed. Used by one thread at a time. What is written is durable
/// only after sync(). After a failed sync() nobody knows what was kept, and a second sync() of the
/// same file may succeed all the same: write again through a file opened anew.
class File {
public:
    virtual ~File() = default;

    /// Writes all of `bytes` at `offset`; the file grows as needed. On failure a part may be
    /// written.
    [[nodiscard]] virtual Result<void> write(std::uint64_t offset, std::string_view bytes) = 0;
    /// Writes zeros, so that later writes there change no metadata and sync() is fast.
    [[nodiscard]] virtual Result<void> write_zeros(std::uint64_t offset, std::uint64_t length) = 0;
    /// Claims space for a range, which reads as zero where nothing was; bytes there stay.
    [[nodiscard]] virtual Result<void> allocate(std::uint64_t offset, std::uint64_t length) = 0;
    [[nodiscard]] virtual Result<void> truncate(std::uint64_t size) = 0;
    /// fdatasync: bytes and size are durable when it returns; the name is not (sync_directory()).
    [[nodiscard]] virtual Result<void> sync() = 0;
    /// Up to `length` bytes from `offset`; fewer only at the end of the file.
    [[nodiscard]] virtual Result<std::string> read(std::uint64_t offset,
                                                   std::uint64_t length) const = 0;
    [[nodiscard]] virtual Result<std::uint64_t> size() const = 0;
    /// Fails with `gone` if the path no longer leads to this file, so that nobody would find what
    /// is written to it, or if it has fewer than `bytes` bytes: somebody cut it. Costs two stats.
    [[nodiscard]] virtual Result<void> in_place(std::uint64_t bytes) const = 0;
};

/// What is at a path; a link counts as a link, not as what it leads to.
enum class PathKind { nothing, file, folder, link, other };

/// Held until destroyed, or until the process ends.
class FileLock {
public:
    virtual ~FileLock() = default;
};

/// Files and folders. May be used from several threads. Interruptions and short writes are dealt
/// with; every error is one sentence that names the path. Names created, replaced or removed are
/// durable only after sync_directory() of their folder.
class Disk {
public:
    virtual ~Disk() = default;

    [[nodiscard]] virtual Result<std::unique_ptr<File>> open(const std::string& path,
                                                             OpenMode mode) = 0;
    /// Fails with `conflict` while anyone else holds it, in this process or another. The folder is
    /// locked with it, so that removing the file does not free the lock; therefore one lock per
    /// folder.
    [[nodiscard]] virtual Result<std::unique_ptr<FileLock>> lock(const std::string& path) = 0;
    /// Replaces `to` if it exists; a reader sees the old or the new file, never a part.
    [[nodiscard]] virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    /// Removes a file or an empty folder; fails with `gone` if there is none.
    [[nodiscard]] virtual Result<void> remove(const std::string& path) = 0;
    /// One level, 0700; fails with `conflict` if it exists.
    [[nodiscard]] virtual Result<void> make_directory(const std::string& path) = 0;
    [[nodiscard]] virtual Result<void> sync_directory(const std::string& path) = 0;
    /// Names of files and folders in it, sorted, without "." and "..".
    [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
    [[nodiscard]] virtual Result<bool> exists(const std::string& path) = 0;
    [[nodiscard]] virtual Result<PathKind> kind(const std::string& path) = 0;
    [[nodiscard]] virtual Result<std::uint64_t> size(const std::string& path) = 0;
};

/// This machine's own disk.
Disk& real_disk();

/// "a/b" and "c" give "a/b/c".
std::string join(std::string_view folder, std::string_view name);
/// The folder that holds `path`: "a/b/c" gives "a/b", "c" gives ".".
std::string parent_of(std::string_view path);

/// The whole file; refuses one larger than `max_bytes`.
[[nodiscard]] Result<std::string> read_file(Disk& disk, const std::string& path,
                                            std::uint64_t max_bytes = std::uint64_t{1} << 30);
/// Like read_file, for a file that we wrote ourselves: a link in its place is refused.
[[nodiscard]] Result<std::string> read_own_file(Disk& disk, const std::string& path,
                                                std::uint64_t max_bytes = std::uint64_t{1} << 30);
/// Writes at the end of a file that nobody else extends. Not durable before sync().
[[nodiscard]] Result<void> append(File& file, std::string_view bytes);
/// Fails with `denied` unless `path` is a regular file or does not exist: a device, pipe or link
/// would be replaced instead of written to. Every function that writes to a path calls this.
[[nodiscard]] Result<void> check_replaceable(Disk& disk, const std::string& path);
/// Puts `from` in the place of `to`, which must be replaceable.
[[nodiscard]] Result<void> replace_file(Disk& disk, const std::string& from, const std::string& to);
/// Removes a regular file that an earlier attempt left under this name. Succeeds if there is none,
/// refuses anything else.
[[nodiscard]] Result<void> clear_file(Disk& disk, const std::string& path);
/// After a crash the file holds either the old bytes or the new ones; the new ones are durable when
/// it returns. Uses `path`.tmp. Refuses to replace anything but a regular file.
[[nodiscard]] Result<void> write_file_atomically(Disk& disk, const std::string& path,
                                                 std::string_view bytes);
/// Creates what is missing of `path`; durable when it returns.
[[nodiscard]] Result<void> make_directories(Disk& disk, const std::string& path);

}  // namespace parley
