#include "http/byte_stream.h"

#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <boost/asio/error.hpp>
#include <gtest/gtest.h>

#include <array>

namespace parley::http {
namespace {

using Opened = Result<std::unique_ptr<ByteStream>>;

Reply hello(const Request&) { return {.body = "hello", .close = true}; }

Opened connect(TestLoop& loop, const Imposter& server) {
    return loop.ask(connect_tcp("127.0.0.1", server.port(), "the server", seconds(5)));
}

/// Asks by hand and reads to the end.
std::string conversation(TestLoop& loop, ByteStream& stream) {
    const std::string ask = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.expire_after(seconds(5));
    EXPECT_EQ(loop.ask(stream.write(boost::asio::buffer(ask))).bytes, ask.size());
    std::string heard;
    for (;;) {
        std::array<char, 7> room{};
        const Moved moved = loop.ask(stream.read_some(boost::asio::buffer(room)));
        heard.append(room.data(), moved.bytes);
        if (moved.failed) return heard;
    }
}

TEST(ByteStream, moves_bytes_over_tcp_and_over_tls) {
    TestLoop loop;
    const Imposter plain(loop.executor(), hello);
    const auto tcp = connect(loop, plain);
    ASSERT_TRUE(tcp) << tcp.error().message;
    EXPECT_TRUE(conversation(loop, **tcp).ends_with("hello"));

    const Certified authority = make_authority("known");
    const Certified theirs = make_certificate(authority, "IP:127.0.0.1");
    const Imposter secret(loop.executor(), hello,
                          ImposterTls{theirs.certificate_pem, theirs.key_pem, ""});
    const auto tls = Tls::make({.ca_pem = authority.certificate_pem});
    ASSERT_TRUE(tls) << tls.error().message;
    const auto below = connect(loop, secret);
    ASSERT_TRUE(below);
    const auto above = loop.ask((*below)->secure(*tls, "127.0.0.1", "the server", seconds(5)));
    ASSERT_TRUE(above) << above.error().message;
    EXPECT_TRUE(conversation(loop, **above).ends_with("hello"));
}

TEST(ByteStream, a_read_that_does_not_wait_says_that_it_would_have) {
    TestLoop loop;
    const Imposter server(loop.executor(), hello);
    const auto stream = connect(loop, server);
    ASSERT_TRUE(stream);
    std::array<char, 8> room{};
    EXPECT_EQ((*stream)->read_now(boost::asio::buffer(room)).failed,
              boost::asio::error::would_block);
}

TEST(ByteStream, what_does_not_come_in_time_fails_and_so_does_what_is_closed) {
    TestLoop loop;
    const Imposter server(loop.executor(), hello);
    const auto stream = connect(loop, server);
    ASSERT_TRUE(stream);
    std::array<char, 8> room{};
    (*stream)->expire_after(milliseconds(50));
    EXPECT_TRUE(loop.ask((*stream)->read_some(boost::asio::buffer(room))).failed);
    (*stream)->close();
    EXPECT_TRUE(loop.ask((*stream)->write(boost::asio::buffer(room))).failed);
}

}  // namespace
}  // namespace parley::http
