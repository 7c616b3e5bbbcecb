// App: --listen and related flags, and how the dashboard is served.

#pragma once

#include "apps/terminal/command.h"
#include "base/file.h"
#include "base/result.h"
#include "web/serve/server.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct ListenFlags {
    std::string listen;  ///< ADDR:PORT, or `off`; empty: the default of the command.
    std::string tls;     ///< `auto`: a certificate is made.
    std::string certificate;
    std::string key;
    std::vector<std::string> hosts;
};

/// What a command does without --listen.
enum class ListenDefault {
    off,
    on,
    always,  ///< It only serves: --listen off would leave nothing to do, and is refused.
};

void add_listen_flags(Command& command, ListenFlags& into, ListenDefault otherwise);

/// How to serve, and what to print about a certificate that was made.
struct ListenPlan {
    web::ServerOptions options;
    std::string said;
};

/// Nothing: no dashboard is served. Inside a cluster, probes and metrics have ports of their own.
[[nodiscard]] Result<std::optional<ListenPlan>> listen_plan(Disk& disk, const ListenFlags& flags,
                                                            ListenDefault otherwise,
                                                            bool in_cluster);

/// "127.0.0.1:8765", "[::1]:8765", "8765".
struct ListenPlace {
    std::string address;
    std::uint16_t port = 0;
};
[[nodiscard]] Result<ListenPlace> parse_listen(const std::string& text);

}  // namespace parley::app
