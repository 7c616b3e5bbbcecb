// Kube, webhook: server, certificates, registration and the order that it follows, together.

#pragma once

#include "kube/watch/api.h"
#include "kube/webhook/certificates.h"
#include "kube/webhook/hook_server.h"
#include "kube/webhook/registration.h"
#include "kube/write/term.h"
#include "model/request.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace parley::kube {

struct WebhookOptions {
    std::string address = "127.0.0.1";  ///< To listen on.
    std::uint16_t port = 0;             ///< 0: any.
    /// Where the API server reaches us, "https://HOST:PORT"; empty: at the Service, or else at the
    /// address above.
    std::string url;
    std::string service;  ///< In the home namespace, port 443; empty: none.
    std::string home = "parley-system";
    Duration lasts = hours(24);  ///< Of a certificate; another one is made when half is over.
    std::string run;             ///< Tells this process' requests from others' in the audit log.
};

/// Whether the API server could reach it by such an address; `denied` with the reason.
[[nodiscard]] Result<void> check_url(const std::string& url);

/// The order that new Jobs are answered by. The loop writes it, the server's thread reads it.
class StandingOrder {
public:
    void set(model::SetAdmission order);
    model::SetAdmission get() const;

private:
    mutable std::mutex mutex_;
    model::SetAdmission order_;
};

/// Everybody who has one reads the order and answers by it; only the leader is registered. Used on
/// one executor, and destroyed only when its loop has ended.
class Webhook {
public:
    /// Listens; nothing is asked of the cluster yet. `stopped` is the kill switch, and is called on
    /// the server's thread: while it is on, Jobs are left alone.
    [[nodiscard]] static Result<std::unique_ptr<Webhook>> start(std::shared_ptr<Api> api,
                                                                const WebhookOptions& options,
                                                                Term term,
                                                                std::function<bool()> stopped);

    /// Looks for ever, every 2 s.
    boost::asio::awaitable<void> follow();
    /// Once: at the order, at the certificates, and, while we lead, at the registration.
    boost::asio::awaitable<void> look(TimePoint now);
    /// Takes the registration away if we lead. The server answers until this is destroyed.
    boost::asio::awaitable<void> end();

    /// Whether the API server asks us; otherwise why it does not.
    [[nodiscard]] Result<void> serves() const;
    /// An order that we have just written ourselves: it stands before it is read again. One to
    /// deprioritize waits until then, since its class must be looked for.
    void follow_order(const model::SetAdmission& order);

    const HookPlace& place() const { return place_; }
    std::uint16_t port() const { return server_->port(); }

private:
    Webhook(std::shared_ptr<Api> api, const WebhookOptions& options, Term term,
            Rotation certificates);
    boost::asio::awaitable<void> read_order();
    boost::asio::awaitable<bool> has_class();
    boost::asio::awaitable<void> keep_registered(TimePoint now);
    void rotate(TimePoint now);

    std::shared_ptr<Api> api_;
    WebhookOptions options_;
    Term term_;
    Rotation certificates_;
    HookPlace place_;
    std::shared_ptr<StandingOrder> order_ = std::make_shared<StandingOrder>();
    std::unique_ptr<Registration> registration_;
    std::string trouble_ = "it is not registered yet";
    std::string written_;    ///< The bundle that the API server was last found to have.
    TimePoint looked_;       ///< When that was.
    TimePoint known_since_;  ///< Since when it has had it.
    bool looking_ = false;
    bool ended_ = false;
    std::unique_ptr<HookServer> server_;  ///< Last: it ends first.
};

}  // namespace parley::kube
