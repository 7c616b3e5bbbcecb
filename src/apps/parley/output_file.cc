#include "apps/parley/output_file.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace parley::app {
namespace {

/// The umask can only be read by setting it. One thread writes outputs.
mode_t umask_now() {
    const mode_t mask = ::umask(077);
    ::umask(mask);
    return mask;
}

}  // namespace

Result<void> write_output(Disk& disk, const std::string& path, std::string_view bytes) {
    auto written = write_file_atomically(disk, path, bytes);
    if (!written || &disk != &real_disk()) return written;
    if (::chmod(path.c_str(), 0666 & ~umask_now()) == 0) return {};
    return fail(ErrorCode::denied, "cannot let others read " + path + ": " + std::strerror(errno));
}

}  // namespace parley::app
