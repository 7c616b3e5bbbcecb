// App: a file in which a running dashboard server describes itself for `parley link`: its address
// and the key that signs links. Readable only by its owner.

#pragma once

#include "apps/shelf/model_places.h"
#include "base/describe.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::app {

struct ServerWord {
    std::string url;
    std::uint32_t port = 0;
    std::string key;  ///< In hexadecimal digits.
    std::int64_t process = 0;
    std::vector<std::string> runs;  ///< Folders, as absolute paths if possible.
};
BOOST_DESCRIBE_STRUCT(ServerWord, (), (url, port, key, process, runs))

/// parley/servers below XDG_STATE_HOME, which is ~/.local/state by default.
[[nodiscard]] Result<std::string> servers_folder(const Environment& environment);

/// Removed when destroyed. If there is no place for it, it is not written, and `parley link` finds
/// no server.
class ServerFile {
public:
    ServerFile(Disk& disk, const Environment& environment, const ServerWord& word);
    ~ServerFile();
    ServerFile(const ServerFile&) = delete;
    ServerFile& operator=(const ServerFile&) = delete;

    /// Why it was not written; else empty.
    const std::string& problem() const { return problem_; }

private:
    Disk& disk_;
    std::string path_;
    std::string problem_;
};

/// Descriptions of servers whose processes still run, the newest port last.
[[nodiscard]] Result<std::vector<ServerWord>> server_words(Disk& disk,
                                                           const Environment& environment);

/// A link that opens one session there.
std::string new_link(const ServerWord& word);

/// The absolute path.
std::string whole_path(const std::string& path);

}  // namespace parley::app
