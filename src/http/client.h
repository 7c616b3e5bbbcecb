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
    Duration head = seconds(5);    ///< From sending until the head of the answer is there.
    Duration whole = seconds(60);  ///< The whole answer: one byte a second is no answer.
    std::uint64_t body_max = std::uint64_t{64} << 20;  ///< Unpacked.
};

/// Called with what has come of a body so far, unpacked, whenever there is more of it.
using Glance = std::function<void(std::string_view)>;

/// An answer whose body goes on for as long as the other side wishes.
class Stream {
public:
    Stream(std::unique_ptr<Connection> connection, Response head, std::uint64_t body_max);

    const Response& head() const { return head_; }
    /// The next bytes, unpacked; none: the other side ended it. `unavailable` if none came in time.
    boost::asio::awaitable<Result<std::string>> more(Duration limit);
    void close() { connection_->close(); }

private:
    std::unique_ptr<Connection> connection_;
    Response head_;
    std::optional<Inflater> inflater_;
};

/// Copies share nothing; hold it by reference. On one executor, whose thread uses it alone.
class Client {
public:
    /// `connections_max`: so many whole answers at a time; others wait for their turn.
    Client(const boost::asio::any_io_executor& executor, Endpoint endpoint, std::string user_agent,
           std::size_t connections_max = 8);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// The whole answer, whatever its status. A GET that fails on a connection which had been idle
    /// is sent once more on a new one: the other side may have closed it meanwhile.
    boost::asio::awaitable<Result<Response>> ask(Request request, Limits limits,
                                                 Glance glance = {});

    /// The head of an answer and its body to come.
    boost::asio::awaitable<Result<std::unique_ptr<Stream>>> stream(Request request, Limits limits);

    /// From now on with another certificate: kept connections are dropped. `proxy`: with a proxy
    /// that is spoken to by https.
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
