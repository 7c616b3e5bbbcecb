#include "kube/access/kubeconfig_file.h"

#include "kube/access/kubeconfig_text.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::kube {
namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

private:
    int number_;
};

/// An error from errno.
tl::unexpected<Error> failure(const std::string& path) {
    const int number = errno;
    const std::string name = one_line(path);
    if (number == ENOENT || number == ENOTDIR) {
        return fail(ErrorCode::gone, name + ": there is no such file; check the path");
    }
    const bool forbidden = number == EACCES || number == EPERM;
    return fail(forbidden ? ErrorCode::denied : ErrorCode::unavailable,
                name + ": cannot be read: " + std::generic_category().message(number) +
                    "; check its permissions and its path");
}

Result<Stamp> judge(const std::string& path, const struct stat& status) {
    const std::string name = one_line(path);
    if (S_ISDIR(status.st_mode)) {
        return fail(ErrorCode::denied, name + ": this is a folder; name a file in it");
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::denied,
                    name + ": this is not a regular file; write the text to one");
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > kAccessFileMax) {
        return fail(ErrorCode::malformed, name + ": it has " + std::to_string(size) +
                                              " bytes, and " + std::to_string(kAccessFileMax) +
                                              " are allowed; is it the right file?");
    }
    return Stamp{.changed_ns = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                               status.st_mtim.tv_nsec,
                 .size = size,
                 .inode = static_cast<std::uint64_t>(status.st_ino)};
}

}  // namespace

Result<Stamp> stamp_of(const std::string& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return failure(path);
    return judge(path, status);
}

Result<SmallFile> read_small_file(const std::string& path) {
    // Checked before opening, because opening some devices has an effect, and again after.
    if (auto before = stamp_of(path); !before) return tl::unexpected(before.error());
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status{};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return failure(path);
    const auto stamp = judge(path, status);
    if (!stamp) return tl::unexpected(stamp.error());
    SmallFile out{.stamp = *stamp};
    out.text.resize(static_cast<std::size_t>(stamp->size));
    std::size_t filled = 0;
    while (filled < out.text.size()) {
        const ssize_t got =
            ::read(file.number(), out.text.data() + filled, out.text.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failure(path);
        if (got == 0) break;  // The file shrank meanwhile.
        filled += static_cast<std::size_t>(got);
    }
    out.text.resize(filled);
    return out;
}

}  // namespace parley::kube
