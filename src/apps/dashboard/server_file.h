// App: where a server of dashboards that runs now leaves word of itself, for `parley link`: its
// address and the key by which links are vouched for. Readable by its owner alone.

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
    std::vector<std::string> runs;  ///< Folders, as whole paths where that can be said.
};
BOOST_DESCRIBE_STRUCT(ServerWord, (), (url, port, key, process, runs))

/// parley/servers below XDG_STATE_HOME, which is ~/.local/state by default.
[[nodiscard]] Result<std::string> servers_folder(const Environment& environment);

/// Removed when it is destroyed. Without a place to leave it there is no word, and `parley link`
/// says that it found none.
class ServerFile {
public:
    ServerFile(Disk& disk, const Environment& environment, const ServerWord& word);
    ~ServerFile();
    ServerFile(const ServerFile&) = delete;
    ServerFile& operator=(const ServerFile&) = delete;

    /// Why there is none; or empty.
    const std::string& problem() const { return problem_; }

private:
    Disk& disk_;
    std::string path_;
    std::string problem_;
};

/// Words of servers whose processes still run, the newest port last.
[[nodiscard]] Result<std::vector<ServerWord>> server_words(Disk& disk,
                                                           const Environment& environment);

/// A link that opens one session there.
std::string new_link(const ServerWord& word);

/// The path as others find it: from the root.
std::string whole_path(const std::string& path);

}  // namespace parley::app
