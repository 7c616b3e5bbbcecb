#include "web/serve/server.h"

#include "fake/disk.h"
#include "web/run/served_run.h"
#include "web/views/web_kit_test.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace parley::web {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::endpoint local(std::uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }

/// A port that nobody listens on now.
std::uint16_t free_port() {
    asio::io_context context;
    const tcp::acceptor acceptor(context, local(0));
    return acceptor.local_endpoint().port();
}

/// The status line of what is answered; empty: it hung up.
std::string ask(std::uint16_t port, const std::string& target) {
    asio::io_context context;
    tcp::socket socket(context);
    boost::system::error_code failed;
    std::ignore = socket.connect(local(port), failed);
    if (failed) return "no connection";
    const std::string request = "GET " + target +
                                " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                "\r\nConnection: close\r\n\r\n";
    asio::write(socket, asio::buffer(request), failed);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), failed);
    return answer.substr(0, answer.find("\r\n"));
}

/// Logs in by the printed link and follows the run until the server hangs up.
class Follower {
public:
    Follower(const Server& server, const std::string& run) : port_(server.port()) {
        const std::string link = server.link();
        const std::string body = R"({"token":")" + link.substr(link.find("token=") + 6) + "\"}";
        const std::string welcome =
            ask("POST /api/session", "Content-Type: application/json\r\nX-Parley: 1\r\n", body);
        const auto at = welcome.find("parley_");
        cookie_ = at == std::string::npos ? "" : welcome.substr(at, welcome.find(';', at) - at);
        connect(stream_);
        write(stream_, "GET /api/runs/" + run + "/stream",
              "Cookie: " + cookie_ + "\r\nSec-Fetch-Site: same-origin\r\n", "");
    }

    /// Until `part` has come, or the end.
    bool hears(const std::string& part) {
        boost::system::error_code failed;
        while (heard_.find(part) == std::string::npos && !failed) {
            std::array<char, 4'096> bytes{};
            heard_.append(bytes.data(), stream_.read_some(asio::buffer(bytes), failed));
        }
        return heard_.find(part) != std::string::npos;
    }
    const std::string& heard() const { return heard_; }

private:
    void connect(tcp::socket& socket) const {
        boost::system::error_code failed;
        std::ignore = socket.connect(local(port_), failed);
        EXPECT_FALSE(failed) << failed.message();
    }
    void write(tcp::socket& socket, const std::string& line, const std::string& headers,
               const std::string& body) const {
        boost::system::error_code failed;
        asio::write(socket,
                    asio::buffer(line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
                                 "\r\n" + headers + "Content-Length: " +
                                 std::to_string(body.size()) + "\r\n\r\n" + body),
                    failed);
    }
    std::string ask(const std::string& line, const std::string& headers, const std::string& body) {
        tcp::socket socket(context_);
        connect(socket);
        write(socket, line, headers + "Connection: close\r\n", body);
        std::string answer;
        boost::system::error_code failed;
        asio::read(socket, asio::dynamic_buffer(answer), failed);
        return answer;
    }

    std::uint16_t port_;
    asio::io_context context_;
    tcp::socket stream_{context_};
    std::string cookie_;
    std::string heard_;
};

struct Started {
    ServerOptions options;
    std::unique_ptr<Server> server;

    /// Another program may take a port between our asking for it and our listening.
    explicit Started(const Runs& runs = {}) {
        constexpr int kTries = 5;
        std::string why;
        for (int i = 0; i < kTries && !server; ++i) {
            options = {.port = free_port(), .probe_port = free_port(), .metrics_port = free_port()};
            auto started = Server::start(options, runs);
            if (started) {
                server = *std::move(started);
            } else {
                why = started.error().message;
            }
        }
        EXPECT_TRUE(server) << why;
    }
};

TEST(Server, probes_and_metrics_have_ports_of_their_own_and_answer_nothing_else) {
    const Started started;
    ASSERT_TRUE(started.server);
    const auto& [page, probes, metrics] =
        std::tuple(started.options.port, started.options.probe_port, started.options.metrics_port);
    const std::string ok = "HTTP/1.1 200 OK";
    const std::string unknown = "HTTP/1.1 404 Not Found";
    EXPECT_EQ(ask(probes, "/healthz"), ok);
    EXPECT_EQ(ask(probes, "/livez"), ok);
    EXPECT_EQ(ask(probes, "/readyz"), ok);
    EXPECT_EQ(ask(metrics, "/metrics"), ok);
    EXPECT_EQ(ask(page, "/"), ok);
    for (const char* target : {"/metrics", "/", "/api/runs"}) {
        EXPECT_EQ(ask(probes, target), unknown) << target;
    }
    for (const char* target : {"/healthz", "/", "/api/runs"}) {
        EXPECT_EQ(ask(metrics, target), unknown) << target;
    }
    for (const char* target : {"/healthz", "/readyz", "/metrics"}) {
        EXPECT_EQ(ask(page, target), unknown) << target;
    }
}

TEST(Server, whoever_fills_the_port_of_the_page_leaves_the_probes_alone) {
    const Started started;
    ASSERT_TRUE(started.server);
    asio::io_context context;
    std::vector<tcp::socket> idle;
    for (int i = 0; i < 2'400; ++i) {  // More than are served.
        boost::system::error_code failed;
        std::ignore = idle.emplace_back(context).connect(local(started.options.port), failed);
        if (failed) break;  // This test has no descriptors left either.
    }
    for (int i = 0; idle.size() < 2'350 && i < 50 && !idle.empty(); ++i) idle.pop_back();
    EXPECT_EQ(ask(started.options.probe_port, "/healthz"), "HTTP/1.1 200 OK");
    EXPECT_EQ(ask(started.options.metrics_port, "/metrics"), "HTTP/1.1 200 OK");
    idle.clear();
    std::string again;
    for (int i = 0; i < 100 && again.empty(); ++i) again = ask(started.options.port, "/");
    EXPECT_EQ(again, "HTTP/1.1 200 OK") << "those who left make room";
}

// The process ends right after reporting how the run ended: on a busy machine the message used to
// get lost, and the page believed that the server had died.
TEST(Server, how_a_run_ended_reaches_its_viewers_though_the_server_ends_with_it) {
    for (int i = 0; i < 20; ++i) {
        fake::Disk disk;
        auto run =
            std::make_shared<ServedRun>(disk, RunPlace{"tour", ""}, kit::header({}), RunHooks{});
        Started started({run});
        ASSERT_TRUE(started.server);
        Follower follower(*started.server, "tour");
        ASSERT_TRUE(follower.hears("event: ")) << follower.heard();
        started.server->finish("tour", RunState::stopped, "a person ended it");
        started.server.reset();
        ASSERT_TRUE(follower.hears("a person ended it"))
            << "time " << i << ": " << follower.heard();
    }
}

}  // namespace
}  // namespace parley::web
