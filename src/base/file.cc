#include "base/file.h"

#include "base/check.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace parley {
namespace {

constexpr std::array<char, 262'144> kZeros{};

ErrorCode code_of(int number) {
    switch (number) {
        case ENOSPC:
        case EDQUOT:
        case EFBIG:
            return ErrorCode::unavailable;
        case EACCES:
        case EPERM:
        case EROFS:
        case ELOOP:
            return ErrorCode::denied;
        case ENOENT:
        case ENOTDIR:
            return ErrorCode::gone;
        case EEXIST:
        case ENOTEMPTY:
        case EWOULDBLOCK:
            return ErrorCode::conflict;
        default:
            return ErrorCode::unknown_outcome;
    }
}

std::string text_of(int number) {
    switch (number) {
        case ENOSPC:
            return "disk full";
        case EDQUOT:
            return "disk full: the quota is used up";
        case EFBIG:
            return "it would be larger than files may be here; see ulimit -f";
        case ELOOP:
            return "it is a link, which is not followed; name what it leads to";
        case EWOULDBLOCK:
            return "another process holds it";
        default: {
            std::array<char, 256> buffer{};
            // The GNU form, which returns the text and may leave the buffer alone.
            return ::strerror_r(number, buffer.data(), buffer.size());
        }
    }
}

/// "cannot write /run/journal/000001.log: disk full", from errno.
[[nodiscard]] tl::unexpected<Error> failure(const char* what, const std::string& path) {
    const int number = errno;
    return fail(code_of(number),
                std::string("cannot ") + what + " " + path + ": " + text_of(number));
}

/// Repeats a call that a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
    auto outcome = call();
    while (outcome < 0 && errno == EINTR) outcome = call();
    return outcome;
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        // Linux frees the descriptor even when interrupted: no retry.
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

private:
    int number_;
};

class RealFile final : public File {
public:
    RealFile(Descriptor descriptor, std::string path)
        : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

    Result<void> write(std::uint64_t offset, std::string_view bytes) override {
        while (!bytes.empty()) {
            const ssize_t written = uninterrupted([&] {
                return ::pwrite(fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
            });
            if (written < 0) return failure("write", path_);
            if (written == 0) return fail(ErrorCode::unknown_outcome, "cannot write " + path_);
            bytes.remove_prefix(static_cast<std::size_t>(written));
            offset += static_cast<std::uint64_t>(written);
        }
        return {};
    }

    Result<void> write_zeros(std::uint64_t offset, std::uint64_t length) override {
        while (length > 0) {
            const std::uint64_t piece = std::min<std::uint64_t>(length, kZeros.size());
            const auto done = write(offset, {kZeros.data(), static_cast<std::size_t>(piece)});
            if (!done) return done;
            offset += piece;
            length -= piece;
        }
        return {};
    }

    Result<void> allocate(std::uint64_t offset, std::uint64_t length) override {
        const int outcome = uninterrupted([&] {
            return ::fallocate(fd(), 0, static_cast<off_t>(offset), static_cast<off_t>(length));
        });
        if (outcome == 0) return {};
        if (errno != EOPNOTSUPP && errno != ENOSYS) return failure("allocate space for", path_);
        const auto end = size();
        if (!end) return tl::unexpected(end.error());
        const std::uint64_t begin = std::max(*end, offset);
        return begin < offset + length ? write_zeros(begin, offset + length - begin)
                                       : Result<void>{};
    }

    Result<void> truncate(std::uint64_t size) override {
        const int outcome =
            uninterrupted([&] { return ::ftruncate(fd(), static_cast<off_t>(size)); });
        return outcome == 0 ? Result<void>{} : failure("truncate", path_);
    }

    Result<void> sync() override {
        const int outcome = uninterrupted([&] { return ::fdatasync(fd()); });
        return outcome == 0 ? Result<void>{} : failure("sync", path_);
    }

    Result<std::string> read(std::uint64_t offset, std::uint64_t length) const override {
        const auto end = size();
        if (!end) return tl::unexpected(end.error());
        const std::uint64_t there = *end > offset ? *end - offset : 0;
        std::string bytes(static_cast<std::size_t>(std::min(length, there)), '\0');
        std::size_t filled = 0;
        while (filled < bytes.size()) {
            const ssize_t got = uninterrupted([&] {
                return ::pread(fd(), bytes.data() + filled, bytes.size() - filled,
                               static_cast<off_t>(offset + filled));
            });
            if (got < 0) return failure("read", path_);
            if (got == 0) break;  // The file shrank meanwhile.
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
        return bytes;
    }

    Result<std::uint64_t> size() const override {
        struct stat status{};
        if (::fstat(fd(), &status) != 0) return failure("read the size of", path_);
        return static_cast<std::uint64_t>(status.st_size);
    }

    Result<void> in_place(std::uint64_t bytes) const override {
        struct stat named{};
        struct stat ours{};
        if (::lstat(path_.c_str(), &named) != 0) return failure("find", path_);
        if (::fstat(fd(), &ours) != 0) return failure("find", path_);
        if (named.st_dev != ours.st_dev || named.st_ino != ours.st_ino) {
            return fail(ErrorCode::gone, "cannot find " + path_ + ": another file is in its place");
        }
        const auto left = static_cast<std::uint64_t>(ours.st_size);
        if (left >= bytes) return {};
        return fail(ErrorCode::gone, "cannot find all of " + path_ + ": of " +
                                         std::to_string(bytes) + " bytes " + std::to_string(left) +
                                         " are left, the rest was cut off");
    }

private:
    int fd() const { return descriptor_.number(); }

    Descriptor descriptor_;
    std::string path_;
};

class RealLock final : public FileLock {
public:
    RealLock(Descriptor file, Descriptor folder)
        : file_(std::move(file)), folder_(std::move(folder)) {}

private:
    Descriptor file_;
    Descriptor folder_;
};

int flags_of(OpenMode mode) {
    switch (mode) {
        case OpenMode::read:
            return O_RDONLY | O_CLOEXEC;
        case OpenMode::read_own:
            return O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
        case OpenMode::write:
            return O_RDWR | O_CLOEXEC | O_NOFOLLOW;
        case OpenMode::create:
            return O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT;
        case OpenMode::create_new:
            return O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_CREAT | O_EXCL;
    }
    PARLEY_CHECK(false);
}

Descriptor open_descriptor(const std::string& path, int flags) {
    return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags, 0600); }));
}

/// Opened with O_NONBLOCK, since opening a pipe would otherwise wait for a writer. A device is not
/// opened at all, because opening alone may trigger something.
Result<Descriptor> open_regular(const char* what, const std::string& path, int flags) {
    struct stat status{};
    const bool there = ::stat(path.c_str(), &status) == 0;
    if (!there || S_ISREG(status.st_mode)) {
        Descriptor descriptor = open_descriptor(path, flags | O_NONBLOCK);
        if (descriptor.number() < 0) return failure(what, path);
        if (::fstat(descriptor.number(), &status) != 0) return failure(what, path);
        if (S_ISREG(status.st_mode)) return descriptor;
    }
    return fail(ErrorCode::denied,
                std::string("cannot ") + what + " " + path + ": it is not a regular file");
}

class RealDisk final : public Disk {
public:
    Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
        auto descriptor = open_regular("open", path, flags_of(mode));
        if (!descriptor) return tl::unexpected(descriptor.error());
        return std::make_unique<RealFile>(*std::move(descriptor), path);
    }

    Result<std::unique_ptr<FileLock>> lock(const std::string& path) override {
        auto file = open_regular("lock", path, flags_of(OpenMode::create));
        if (!file) return tl::unexpected(file.error());
        Descriptor folder = open_descriptor(parent_of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder.number() < 0) return failure("lock", path);
        for (const int each : {file->number(), folder.number()}) {
            const int outcome = uninterrupted([&] { return ::flock(each, LOCK_EX | LOCK_NB); });
            if (outcome != 0) return failure("lock", path);
        }
        return std::make_unique<RealLock>(*std::move(file), std::move(folder));
    }

    Result<void> rename(const std::string& from, const std::string& to) override {
        if (::rename(from.c_str(), to.c_str()) == 0) return {};
        return failure("replace", to);
    }

    Result<void> remove(const std::string& path) override {
        return std::remove(path.c_str()) == 0 ? Result<void>{} : failure("remove", path);
    }

    Result<void> make_directory(const std::string& path) override {
        return ::mkdir(path.c_str(), 0700) == 0 ? Result<void>{} : failure("create folder", path);
    }

    Result<void> sync_directory(const std::string& path) override {
        const Descriptor folder = open_descriptor(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder.number() < 0) return failure("open folder", path);
        const int outcome = uninterrupted([&] { return ::fsync(folder.number()); });
        return outcome == 0 ? Result<void>{} : failure("sync folder", path);
    }

    Result<std::vector<std::string>> list(const std::string& path) override {
        const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
        if (folder == nullptr) return failure("list", path);
        std::vector<std::string> names;
        errno = 0;
        while (const dirent* entry = ::readdir(folder.get())) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") names.emplace_back(name);
            errno = 0;
        }
        if (errno != 0) return failure("list", path);
        std::ranges::sort(names);
        return names;
    }

    Result<bool> exists(const std::string& path) override {
        struct stat status{};
        if (::stat(path.c_str(), &status) == 0) return true;
        if (errno == ENOENT || errno == ENOTDIR) return false;
        return failure("look for", path);
    }

    Result<PathKind> kind(const std::string& path) override {
        struct stat status{};
        if (::lstat(path.c_str(), &status) != 0) {
            if (errno == ENOENT || errno == ENOTDIR) return PathKind::nothing;
            return failure("look for", path);
        }
        if (S_ISREG(status.st_mode)) return PathKind::file;
        if (S_ISDIR(status.st_mode)) return PathKind::folder;
        return S_ISLNK(status.st_mode) ? PathKind::link : PathKind::other;
    }

    Result<std::uint64_t> size(const std::string& path) override {
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) return failure("read the size of", path);
        return static_cast<std::uint64_t>(status.st_size);
    }
};

}  // namespace

DiskFault disk_fault(const Error& error) {
    switch (error.code) {
        case ErrorCode::unavailable:
            return DiskFault::full;
        case ErrorCode::denied:
            return DiskFault::denied;
        case ErrorCode::gone:
            return DiskFault::missing;
        case ErrorCode::conflict:
            return DiskFault::taken;
        default:
            return DiskFault::broken;
    }
}

Disk& real_disk() {
    static RealDisk disk;
    return disk;
}

std::string join(std::string_view folder, std::string_view name) {
    std::string path(folder);
    if (!path.empty() && path.back() != '/') path += '/';
    return path.append(name);
}

std::string parent_of(std::string_view path) {
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return ".";
    return std::string(path.substr(0, std::max<std::size_t>(slash, 1)));
}

namespace {

Result<std::string> read_all(Disk& disk, const std::string& path, OpenMode mode,
                             std::uint64_t max_bytes) {
    const auto file = disk.open(path, mode);
    if (!file) return tl::unexpected(file.error());
    const auto size = (*file)->size();
    if (!size) return tl::unexpected(size.error());
    if (*size > max_bytes) {
        return fail(ErrorCode::malformed, "cannot read " + path + ": its " + std::to_string(*size) +
                                              " bytes exceed the limit of " +
                                              std::to_string(max_bytes));
    }
    return (*file)->read(0, *size);
}

const char* name_of(PathKind kind) {
    switch (kind) {
        case PathKind::folder:
            return "a folder; name a file";
        case PathKind::link:
            return "a link, which is not followed; name what it leads to";
        default:
            return "not a regular file, and is left as it is; name another";
    }
}

}  // namespace

Result<std::string> read_file(Disk& disk, const std::string& path, std::uint64_t max_bytes) {
    return read_all(disk, path, OpenMode::read, max_bytes);
}

Result<std::string> read_own_file(Disk& disk, const std::string& path, std::uint64_t max_bytes) {
    return read_all(disk, path, OpenMode::read_own, max_bytes);
}

Result<void> check_replaceable(Disk& disk, const std::string& path) {
    const auto kind = disk.kind(path);
    if (!kind) return tl::unexpected(kind.error());
    if (*kind == PathKind::nothing || *kind == PathKind::file) return {};
    return fail(ErrorCode::denied, "cannot write " + path + ": it is " + name_of(*kind));
}

Result<void> replace_file(Disk& disk, const std::string& from, const std::string& to) {
    return check_replaceable(disk, to).and_then([&] { return disk.rename(from, to); });
}

Result<void> clear_file(Disk& disk, const std::string& path) {
    if (auto ours = check_replaceable(disk, path); !ours) return ours;
    auto removed = disk.remove(path);
    if (!removed && disk_fault(removed.error()) != DiskFault::missing) return removed;
    return {};
}

Result<void> append(File& file, std::string_view bytes) {
    const auto end = file.size();
    if (!end) return tl::unexpected(end.error());
    return file.write(*end, bytes);
}

Result<void> write_file_atomically(Disk& disk, const std::string& path, std::string_view bytes) {
    const std::string temporary = path + ".tmp";
    // Checked before anything is created, so that a refusal leaves nothing behind.
    for (const std::string& each : {path, temporary}) {
        if (auto fine = check_replaceable(disk, each); !fine) return fine;
    }
    const auto written = [&]() -> Result<void> {
        const auto file = disk.open(temporary, OpenMode::create);
        if (!file) return tl::unexpected(file.error());
        return (*file)
            ->truncate(0)  // A process that died may have left one.
            .and_then([&] { return (*file)->write(0, bytes); })
            .and_then([&] { return (*file)->sync(); })
            .and_then([&] { return replace_file(disk, temporary, path); });
    }();
    if (!written) {
        (void)disk.remove(temporary);  // On a full disk it would only take space.
        return written;
    }
    return disk.sync_directory(parent_of(path));
}

Result<void> make_directories(Disk& disk, const std::string& path) {
    const std::string parent = parent_of(path);
    const auto found = disk.exists(path);
    if (!found) return tl::unexpected(found.error());
    if (*found) {
        // The process that created it may have died before it was durable. If we may not even read
        // the folder above, we cannot have created it.
        const auto kept = disk.sync_directory(parent);
        return !kept && disk_fault(kept.error()) == DiskFault::denied ? Result<void>{} : kept;
    }
    const auto above = parent == path ? Result<void>{} : make_directories(disk, parent);
    if (!above) return above;
    const auto made = disk.make_directory(path);
    if (!made && disk_fault(made.error()) != DiskFault::taken) return made;
    return disk.sync_directory(parent);
}

}  // namespace parley
