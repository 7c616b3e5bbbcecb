#include "http/connection.h"

#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gtest/gtest.h>

namespace parley::http {
namespace {

using Opened = Result<std::unique_ptr<Connection>>;
using Manner = Reply::Manner;

Reply hello(const Request&) { return {.body = "hello"}; }

Url here(std::uint16_t port, bool tls) { return {tls, "127.0.0.1", port, ""}; }

Opened open(TestLoop& loop, Endpoint endpoint, Duration limit = seconds(5)) {
    return loop.ask(Connection::open(std::move(endpoint), limit));
}

TEST(Connection, asks_again_and_again_over_one_connection) {
    TestLoop loop;
    const Imposter server(loop.executor(), hello);
    const auto connection = open(loop, {.url = here(server.port(), false)});
    ASSERT_TRUE(connection) << connection.error().message;
    for (int i = 0; i < 3; ++i) {
        const auto head = loop.ask((*connection)->begin({.target = "/a"}, seconds(5)));
        ASSERT_TRUE(head) << head.error().message;
        EXPECT_EQ(head->status, 200);
        EXPECT_FALSE((*connection)->reusable()) << "the body has not been read";
        EXPECT_EQ(*loop.ask((*connection)->more(seconds(5))), "hello");
        EXPECT_EQ(*loop.ask((*connection)->more(seconds(5))), "");
        EXPECT_TRUE((*connection)->reusable());
    }
    EXPECT_EQ(server.connections(), 1);
    EXPECT_EQ(server.requests().size(), 3U);
}

TEST(Connection, nobody_listens) {
    TestLoop loop;
    std::uint16_t port = 0;
    {
        const Imposter gone(loop.executor(), hello);
        port = gone.port();
    }
    const auto connection = open(loop, {.url = here(port, false)});
    ASSERT_FALSE(connection);
    EXPECT_EQ(connection.error().code, ErrorCode::unavailable);
    EXPECT_EQ(connection.error().message,
              "connecting to 127.0.0.1:" + std::to_string(port) + ": Connection refused");
}

TEST(Connection, a_name_that_nobody_has) {
    TestLoop loop;
    const auto connection = open(loop, {.url = {false, "no.such.host.invalid", 80, ""}});
    ASSERT_FALSE(connection);
    EXPECT_EQ(connection.error().code, ErrorCode::unavailable);
    EXPECT_NE(connection.error().message.find("finding no.such.host.invalid"), std::string::npos);
}

struct Broken {
    Reply reply;
    ErrorCode code;
    const char* part;
};

TEST(Connection, what_goes_wrong_is_said_and_never_waited_for) {
    const Broken cases[] = {
        {{.manner = Manner::silent}, ErrorCode::unavailable, "no answer in time"},
        {{.manner = Manner::reset}, ErrorCode::unavailable, "closed the connection"},
        {{.body = "junk\r\n\r\n", .manner = Manner::raw}, ErrorCode::malformed, "GET 127.0.0.1"},
        {{.body = "HTTP/1.1 200 OK\r\nA: " + std::string(100'000, 'x'), .manner = Manner::raw},
         ErrorCode::malformed,
         "header limit"},
    };
    for (const Broken& c : cases) {
        TestLoop loop;
        const Imposter server(loop.executor(), [&](const Request&) { return c.reply; });
        const auto connection = open(loop, {.url = here(server.port(), false)});
        ASSERT_TRUE(connection);
        const auto head = loop.ask((*connection)->begin({}, milliseconds(200)));
        ASSERT_FALSE(head);
        EXPECT_EQ(head.error().code, c.code) << head.error().message;
        EXPECT_NE(head.error().message.find(c.part), std::string::npos) << head.error().message;
        EXPECT_FALSE((*connection)->reusable());
    }
}

TEST(Connection, a_cut_body_is_an_error_and_not_an_end) {
    TestLoop loop;
    const Imposter server(loop.executor(), [](const Request&) {
        return Reply{.body = std::string(1000, 'a'), .manner = Manner::cut};
    });
    const auto connection = open(loop, {.url = here(server.port(), false)});
    ASSERT_TRUE(loop.ask((*connection)->begin({}, seconds(5))));
    std::size_t came = 0;
    auto piece = loop.ask((*connection)->more(seconds(5)));
    for (; piece && !piece->empty(); piece = loop.ask((*connection)->more(seconds(5)))) {
        came += piece->size();
    }
    EXPECT_EQ(came, 500U);
    ASSERT_FALSE(piece);
    EXPECT_EQ(piece.error().code, ErrorCode::unavailable);
}

TEST(Connection, closing_it_ends_a_wait) {
    TestLoop loop;
    const Imposter server(loop.executor(),
                          [](const Request&) { return Reply{.manner = Manner::hang_after}; });
    const auto connection = open(loop, {.url = here(server.port(), false)});
    ASSERT_TRUE(loop.ask((*connection)->begin({}, seconds(5))));
    boost::asio::post(loop.context(), [&] { (*connection)->close(); });
    EXPECT_FALSE(loop.ask((*connection)->more(hours(1))));
}

// Who is trusted.

struct TlsCase {
    const char* what;
    std::string names = "DNS:localhost,IP:127.0.0.1";
    int days = 1;
    bool known_authority = true;
    std::string server_name = {};
    bool insecure = false;
    const char* refused = nullptr;  ///< A part of the sentence; null: trusted.
};

TEST(Connection, trusts_a_certificate_only_if_it_is_that_of_the_host_by_a_known_authority) {
    const TlsCase cases[] = {
        {.what = "address"},
        {.what = "other address", .names = "IP:127.0.0.2", .refused = "as that of 127.0.0.1"},
        {.what = "only a name", .names = "DNS:api.example", .refused = "as that of 127.0.0.1"},
        {.what = "tls-server-name", .names = "DNS:api.example", .server_name = "api.example"},
        {.what = "wrong name",
         .names = "DNS:api.example",
         .server_name = "api.example.org",
         .refused = "as that of api.example.org"},
        {.what = "wildcard", .names = "DNS:*.example.org", .server_name = "api.example.org"},
        {.what = "run out", .days = -1, .refused = "expired"},
        {.what = "somebody's", .known_authority = false, .refused = "not trusted"},
        {.what = "insecure", .names = "DNS:x", .known_authority = false, .insecure = true},
    };
    const Certified authority = make_authority("known");
    for (const TlsCase& c : cases) {
        TestLoop loop;
        const Certified by = c.known_authority ? authority : make_authority("unknown");
        const Certified theirs = make_certificate(by, c.names, c.days);
        const Imposter server(loop.executor(), hello,
                              ImposterTls{theirs.certificate_pem, theirs.key_pem, ""});
        const auto tls = Tls::make({.ca_pem = authority.certificate_pem, .insecure = c.insecure});
        ASSERT_TRUE(tls);
        const auto connection = open(
            loop, {.url = here(server.port(), true), .tls = *tls, .server_name = c.server_name});
        EXPECT_EQ(connection.has_value(), c.refused == nullptr) << c.what;
        if (connection || c.refused == nullptr) continue;
        EXPECT_EQ(connection.error().code, ErrorCode::denied) << c.what;
        EXPECT_NE(connection.error().message.find(c.refused), std::string::npos)
            << c.what << ": " << connection.error().message;
    }
}

TEST(Connection, presents_our_certificate) {
    const Certified authority = make_authority("known");
    const Certified theirs = make_certificate(authority, "IP:127.0.0.1");
    const Certified ours = make_certificate(authority, "");
    for (const bool presented : {true, false}) {
        TestLoop loop;
        const Imposter server(
            loop.executor(), hello,
            ImposterTls{theirs.certificate_pem, theirs.key_pem, authority.certificate_pem});
        TlsOptions options{.ca_pem = authority.certificate_pem};
        if (presented) {
            options.certificate_pem = ours.certificate_pem;
            options.key_pem = ours.key_pem;
        }
        auto connection =
            open(loop, {.url = here(server.port(), true), .tls = *Tls::make(options)});
        // With TLS 1.3 the refusal comes with the first answer.
        const bool answered =
            connection && loop.ask((*connection)->begin({}, seconds(5))).has_value();
        EXPECT_EQ(answered, presented);
    }
}

TEST(Connection, a_server_that_speaks_no_tls) {
    TestLoop loop;
    const Imposter server(loop.executor(), hello);
    const auto tls = Tls::make({});
    const auto connection =
        open(loop, {.url = here(server.port(), true), .tls = *tls}, milliseconds(500));
    ASSERT_FALSE(connection);
    EXPECT_NE(connection.error().message.find("TLS with 127.0.0.1"), std::string::npos);
}

// Proxies.

TEST(Connection, a_proxy_is_told_the_whole_address_of_a_plain_request) {
    TestLoop loop;
    const Imposter proxy(loop.executor(), hello);
    const auto connection = open(loop, {.url = {false, "api.invalid", 8001, "/x"},
                                        .proxy = Proxy{.host = "127.0.0.1", .port = proxy.port()}});
    ASSERT_TRUE(connection) << connection.error().message;
    ASSERT_TRUE(loop.ask((*connection)->begin({.target = "/version"}, seconds(5))));
    ASSERT_EQ(proxy.requests().size(), 1U);
    EXPECT_EQ(proxy.requests()[0].target, "http://api.invalid:8001/x/version");
}

TEST(Connection, a_proxy_that_refuses_is_named) {
    TestLoop loop;
    const Imposter proxy(loop.executor(), [](const Request& request) {
        EXPECT_EQ(request.method, "CONNECT");
        EXPECT_EQ(request.target, "api.invalid:6443");
        return Reply{.status = 407};
    });
    const auto connection = open(loop, {.url = {true, "api.invalid", 6443, ""},
                                        .tls = *Tls::make({}),
                                        .proxy = Proxy{.host = "127.0.0.1", .port = proxy.port()}});
    ASSERT_FALSE(connection);
    EXPECT_EQ(connection.error().message, "the proxy 127.0.0.1:" + std::to_string(proxy.port()) +
                                              " refused to connect to api.invalid:6443 (407)");
}

/// A SOCKS5 proxy that answers from a script and then echoes one HTTP answer.
struct SocksServer {
    explicit SocksServer(TestLoop& loop, std::vector<std::string> answers)
        : acceptor(loop.context(), {boost::asio::ip::address_v4::loopback(), 0}),
          socket(loop.context()) {
        boost::asio::co_spawn(loop.context(), serve(this, std::move(answers)),
                              boost::asio::detached);
    }
    static boost::asio::awaitable<void> serve(SocksServer* self, std::vector<std::string> answers) {
        constexpr auto kTuple = boost::asio::as_tuple(boost::asio::use_awaitable);
        co_await self->acceptor.async_accept(self->socket, kTuple);
        for (const std::string& answer : answers) {
            std::array<char, 512> heard{};
            const auto [unread, bytes] =
                co_await self->socket.async_read_some(boost::asio::buffer(heard), kTuple);
            self->heard.emplace_back(heard.data(), bytes);
            co_await boost::asio::async_write(self->socket, boost::asio::buffer(answer), kTuple);
        }
    }
    Proxy proxy() const {
        return {.kind = Proxy::Kind::socks5,
                .host = "127.0.0.1",
                .port = acceptor.local_endpoint().port()};
    }

    boost::asio::ip::tcp::acceptor acceptor;
    boost::asio::ip::tcp::socket socket;
    std::vector<std::string> heard;
};

const std::string kHello = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
const std::string kBound("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x50", 10);

TEST(Connection, a_socks_proxy_looks_up_the_name_itself) {
    TestLoop loop;
    SocksServer server(loop, {std::string("\x05\x00", 2), kBound, kHello});
    const auto connection =
        open(loop, {.url = {false, "api.invalid", 8001, ""}, .proxy = server.proxy()});
    ASSERT_TRUE(connection) << connection.error().message;
    const auto head = loop.ask((*connection)->begin({.target = "/version"}, seconds(5)));
    ASSERT_TRUE(head) << head.error().message;
    EXPECT_EQ(server.heard.at(1),
              std::string("\x05\x01\x00\x03\x0b", 5) + "api.invalid" + std::string("\x1f\x41", 2));
    EXPECT_TRUE(server.heard.at(2).starts_with("GET /version HTTP/1.1"));
}

TEST(Connection, a_socks_proxy_is_told_who_asks) {
    TestLoop loop;
    SocksServer server(loop,
                       {std::string("\x05\x02", 2), std::string("\x01\x00", 2), kBound, kHello});
    Proxy proxy = server.proxy();
    proxy.user = "ann";
    proxy.password = "pw";
    const auto connection = open(loop, {.url = {false, "10.0.0.1", 80, ""}, .proxy = proxy});
    ASSERT_TRUE(connection) << connection.error().message;
    EXPECT_EQ(server.heard.at(1), std::string("\x01\x03", 2) + "ann" + "\x02" + "pw");
}

TEST(Connection, what_a_socks_proxy_refuses_is_said) {
    struct Case {
        std::vector<std::string> answers;
        const char* says;
    };
    const Case cases[] = {
        {{"HTTP/1.1 400"}, " speaks no SOCKS5"},
        {{std::string("\x05\xff", 2)}, " wants to know who asks; give user and password"},
        {{std::string("\x05\x00", 2), std::string("\x05\x04\x00\x01\x00", 5)},
         " did not connect to api.invalid: no host there"},
    };
    for (const Case& c : cases) {
        TestLoop loop;
        const SocksServer server(loop, c.answers);
        const auto connection =
            open(loop, {.url = {false, "api.invalid", 80, ""}, .proxy = server.proxy()});
        ASSERT_FALSE(connection);
        EXPECT_EQ(connection.error().message, "the proxy " + server.proxy().authority() + c.says);
    }
}

TEST(Connection, an_http_proxy_is_told_who_asks) {
    TestLoop loop;
    std::string said;
    const Imposter proxy(loop.executor(), [&](const Request& request) {
        for (const Header& each : request.headers) {
            if (each.name == "Proxy-Authorization") said = each.value;
        }
        return Reply{.status = 407};
    });
    const auto connection = open(
        loop, {.url = {true, "api.invalid", 6443, ""},
               .tls = *Tls::make({}),
               .proxy = Proxy{
                   .host = "127.0.0.1", .port = proxy.port(), .user = "ann", .password = "pw"}});
    EXPECT_FALSE(connection);
    EXPECT_EQ(said, "Basic YW5uOnB3");
}

}  // namespace
}  // namespace parley::http
