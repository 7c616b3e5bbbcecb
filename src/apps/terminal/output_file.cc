#include "apps/terminal/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace parley::app {
namespace {

/// The umask can only be read by setting it. Outputs are written by one thread.
mode_t umask_now() {
    const mode_t mask = ::umask(077);
    ::umask(mask);
    return mask;
}

/// Whether two names lead to the same file, existing or not.
bool same_file(const std::string& a, const std::string& b) {
    namespace fs = std::filesystem;
    std::error_code unknown;
    if (fs::equivalent(a, b, unknown)) return true;
    const fs::path first = fs::weakly_canonical(fs::absolute(a, unknown), unknown);
    const fs::path second = fs::weakly_canonical(fs::absolute(b, unknown), unknown);
    return !first.empty() && first == second;
}

bool is_folder(const std::string& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// The folder of a path; a folder may end with a slash.
std::string folder_of(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

tl::unexpected<Error> cannot_write(const std::string& path, const std::string& why) {
    return fail(ErrorCode::denied, "cannot write " + path + ": " + why);
}

Result<void> check_rights(const std::string& path, const std::string& folder) {
    if (::access(folder.c_str(), W_OK) == 0) return {};
    return cannot_write(path, "the folder " + folder + " may not be written to; name another");
}

}  // namespace

Result<void> write_output(Disk& disk, const std::string& path, std::string_view bytes) {
    auto written = write_file_atomically(disk, path, bytes);
    if (!written || &disk != &real_disk()) return written;
    if (::chmod(path.c_str(), 0666 & ~umask_now()) == 0) return {};
    return fail(ErrorCode::denied, "cannot let others read " + path + ": " + std::strerror(errno));
}

Result<void> check_output(const std::string& path) {
    if (path.empty()) return {};
    if (is_folder(path)) return cannot_write(path, "it is a folder; name a file");
    if (auto fine = check_replaceable(real_disk(), path); !fine) return fine;
    const std::string folder = folder_of(path);
    if (!is_folder(folder))
        return cannot_write(path, "there is no folder " + folder + "; make it first");
    return check_rights(path, folder);
}

Result<void> check_output(const std::string& path, const std::vector<std::string>& inputs) {
    if (auto fine = check_output(path); !fine || path.empty()) return fine;
    for (const std::string& input : inputs) {
        if (!same_file(path, input)) continue;
        return fail(ErrorCode::denied,
                    path + " is read here and would be overwritten; name another");
    }
    return {};
}

Result<void> check_output_folder(const std::string& path) {
    if (path.empty()) return {};
    std::string there = path;
    struct stat status{};
    while (::stat(there.c_str(), &status) != 0) {
        const std::string above = folder_of(there);
        if (above == there || there == ".") break;
        there = above;
    }
    if (!is_folder(there)) return cannot_write(path, there + " is no folder; name another");
    return check_rights(path, there);
}

}  // namespace parley::app
