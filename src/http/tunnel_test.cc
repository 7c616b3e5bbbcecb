// Connections through a proxy that is itself reached by TLS: TLS within TLS.

#include "http/connection.h"
#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

#include <array>

namespace parley::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using asio::experimental::awaitable_operators::operator||;
constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);

template <class From, class To>
asio::awaitable<void> pass_on(From* from, To* to) {
    std::array<char, 4096> bytes{};
    for (;;) {
        const auto [failed, count] = co_await from->async_read_some(asio::buffer(bytes), kTuple);
        if (failed) co_return;
        const auto piece = asio::buffer(bytes.data(), count);
        const auto [unsent, sent] = co_await asio::async_write(*to, piece, kTuple);
        if (unsent) co_return;
    }
}

/// Accepts one TLS connection, reads where it should connect to, and connects to `port` on loopback
/// instead.
class TlsProxy {
public:
    TlsProxy(asio::io_context& io, const Certified& shown, std::uint16_t port)
        : acceptor_(io, {asio::ip::address_v4::loopback(), 0}), port_(port) {
        context_.use_certificate_chain(asio::buffer(shown.certificate_pem));
        context_.use_private_key(asio::buffer(shown.key_pem), asio::ssl::context::pem);
        asio::co_spawn(io, serve(), asio::detached);
    }
    Proxy proxy() const {
        return {.kind = Proxy::Kind::https,
                .host = "127.0.0.1",
                .port = acceptor_.local_endpoint().port(),
                .user = "ann",
                .password = "pw"};
    }
    const std::string& told() const { return told_; }

private:
    asio::awaitable<void> serve() {
        auto [failed, socket] = co_await acceptor_.async_accept(kTuple);
        if (failed) co_return;
        asio::ssl::stream<tcp::socket> client(std::move(socket), context_);
        const auto [refused] =
            co_await client.async_handshake(asio::ssl::stream_base::server, kTuple);
        if (refused) co_return;
        co_await asio::async_read_until(client, asio::dynamic_buffer(told_), "\r\n\r\n", kTuple);
        tcp::socket server(client.get_executor());
        const tcp::endpoint where(asio::ip::address_v4::loopback(), port_);
        co_await server.async_connect(where, kTuple);
        const std::string fine = "HTTP/1.1 200 Connection established\r\n\r\n";
        co_await asio::async_write(client, asio::buffer(fine), kTuple);
        co_await (pass_on(&client, &server) || pass_on(&server, &client));
    }

    tcp::acceptor acceptor_;
    std::uint16_t port_;
    asio::ssl::context context_{asio::ssl::context::tls_server};
    std::string told_;
};

struct Bench {
    TestLoop loop;
    Certified authority = make_authority("ours");
    Certified of_server = make_certificate(authority, "DNS:api.example");
    Certified of_proxy = make_certificate(authority, "IP:127.0.0.1");
    Imposter server{loop.executor(),
                    [](const Request&) { return Reply{.body = std::string(300'000, 'x')}; },
                    {of_server.certificate_pem, of_server.key_pem, ""}};
    TlsProxy proxy{loop.context(), of_proxy, server.port()};

    Result<std::unique_ptr<Connection>> open(const std::string& trusted_of_proxy) {
        Endpoint to{.url = {true, "api.example", 6443, ""},
                    .tls = *Tls::make({.ca_pem = authority.certificate_pem}),
                    .proxy = proxy.proxy(),
                    .proxy_tls = *Tls::make({.ca_pem = trusted_of_proxy})};
        return loop.ask(Connection::open(std::move(to), seconds(5)));
    }
};

TEST(Tunnel, the_server_is_reached_through_a_proxy_with_tls_of_its_own) {
    Bench bench;
    const auto connection = bench.open(bench.authority.certificate_pem);
    ASSERT_TRUE(connection) << connection.error().message;
    EXPECT_TRUE(bench.proxy.told().starts_with("CONNECT api.example:6443 HTTP/1.1\r\n"));
    EXPECT_NE(bench.proxy.told().find("Proxy-Authorization: Basic YW5uOnB3\r\n"),
              std::string::npos);
    for (int i = 0; i < 2; ++i) {
        const auto head = bench.loop.ask((*connection)->begin({.target = "/pods"}, seconds(5)));
        ASSERT_TRUE(head) << head.error().message;
        std::size_t came = 0;
        for (;;) {
            const auto piece = bench.loop.ask((*connection)->more(seconds(5)));
            ASSERT_TRUE(piece) << piece.error().message;
            if (piece->empty()) break;
            came += piece->size();
        }
        EXPECT_EQ(came, 300'000U);
        EXPECT_TRUE((*connection)->reusable());
    }
    ASSERT_EQ(bench.server.requests().size(), 2U);
    // A plain proxy would get the whole address.
    EXPECT_EQ(bench.server.requests()[0].target, "/pods");
}

TEST(Tunnel, a_proxy_that_is_not_trusted_is_told_nothing) {
    Bench bench;
    const auto connection = bench.open(make_authority("another").certificate_pem);
    ASSERT_FALSE(connection);
    EXPECT_EQ(connection.error().code, ErrorCode::denied);
    EXPECT_NE(
        connection.error().message.find("TLS with the proxy " + bench.proxy.proxy().authority() +
                                        ": its certificate is not trusted as that of 127.0.0.1"),
        std::string::npos)
        << connection.error().message;
    EXPECT_EQ(bench.proxy.told(), "");
}

}  // namespace
}  // namespace parley::http
