// HTTP, inside of connection.h: bytes to and from a server over TCP, over TLS, or over TLS through
// a proxy with TLS of its own. Which of them it is, is known here alone: what is made anew for each
// of them takes long to compile.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "http/tls.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace parley::http {

/// How many bytes an operation moved, or why it did not.
struct Moved {
    boost::system::error_code failed;
    std::size_t bytes = 0;
};

/// Used by one coroutine at a time.
class ByteStream {
public:
    virtual ~ByteStream() = default;

    /// From now on; whatever waits longer fails.
    virtual void expire_after(Duration limit) = 0;
    virtual void close() = 0;

    virtual boost::asio::awaitable<Moved> read_some(boost::asio::mutable_buffer room) = 0;
    /// All of them.
    virtual boost::asio::awaitable<Moved> write(boost::asio::const_buffer bytes) = 0;
    /// What has come already, without waiting; nothing: it fails as one that would block.
    virtual Moved read_now(boost::asio::mutable_buffer room) = 0;

    /// Puts TLS over it and shakes hands with one who must be `expected`; `name` is for people.
    /// What it was before is gone, whatever comes of it.
    virtual boost::asio::awaitable<Result<std::unique_ptr<ByteStream>>> secure(
        std::shared_ptr<const Tls> tls, std::string expected, std::string name, Duration limit) = 0;
};

/// Finds the host and connects; `whom` is for people.
boost::asio::awaitable<Result<std::unique_ptr<ByteStream>>> connect_tcp(std::string host,
                                                                        std::uint16_t port,
                                                                        std::string whom,
                                                                        Duration limit);

}  // namespace parley::http
