// Web, inside of server.h: what the server's connections share. Used on its loop, except for the
// lanes.

#pragma once

#include "web/serve/api.h"
#include "web/serve/door.h"
#include "web/serve/login.h"
#include "web/serve/metrics.h"
#include "web/serve/server.h"
#include "web/serve/viewers.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace parley::web {

/// What a port serves.
enum class Port : std::uint8_t { all, probes, metrics };

struct Server::State : std::enable_shared_from_this<Server::State> {
    State(ServerOptions server_options, Runs served);

    ServerOptions options;
    Runs runs;
    DoorPlan plan;
    std::unique_ptr<boost::asio::io_context> loop = std::make_unique<boost::asio::io_context>(1);
    boost::asio::thread_pool quick{1};  ///< Answers that take milliseconds.
    boost::asio::thread_pool slow{1};   ///< Reading whole records.
    std::thread thread;
    std::optional<boost::asio::ssl::context> tls;
    std::vector<std::unique_ptr<boost::asio::ip::tcp::acceptor>> acceptors;
    Logins logins;
    RateLimit rate{500, 1'000};
    Metrics metrics;
    Viewers viewers;
    std::size_t connections = 0;        ///< To the page's port, of at most connections_max.
    std::size_t probe_connections = 0;  ///< To the ports of probes and metrics.
    std::size_t connections_max = 0;
    std::map<boost::asio::ip::address, std::size_t> by_address;  ///< Those from other machines.
    std::atomic<std::size_t> publishing = 0;  ///< Rounds on their way from the loop to the server.
    std::atomic<std::size_t> waiting = 0;     ///< Requests on the lanes.
    std::atomic<bool> leaving = false;
    std::deque<std::atomic<bool>> reading;  ///< By run: its record is being read on the slow lane.
    std::map<std::string_view, std::string> packed;  ///< Files of the page, by path, as gzip.

    /// Whether one more connection may come from there.
    bool has_room(Port port, const boost::asio::ip::address& from) const;
    Result<void> bind(Port port, const std::string& address, std::uint16_t number, bool next_free);
    bool ready() const;
};

/// Serves one connection until it ends.
boost::asio::awaitable<void> serve_connection(std::shared_ptr<Server::State> state,
                                              boost::asio::ip::tcp::socket socket, Port port);

}  // namespace parley::web
