// HTTP, client of one server: whole answers over a few connections that are kept, streams over
// connections of their own.

#pragma once

#include "http/connection.h"
#include "http/inflate.h"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::http {

struct Limits {
    Duration connect = seconds(5);
    /// From sending the request until the head of the answer is there.
    Duration head = seconds(5);
    /// For the whole answer, so that a server that drips bytes is cut off.
    Duration whole = seconds(60);
    std::uint64_t body_max = std::uint64_t{64} << 20;  ///< In bytes after decompression.
};

/// Called with the body so far, decompressed, whenever more of it has come.
using Glance = std::function<void(std::string_view)>;

/// An answer whose body continues for as long as the other side wishes.
class Stream {
public:
    Stream(std::unique_ptr<Connection> connection, Response head, std::uint64_t body_max);

    const Response& head() const { return head_; }
    /// The next bytes, decompressed; empty: the other side ended the body. `unavailable` if none
    /// came in time.
    boost::asio::awaitable<Result<std::string>> more(Duration limit);
    void close() { connection_->close(); }

private:
    std::unique_ptr<Connection> connection_;
    Response head_;
    std::optional<Inflater> inflater_;
};

/// Not thread-safe: used only on its executor's thread. Pass it by reference.
class Client {
public:
    /// At most `connections_max` whole answers are fetched at a time; further requests wait.
    Client(const boost::asio::any_io_executor& executor, Endpoint endpoint, std::string user_agent,
           std::size_t connections_max = 8);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// The whole answer, whatever its status. A GET that fails on a kept connection is sent once
    /// more on a new one, since the other side may have closed the old one while it was idle.
    boost::asio::awaitable<Result<Response>> ask(Request request, Limits limits,
                                                 Glance glance = {});

    /// The head of an answer; its body is then read piece by piece.
    boost::asio::awaitable<Result<std::unique_ptr<Stream>>> stream(Request request, Limits limits);

    /// Uses another certificate from now on; kept connections are dropped. `proxy` is for a proxy
    /// that is reached by https.
    void use(std::shared_ptr<const Tls> tls, std::shared_ptr<const Tls> proxy = {});

    const Url& url() const;
    std::uint64_t requests() const;  ///< Sent so far.

private:
    struct Pool;
    boost::asio::awaitable<Result<Response>> ask_once(Request request, Limits limits,
                                                      const Glance* glance, bool fresh,
                                                      bool* was_idle);
    std::unique_ptr<Pool> pool_;
};

}  // namespace parley::http
