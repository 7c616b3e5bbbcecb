// Web: the server: answers of the API, files of the page, and streams. Has its own thread and two
// lanes for slow work; the loop that makes rounds never waits for it.

#pragma once

#include "base/result.h"
#include "layers/explanation/wording/leading.h"
#include "layers/pipeline.h"
#include "web/serve/api.h"
#include "web/serve/door.h"
#include "web/serve/login.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::web {

struct ServerTls {
    std::string certificate_pem;
    std::string key_pem;
};

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8765;
    bool next_free = false;  ///< If the port is taken, use one of the next hundred.
    std::optional<ServerTls> tls;
    std::vector<std::string> hosts;  ///< Further names by which it may be reached.
    /// Separate ports for /healthz, /readyz and /metrics, on every address; 0: none, and they are
    /// served with the rest.
    std::uint16_t probe_port = 0;
    std::uint16_t metrics_port = 0;
    std::string version;  ///< Of the program, for parley_build_info.
};

/// Starts when created and ends when destroyed, which disconnects all clients. Methods may be
/// called from any thread and return at once.
class Server {
public:
    /// Fails with one sentence: the address cannot be bound, or is not loopback and has no TLS.
    [[nodiscard]] static Result<std::unique_ptr<Server>> start(ServerOptions options, Runs runs);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// A round of the loop in this process. Never waits: if the server is far behind, the round is
    /// skipped and can only be read from the record.
    void publish(const std::string& run, std::shared_ptr<const Published> round, std::string pace,
                 std::optional<explanation::Leading> leading = {});
    /// How the loop of this process ended.
    void finish(const std::string& run, RunState state, const std::string& reason);

    /// How many follow a stream now, and how many messages wait for the slowest of them.
    std::size_t viewers() const;
    std::size_t waiting_messages() const;

    std::uint16_t port() const;
    /// "http://127.0.0.1:8765".
    std::string url() const;
    /// The address with a token that opens one session.
    std::string link() const;
    /// The key with which `parley link` makes further links.
    const std::string& link_key() const;

    struct State;

private:
    explicit Server(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace parley::web
