// HTTP, for tests: a server on loopback that answers from a script and misbehaves on purpose.

#pragma once

#include "http/message.h"

#include <boost/asio/any_io_executor.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::http {

/// An answer, or a fault in its place.
struct Reply {
    enum class Manner {
        proper,
        chunked,     ///< `pieces`, one chunk each.
        cut,         ///< Announces all of `body`, sends half of it and closes.
        drip,        ///< A byte of `body` every 20 ms.
        silent,      ///< Sends nothing.
        reset,       ///< Closes at once.
        raw,         ///< `body` alone, without a head of ours.
        hang_after,  ///< `pieces` as chunks, then nothing more, and no end.
    };
    int status = 200;
    std::vector<Header> headers = {};
    std::string body = {};
    std::vector<std::string> pieces = {};
    Manner manner = Manner::proper;
    bool close = false;  ///< Closes after the answer, without announcing it.
};

struct ImposterTls {
    std::string certificate_pem;
    std::string key_pem;
    /// Clients must present a certificate signed by it; empty: none is asked for.
    std::string client_ca_pem;
};

/// Serves on its executor while it lives; each connection is a coroutine.
class Imposter {
public:
    using Script = std::function<Reply(const Request&)>;
    Imposter(const boost::asio::any_io_executor& executor, Script script);
    Imposter(const boost::asio::any_io_executor& executor, Script script, const ImposterTls& tls);
    ~Imposter();

    std::uint16_t port() const;
    const std::vector<Request>& requests() const;  ///< So far, in order.
    int connections() const;                       ///< Accepted so far.

    struct State;

private:
    std::shared_ptr<State> state_;
};

}  // namespace parley::http
