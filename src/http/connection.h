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
    std::shared_ptr<const Tls> tls;  ///< With https.
    std::string server_name;         ///< Whose certificate it must be; empty: the host's.
    std::optional<Proxy> proxy;      ///< In between.
    std::shared_ptr<const Tls> proxy_tls = {};  ///< With one that is spoken to by https.
};

/// HTTP/1.1 over TCP or TLS. Every wait has a limit, after which the connection is of no use any
/// more. Errors: `unavailable` where nothing came back, `denied` where a certificate is not
/// trusted, `malformed` where what came is no HTTP. Used by one coroutine at a time.
class Connection {
public:
    /// Name, TCP, proxy and TLS, all within `limit`.
    static boost::asio::awaitable<Result<std::unique_ptr<Connection>>> open(Endpoint endpoint,
                                                                            Duration limit);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Sends a request and reads the head of the answer, whose body is empty here.
    boost::asio::awaitable<Result<Response>> begin(Request request, Duration limit);

    /// The next bytes of the body; none: this was its end.
    boost::asio::awaitable<Result<std::string>> more(Duration limit);

    /// The last answer was read to its end, and the other side keeps the connection open.
    bool reusable() const;

    /// Ends what is being waited for.
    void close();

private:
    struct Wire;
    explicit Connection(std::unique_ptr<Wire> wire);
    std::unique_ptr<Wire> wire_;
};

}  // namespace parley::http
