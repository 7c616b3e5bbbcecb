// Kube, webhook: an HTTPS server that answers POST /admit and nothing else, on a thread of its own:
// the API server waits for it, and no round may make it wait.

#pragma once

#include "base/result.h"
#include "kube/webhook/certificates.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace parley::kube {

/// The only path that is served.
inline constexpr std::string_view kHookPath = "/admit";

/// Starts when created and ends when destroyed, which disconnects all clients. At most 64 may be
/// connected, and every wait has a limit. Methods may be called from any thread.
class HookServer {
public:
    /// The answer to a body, or why there is none, which is answered by status 400. Called on the
    /// server's thread.
    using Answer = std::function<Result<std::string>(std::string_view body)>;

    /// Port 0: any. Fails with one sentence if the address cannot be bound.
    [[nodiscard]] static Result<std::unique_ptr<HookServer>> start(const std::string& address,
                                                                   std::uint16_t port,
                                                                   const Issued& certificate,
                                                                   Answer answer);
    ~HookServer();
    HookServer(const HookServer&) = delete;
    HookServer& operator=(const HookServer&) = delete;

    /// New connections are shown this certificate from now on; those that are open go on.
    void use(const Issued& certificate);

    std::uint16_t port() const;

    struct State;

private:
    explicit HookServer(std::shared_ptr<State> state);
    std::shared_ptr<State> state_;
};

}  // namespace parley::kube
