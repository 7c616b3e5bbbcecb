// HTTP, inside of connection.h: bytes to and from a server over TCP, over TLS, or over TLS through
// a proxy with TLS of its own. Only this file knows which: templates instantiated for each of them
// take long to compile.

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

/// How many bytes an operation moved, or why it failed.
struct Moved {
    boost::system::error_code failed;
    std::size_t bytes = 0;
};

/// Used by one coroutine at a time.
class ByteStream {
public:
    virtual ~ByteStream() = default;

    /// Sets the deadline for all that follows; whatever waits longer fails.
    virtual void expire_after(Duration limit) = 0;
    virtual void close() = 0;

    virtual boost::asio::awaitable<Moved> read_some(boost::asio::mutable_buffer room) = 0;
    /// Writes all of the bytes.
    virtual boost::asio::awaitable<Moved> write(boost::asio::const_buffer bytes) = 0;
    /// Bytes that have already arrived, without waiting; if there are none it fails with
    /// would_block.
    virtual Moved read_now(boost::asio::mutable_buffer room) = 0;

    /// Adds TLS; the other side's certificate must be for `expected`. `name` is used in messages.
    /// The old stream is used up, even if this fails.
    virtual boost::asio::awaitable<Result<std::unique_ptr<ByteStream>>> secure(
        std::shared_ptr<const Tls> tls, std::string expected, std::string name, Duration limit) = 0;
};

/// Resolves the host and connects; `whom` is used in messages.
boost::asio::awaitable<Result<std::unique_ptr<ByteStream>>> connect_tcp(std::string host,
                                                                        std::uint16_t port,
                                                                        std::string whom,
                                                                        Duration limit);

}  // namespace parley::http
