#include "apps/dashboard/server_file.h"

#include "base/clock.h"
#include "base/described_json.h"
#include "base/json.h"
#include "base/json_read.h"
#include "web/serve/login.h"

#include <cerrno>
#include <filesystem>
#include <signal.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace parley::app {
namespace {

constexpr std::size_t kNonceBytes = 16;

bool is_running(std::int64_t process) {
    return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM);
}

std::string bytes_of_hex(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        const auto digit = [](char c) {
            return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
        };
        out += static_cast<char>(digit(digits[i]) * 16 + digit(digits[i + 1]));
    }
    return out;
}

Result<ServerWord> read_word(Disk& disk, const std::string& path) {
    const auto bytes = read_file(disk, path, 65'536);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto value = parse_json(*bytes);
    if (!value) return tl::unexpected(value.error());
    ServerWord word;
    if (auto read = read_json(*value, word, ""); !read) return tl::unexpected(read.error());
    return word;
}

}  // namespace

std::string whole_path(const std::string& path) {
    std::error_code fault;
    const auto whole =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, fault), fault);
    return fault ? path : whole.string();
}

Result<std::string> servers_folder(const Environment& environment) {
    std::string base = environment("XDG_STATE_HOME");
    if (base.empty()) {
        const std::string home = environment("HOME");
        if (home.empty()) {
            return fail(ErrorCode::denied, "neither XDG_STATE_HOME nor HOME is set");
        }
        base = join(home, ".local/state");
    }
    return join(base, "parley/servers");
}

ServerFile::ServerFile(Disk& disk, const Environment& environment, const ServerWord& word)
    : disk_(disk) {
    const auto folder = servers_folder(environment);
    if (!folder) {
        problem_ = folder.error().message;
        return;
    }
    if (auto made = make_directories(disk, *folder); !made) {
        problem_ = made.error().message;
        return;
    }
    const std::string path = join(*folder, std::to_string(word.port) + ".json");
    if (auto written = write_file_atomically(disk, path, to_json(word) + "\n"); !written) {
        problem_ = written.error().message;
        return;
    }
    path_ = path;
}

ServerFile::~ServerFile() {
    // A file that stays behind is recognised by its process, which no longer runs.
    if (!path_.empty()) (void)disk_.remove(path_);
}

Result<std::vector<ServerWord>> server_words(Disk& disk, const Environment& environment) {
    const auto folder = servers_folder(environment);
    if (!folder) return tl::unexpected(folder.error());
    std::vector<ServerWord> words;
    const auto names = disk.list(*folder);
    if (!names) {
        if (disk_fault(names.error()) == DiskFault::missing) return words;
        return tl::unexpected(names.error());
    }
    for (const std::string& name : *names) {
        auto word = read_word(disk, join(*folder, name));
        if (word && is_running(word->process)) words.push_back(*std::move(word));
    }
    return words;
}

std::string new_link(const ServerWord& word) {
    return word.url + "/#token=" +
           web::make_token(bytes_of_hex(word.key), wall_now() + web::kLinkLasts,
                           web::real_secret()(kNonceBytes));
}

}  // namespace parley::app
