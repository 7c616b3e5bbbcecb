// HTTP, one connection: a request in, the head of its answer and then its body piece by piece out.

#pragma once

#include "base/result.h"
#include "http/message.h"
#include "http/proxy.h"
#include "http/tls.h"
#include "http/url.h"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>

namespace parley::http {

/// Where to connect, and how.
struct Endpoint {
    Url url;
    std::shared_ptr<const Tls> tls;  ///< For https.
    std::string server_name;     ///< The name that its certificate must carry; empty: the host's.
    std::optional<Proxy> proxy;  ///< To connect through.
    std::shared_ptr<const Tls> proxy_tls = {};  ///< For a proxy that is reached by https.
};

/// HTTP/1.1 over TCP or TLS. Every wait has a limit; after a timeout the connection is unusable.
/// Errors: `unavailable` if nothing came back, `denied` if a certificate is not trusted,
/// `malformed` if the answer is not HTTP. Used by one coroutine at a time.
class Connection {
public:
    /// Resolves the name, connects, and negotiates proxy and TLS, all within `limit`.
    static boost::asio::awaitable<Result<std::unique_ptr<Connection>>> open(Endpoint endpoint,
                                                                            Duration limit);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Sends a request and reads the head of the answer; its body is left empty.
    boost::asio::awaitable<Result<Response>> begin(Request request, Duration limit);

    /// The next bytes of the body; empty: the body has ended.
    boost::asio::awaitable<Result<std::string>> more(Duration limit);

    /// Whether the last answer was read to its end and the other side keeps the connection open.
    bool reusable() const;

    /// Cancels whatever is being waited for.
    void close();

private:
    struct Wire;
    explicit Connection(std::unique_ptr<Wire> wire);
    std::unique_ptr<Wire> wire_;
};

}  // namespace parley::http
